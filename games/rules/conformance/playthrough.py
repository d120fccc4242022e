"""Whole games played in memory at random: made up from a seed and a number, the same every time.

Must live here: how a trial game is set up and moved on. Must not: any judgement on it. Nothing is asked of the
machine: ids, seeds, the clock and all choices come from the seed, so every failure can be played again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from games.rules import lifecycle as life
from games.rules import play
from games.rules.conformance.violation import Violation
from games.rules.errors import Invalid, NotYourTurn, RuleViolation
from games.rules.registry import AnyRuleset
from games.rules.seats import Seat
from games.rules.stream import Stream, commitment
from games.rules.table import Recorded, Table

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
LEVELS: tuple[life.Level, ...] = ("easy", "normal", "hard")
SAMPLES = 1000
MOVE_LIMIT = 50_000  # far above the longest game that any ruleset allows


class Case(NamedTuple):
    """What a trial game is made from; equal cases give equal games."""

    rules: AnyRuleset
    seed: int = 0
    number: int = 0
    seats: range | None = None  # None: as many as the ruleset's sample says
    options: Mapping[str, Any] = {}  # given over the sampled ones
    sampled: bool = True  # False: no options but those given, and the fewest seats asked for
    takeovers: bool = True  # let bots take seats over now and then

    def bytes_for(self, purpose: str) -> bytes:
        """32 bytes that depend on this case and the purpose alone."""
        return hashlib.sha256(f"{self.rules.key}|{self.seed}|{self.number}|{purpose}".encode()).digest()

    def id_for(self, purpose: str, at: datetime = EPOCH) -> str:
        """A UUIDv7 that depends on this case and the purpose alone."""
        millis = int(at.timestamp() * 1000).to_bytes(6, "big")
        tail = bytearray(self.bytes_for(f"id {purpose}")[:10])
        tail[0] = 0x70 | tail[0] & 0x0F
        tail[2] = 0x80 | tail[2] & 0x3F
        return str(UUID(bytes=millis + bytes(tail)))

    def noise(self, purpose: str) -> Stream:
        """A source of choices apart from the game's own stream."""
        return Stream(self.bytes_for(purpose), "noise", ())


class Playthrough:
    """A game under way: the table after each append, and every event with its place."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rules = case.rules
        self.seed = case.bytes_for("seed")
        self.noise = case.noise("play")
        self.now = EPOCH + timedelta(seconds=self.noise.below(86_400), milliseconds=self.noise.below(1000))
        self.table = Table(id=case.id_for("game", self.now))
        self.tables: list[Table] = []
        self.records: list[Recorded] = []

    def take(self, move: play.Move) -> None:
        """Go on from what a command caused."""
        self.records += move.records
        self.table = move.table
        self.tables.append(move.table)

    def note(self, *events: life.Event) -> None:
        self.take(play.record(self.table, events, self.now))

    def pass_time(self) -> None:
        """Mostly seconds, now and then half an hour."""
        seconds = self.noise.below(1800) if self.noise.below(200) == 0 else self.noise.below(4)
        self.now += timedelta(seconds=seconds, microseconds=self.noise.below(1_000_000))


def played(case: Case) -> Playthrough:
    """A whole game, from `game_created` to its end."""
    game = started(case)
    for _ in range(MOVE_LIMIT):
        if game.table.status != "playing":
            return game
        step(game)
    raise Violation("the game does not end", moves=MOVE_LIMIT)


def started(case: Case) -> Playthrough:
    """A game whose seats are taken and that has begun."""
    game = Playthrough(case)
    game.note(_created(game), _taken(game, 0))
    for seat in range(1, game.table.seats):
        game.pass_time()
        game.note(_taken(game, seat))
    for seat, chair in enumerate(game.table.chairs):
        if chair and chair.player_id and game.noise.below(2):
            game.note(life.ClientSeedGiven(seat=seat, client_seed=f"seed-{seat}_{game.noise.below(10**6)}"))
    game.pass_time()
    game.take(play.start(game.table, game.seed, game.now))
    return game


def _created(game: Playthrough) -> life.GameCreated:
    seats, options = _set_up(game.case, game.noise)
    return life.GameCreated(
        rules=game.rules.key,
        options=life.plain(options),
        seats=seats,
        visibility="public",
        mode="casual",
        commitment=commitment(game.seed),
    )


def _set_up(case: Case, noise: Stream) -> tuple[int, Any]:
    """Seats and complete options, drawn until they fit what the case asks for. Raises Invalid if none do."""
    wanted = case.seats or range(case.rules.min_seats, case.rules.max_seats + 1)
    if not case.sampled:
        return wanted[0], case.rules.complete_options(case.options, wanted[0], "casual")
    refused = Invalid("seats", "range")
    for _ in range(SAMPLES):
        seats, given = case.rules.sample_options(noise)
        if seats in wanted:
            try:
                return seats, case.rules.complete_options({**given, **case.options}, seats, "casual")
            except Invalid as refusal:  # the sample and what was asked for exclude each other
                refused = refusal
    raise refused


def _taken(game: Playthrough, seat: Seat) -> life.SeatTaken:
    if seat > 0 and game.noise.below(4) == 0:
        return life.SeatTaken(seat=seat, bot=LEVELS[game.noise.below(len(LEVELS))])
    return life.SeatTaken(seat=seat, player_id=game.case.id_for(f"player {seat}"))


def step(game: Playthrough) -> None:
    """One append: the ruleset's own moment if it is due, else a random legal action or a bot's."""
    game.pass_time()
    table, noise = game.table, game.noise
    alarm = game.rules.alarm(table.state)
    if alarm is not None and alarm <= game.now:
        game.take(play.ring(table, game.seed, game.now))
        return
    seat = _who(game)
    if game.case.takeovers and _changed_hands(game, seat):
        return
    view = game.rules.view(table.state, seat)
    chair = table.chairs[seat]
    if chair is not None and chair.controller == "bot" and seat in table.to_act:
        action = game.rules.bot(view, "normal", noise)
    else:
        action = random_action(game.rules, view, noise)
    try:
        game.take(play.act(table, seat, action, game.seed, game.now))
    except (NotYourTurn, RuleViolation) as refusal:
        raise Violation("every legal action is accepted", seat=seat, action=action, code=refusal.code) from refusal


def _who(game: Playthrough) -> Seat:
    """A seat that the game waits for; now and then another one that may act out of turn."""
    to_act = game.table.to_act
    if not to_act:
        raise Violation("the game waits for nobody, yet it has no standing", version=game.table.version)
    if game.noise.below(8) == 0:
        seat = game.noise.below(game.table.seats)
        if seat in to_act or game.rules.legal_actions(game.rules.view(game.table.state, seat)):
            return seat
    return to_act[game.noise.below(len(to_act))]


def _changed_hands(game: Playthrough, seat: Seat) -> bool:
    """Now and then a player's seat goes to a bot or back; True if it did, which is an append of its own."""
    chair = game.table.chairs[seat]
    if chair is None or chair.player_id is None or seat not in game.table.to_act:
        return False
    if chair.controller == "player" and game.noise.below(60) == 0:
        overdue = game.table.clocks[seat].deadline <= game.now
        game.take(play.control(game.table, seat, "bot", "timeout" if overdue else "disconnected", game.now))
        return True
    if chair.controller == "bot" and game.noise.below(5) == 0:
        game.take(play.control(game.table, seat, "player", "returned", game.now))
        return True
    return False


def random_action(rules: AnyRuleset, view: Any, noise: Stream) -> Any:
    """One of the legal actions, every entry equally likely; a template is filled in at random."""
    legal: Sequence[Any] = rules.legal_actions(view)
    if not legal:
        raise Violation("a seat that the game waits for has no legal action", view=view)
    ways = rules.completions(legal[noise.below(len(legal))], view)
    return ways[noise.below(len(ways))]
