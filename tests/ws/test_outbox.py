"""What a socket says leaves in order, at once where that can be, and never holds up whoever says it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from config.sockets import _head
from games.ws import outbox
from games.ws.outbox import Outbox, begun


class Peer:
    """The other side: `takes` says whether it takes data now."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.takes = asyncio.Event()
        self.takes.set()
        self.given_up = 0
        self.fails: Exception | None = None

    async def send(self, message: dict[str, Any]) -> None:
        await self.takes.wait()
        if self.fails is not None:
            raise self.fails
        self.got.append(message["text"])

    def say(self, payload: bytes) -> bool:
        if not self.takes.is_set():
            return False
        self.got.append(payload.decode())
        return True

    def give_up(self) -> None:
        self.given_up += 1

    def outbox(self, *, short_way: bool) -> Outbox:
        return Outbox(self.send, self.give_up, self.say if short_way else None)


both_ways = pytest.mark.parametrize("short_way", [False, True])


@both_ways
async def test_what_can_be_sent_is_sent_before_push_returns(short_way: bool) -> None:
    peer = Peer()
    box = peer.outbox(short_way=short_way)

    box.push(b"1", b"2")

    assert peer.got == ["1", "2"]
    assert box.idle


@both_ways
async def test_what_waits_keeps_its_order_also_with_what_comes_when_the_reader_reads_again(short_way: bool) -> None:
    peer = Peer()
    box = peer.outbox(short_way=short_way)
    box.push(b"1")
    peer.takes.clear()

    box.push(b"2", b"3")
    await asyncio.sleep(0)
    assert (peer.got, box.idle) == (["1"], False)
    peer.takes.set()
    box.push(b"4")  # the reader could take it, but not before 2 and 3
    while not box.idle:  # noqa: ASYNC110  (it is the thing looked at)
        await asyncio.sleep(0)
    box.push(b"5")

    assert peer.got == ["1", "2", "3", "4", "5"]


@both_ways
async def test_who_does_not_read_in_time_is_given_up_once(short_way: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "SEND_SECONDS", 0.01)
    peer = Peer()
    box = peer.outbox(short_way=short_way)
    peer.takes.clear()

    box.push(b"1")
    while not peer.given_up:  # noqa: ASYNC110  (as above)
        await asyncio.sleep(0.01)
    peer.takes.set()
    box.push(b"2")
    await asyncio.sleep(0.01)

    assert (peer.got, peer.given_up, box.idle) == ([], 1, True)


@both_ways
async def test_who_is_too_far_behind_is_given_up_and_what_is_pushed_together_is_not_cut(
    short_way: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_BEHIND", 10)
    peer = Peer()
    box = peer.outbox(short_way=short_way)
    peer.takes.clear()

    box.push(b"first")
    box.push(b"123456", b"123456")
    assert not peer.given_up
    box.push(b"one too many")

    assert (peer.got, peer.given_up) == ([], 1)


async def test_a_peer_that_is_gone_hears_nothing_more_and_nobody_minds() -> None:
    peer = Peer()
    peer.fails = RuntimeError("gone")
    box = peer.outbox(short_way=False)

    box.push(b"1")
    peer.fails = None
    box.push(b"2")

    assert (peer.got, peer.given_up, box.idle) == ([], 0, True)


async def test_a_closed_outbox_says_nothing_more() -> None:
    peer = Peer()
    box = peer.outbox(short_way=True)
    peer.takes.clear()
    box.push(b"1", b"2")

    box.close()
    peer.takes.set()
    box.push(b"3")
    await asyncio.sleep(0.01)

    assert peer.got == []


async def test_work_that_was_begun_goes_on_where_it_waited_and_may_wait_again() -> None:
    one, two = asyncio.Event(), asyncio.Event()
    done = []

    async def work() -> None:
        done.append("begun")
        await one.wait()
        done.append("half")
        await two.wait()
        done.append("done")

    rest = begun(work())
    assert (rest is not None, done) == (True, ["begun"])
    one.set()
    two.set()
    assert rest is not None
    await rest

    assert done == ["begun", "half", "done"]


async def test_work_that_was_begun_is_cancelled_with_whoever_waits_for_it() -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    rest = begun(work())
    assert rest is not None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await rest

    assert ended == [True]


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 100_000])
def test_the_head_of_a_frame_is_the_librarys(length: int) -> None:
    payload = b"x" * length

    frame = _head(length) + payload

    assert frame == Frame(Opcode.TEXT, payload).serialize(mask=False)
    reader = StreamReader()
    reader.feed_data(frame)
    parsing = Frame.parse(reader.read_exact, mask=False, max_size=None)
    with pytest.raises(StopIteration) as end:
        next(parsing)
    assert (end.value.value.opcode, end.value.value.fin, end.value.value.data) == (Opcode.TEXT, True, payload)
