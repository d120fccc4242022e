"""A whole trial: the first world, then one more for each viewer, and everything that was sent compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.rules.conformance.playthrough import Case
from games.rules.seats import Seat
from tests.leak.exchange import Story, Swap, swap_for
from tests.leak.playing import next_step
from tests.leak.questions import OVER, questions
from tests.leak.sources import Sources
from tests.leak.transcript import COURSE, Leak, Sent, compare
from tests.leak.trial import Question, Step, Trial, Viewer, trial
from tests.leak.world import blocking, world


class Kept(NamedTuple):
    """What is left of the first world."""

    steps: list[tuple[Step, int]]  # with the version after each
    questions: dict[str, list[Question]]
    sent: dict[str, list[Sent]]
    lines: dict[str, list[str]]
    swaps: dict[Seat | None, Swap]
    sources: Sources
    over: bool


class Outcome(NamedTuple):
    """How much a trial has compared: viewers for whom hidden cards did move, answers and frames, log lines."""

    viewers: int
    sent: int
    lines: int


async def carry_out(
    case: Case, length: int, superuser: str, *, most_seats: int = 8, kinds: int | None = None
) -> Outcome:
    """Play a game of at most `length` steps in all its worlds. Raises Leak.

    A shorter one where nothing is hidden at that point, as when the last deal has been shown whole. `kinds`: how many
    kinds of viewer to look at (each seat is one, those without a seat are one); None: all.
    """
    tried = await blocking(trial, case, most_seats)
    first = await _first(tried, length, superuser, kinds)
    while not first.swaps and length > 0:
        length = length * 3 // 4
        first = await _first(tried, length, superuser, kinds)
    outcome = Outcome(0, 0, 0)
    for seat, swap in first.swaps.items():
        viewers = [viewer for viewer in tried.viewers if viewer.seat == seat]
        found = await _second(tried, first, swap, viewers, superuser)
        outcome = Outcome(*map(sum, zip(outcome, found, strict=True)))
    return outcome


async def _first(tried: Trial, length: int, superuser: str, kinds: int | None) -> Kept:
    noise = tried.case.noise("steps")
    steps: list[tuple[Step, int]] = []
    sources = Sources(tried.case)
    async with world(tried, sources, superuser) as made:
        await made.set_up()
        while (table := await made.table()).status not in OVER and len(steps) < length:
            step = next_step(table, tried.viewers, sources.now, noise)
            await made.take(len(steps), step)
            steps.append((step, made.version))
        await made.settle()
        swaps = _swaps(tried, await made.story(), sources, kinds)
        viewers = [viewer for viewer in tried.viewers if viewer.seat in swaps]
        asked = {viewer.name: questions(viewer, table, made.moves_of(viewer), noise) for viewer in viewers}
        for viewer in viewers:
            await made.question(viewer, asked[viewer.name])
        return Kept(steps, asked, made.sent, made.lines.by_phase, swaps, sources, table.status in OVER)


def _swaps(tried: Trial, story: Story, sources: Sources, kinds: int | None) -> dict[Seat | None, Swap]:
    """By seat (None: without one) what may be otherwise for it, for so many kinds of viewer."""
    noise = tried.case.noise("swaps")
    found: dict[Seat | None, Swap] = {}
    for seat in noise.shuffled(list(dict.fromkeys(viewer.seat for viewer in tried.viewers))):
        if len(found) != kinds and (swap := swap_for(story, seat, sources, noise)) is not None:
            found[seat] = swap
    return found


async def _second(tried: Trial, first: Kept, swap: Swap, viewers: list[Viewer], superuser: str) -> Outcome:
    """The other world for viewers who know the same."""
    sources = Sources(tried.case, swap.exchanges, second=True)
    async with world(tried, sources, superuser, swap.doings) as other:
        await other.set_up()
        for number, (step, version) in enumerate(first.steps):
            await other.take(number, step)
            if other.version != version:
                raise Leak("everybody", COURSE, f"version {version} after {step}", f"version {other.version}")
        await other.settle()
        for viewer in viewers:
            await other.question(viewer, first.questions[viewer.name])
    for viewer in viewers:
        told = [_with_seed(each, sources) if first.over else each for each in other.sent[viewer.name]]
        compare(viewer.name, first.sent[viewer.name], told)
    lines = dict(_lines(first.lines, [f"end {viewer.name}" for viewer in viewers]))
    _compare_lines(lines, dict(_lines(other.lines.by_phase, list(lines))))
    count = sum(len(first.sent[viewer.name]) for viewer in viewers)
    return Outcome(len(viewers), count, sum(map(len, lines.values())))


def _with_seed(sent: Sent, sources: Sources) -> Sent:
    """After the end everybody knows the seed; the second world's stands for the first one's."""
    content = sent.content.replace(sources.seed.hex().encode(), sources.stream_seed.hex().encode())
    return sent._replace(content=content)


def _lines(by_phase: dict[str, list[str]], ends: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Of the game's own phases all lines, of the ends those of these viewers; several threads write them."""
    for phase, lines in by_phase.items():
        if not phase.startswith("end ") or phase in ends:
            yield phase, sorted(lines)


def _compare_lines(one: dict[str, list[str]], other: dict[str, list[str]]) -> None:
    for phase in dict.fromkeys((*one, *other)):
        mine, theirs = one.get(phase, []), other.get(phase, [])
        if mine != theirs:
            different = [line for line in (*mine, *theirs) if mine.count(line) != theirs.count(line)]
            raise Leak("whoever reads the log", "log", phase, different[:4])
