"""The load's player: keeps games going as it was ordered, and counts."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from urllib.parse import urlsplit

from tests.benchmarks.load import rest
from tests.benchmarks.load.orders import Add, ByRest, Close, Connect, Done, Game, Play, Rest, due, percentile
from tests.benchmarks.load.sockets import Table, open_seat

HANDSHAKES = 64  # at once
CONNECT_LIMIT = 150.0  # seconds
DRAIN = 3.0  # seconds for the last moves of a run to arrive
TICK = 0.001  # seconds between looks at the pace
POOL = 32  # REST connections of a paced run


class Player:
    """All games and sockets of this process."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        self.idle: deque[Table] = deque()  # connected, nobody plays them now
        self.playing: set[Table] = set()
        self._finished: list[Table] = []
        self.unopened: deque[tuple[Game, Sequence[str]]] = deque()
        self._opening: set[asyncio.Task[None]] = set()
        self._run: _Run | None = None

    @property
    def sockets(self) -> int:
        return sum(len(table.seats) for table in (*self.idle, *self.playing))

    # --- sockets ------------------------------------------------------------------------------------------------

    async def connect(self, order: Connect) -> Done:
        began, cpu, limit = perf_counter(), process_time(), asyncio.Semaphore(HANDSHAKES)
        tables = [Table(game, self._moved) for game in order.games]

        async def opened(number: int, table: Table) -> None:
            for seat in range(min(order.seats, len(table.game.tokens))):
                url = order.urls[(number if order.by_game else seat) % len(order.urls)]
                async with limit:
                    await self._open(table, url, seat)
            self.idle.append(table)

        try:
            async with asyncio.timeout(CONNECT_LIMIT):
                await asyncio.gather(*(opened(number, table) for number, table in enumerate(tables)))
        except TimeoutError:
            self.errors["not all sockets were opened in time"] += 1
        return self._done(began, cpu)

    async def _open(self, table: Table, url: str, seat: int) -> None:
        welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(30):
                await open_seat(table, url, seat, self.errors, lambda: _set(welcomed))
                await welcomed
        except Exception as error:  # noqa: BLE001  (whatever it was, it is counted, and the run goes on)
            self.errors[f"not opened: {type(error).__name__}"] += 1

    def add(self, order: Add) -> Done:
        self.unopened.extend((game, order.urls) for game in order.games)
        return self._done(perf_counter(), process_time())

    async def close(self, _order: Close) -> Done:
        began, cpu = perf_counter(), process_time()
        for table in (*self.idle, *self.playing, *self._finished):
            _leave(table)
        for tables in (self.idle, self.playing, self._finished):
            tables.clear()
        await asyncio.sleep(0.5)
        return self._done(began, cpu)

    # --- playing over sockets -----------------------------------------------------------------------------------

    async def play(self, order: Play) -> Done:
        while len(self.playing) < order.at_once and self.idle:
            self._take_idle()
        while len(self.playing) + len(self._opening) < order.at_once and self.unopened:
            self._open_another()
        run = self._run = _Run(self)
        if order.rate is None:
            for table in list(self.playing):
                run.closed(table)
            await run.until(order.seconds)
        else:
            await run.paced(order.rate, order.seconds, lambda table: table.move())
        return await self._ended(run)

    async def by_rest(self, order: ByRest) -> Done:
        while self.idle:
            self._take_idle()
        pool = await rest.connections(order.url, POOL)
        host = urlsplit(order.url).netloc
        waiting: deque[Table] = deque()

        def send(table: Table) -> None:
            if not pool:
                waiting.append(table)
                return
            connection, step = pool.pop(), table.step
            assert step is not None
            table.position += 1

            def answered(status: int, body: bytes) -> None:
                pool.append(connection)
                if status != 201:
                    self.errors[_named(status, body)] += 1
                table.acknowledge()
                if waiting:
                    send(waiting.popleft())

            connection.send(rest.request(host, table.game, step), answered)

        def begin(table: Table) -> None:
            table.begin()
            send(table)

        run = self._run = _Run(self)
        await run.paced(order.rate, order.seconds, begin)
        done = await self._ended(run)
        for connection in pool:
            connection.close()
        return done

    async def _ended(self, run: _Run) -> Done:
        """Let the last moves arrive, and tell what came of the run."""
        run.stop()
        limit = perf_counter() + DRAIN
        while perf_counter() < limit and any(table.under_way for table in self.playing):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        self._run = None
        for table in [table for table in self.playing if table.under_way]:
            self.errors["a move was not delivered"] += 1
            self.playing.discard(table)
            _leave(table)
        return self._done(run.began, run.cpu_began, run)

    def _moved(self, table: Table) -> None:
        """A move was acknowledged and delivered to all."""
        run = self._run
        if run is None:
            return
        run.note(table)
        if table.game.script:
            if table.step is not None:
                run.ready.append(table)
        elif table.over:
            run.games_over += 1
            self.playing.discard(table)
            _leave(table) if self.unopened else self._rest(table)
            self._replace(run)
        else:
            run.closed(table)

    def _rest(self, table: Table) -> None:
        """Keep the sockets of a game that is over: closing them would cost the measured server time."""
        self._finished.append(table)

    def _replace(self, run: _Run) -> None:
        """Another game for one that is over."""
        if self.idle:
            run.closed(self._take_idle())
        elif self.unopened:
            self._open_another()
        else:
            run.run_out()

    def _open_another(self) -> None:
        """Begin to connect the next of the games that were added; it is played as soon as all its seats are there."""
        game, urls = self.unopened.popleft()

        async def opened() -> None:
            table = Table(game, self._moved)
            for seat in range(len(game.tokens)):
                await self._open(table, urls[seat % len(urls)], seat)
            self.playing.add(table)
            if self._run is not None and not table.over:
                self._run.closed(table)

        task = asyncio.create_task(opened())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    def _take_idle(self) -> Table:
        table = self.idle.popleft()
        self.playing.add(table)
        return table

    # --- REST alone ---------------------------------------------------------------------------------------------

    async def rest(self, order: Rest) -> Done:
        began, cpu, times = perf_counter(), process_time(), list[float]()
        end, games, host = began + order.seconds, deque(order.games), urlsplit(order.url).netloc
        over, ran_out = 0, False

        async def played(connection: rest.Connection) -> None:
            nonlocal over, ran_out
            loop = asyncio.get_running_loop()
            while games:
                game = games.popleft()
                for step in game.script:
                    if perf_counter() > end:
                        return
                    answer: asyncio.Future[tuple[int, bytes]] = loop.create_future()
                    sent = perf_counter()
                    connection.send(rest.request(host, game, step), lambda *got, a=answer: a.set_result(got))
                    status, body = await answer
                    if status != 201:
                        self.errors[_named(status, body)] += 1
                        break
                    times.append(perf_counter() - sent)
                over += 1
            ran_out = True

        pool = await rest.connections(order.url, order.connections)
        began, cpu = perf_counter(), process_time()
        end = began + order.seconds
        await asyncio.gather(*(played(connection) for connection in pool))
        for connection in pool:
            connection.close()
        times.sort()
        return Done(
            moves=len(times),
            seconds=perf_counter() - began,
            times=(1000 * percentile(times, 0.5), 1000 * percentile(times, 0.99)),
            cpu=process_time() - cpu,
            games_over=over,
            ran_out=ran_out,
            errors=self._errors(),
        )

    # --- telling ------------------------------------------------------------------------------------------------

    def _done(self, began: float, cpu: float, run: _Run | None = None) -> Done:
        if run is None:
            return Done(
                seconds=perf_counter() - began,
                cpu=process_time() - cpu,
                sockets=self.sockets,
                spare=len(self.idle) + len(self.unopened),
                errors=self._errors(),
            )
        run.times.sort()
        run.late.sort()
        return Done(
            moves=run.moves,
            seconds=run.ended - run.began,
            times=(1000 * percentile(run.times, 0.5), 1000 * percentile(run.times, 0.99)),
            late=(1000 * percentile(run.late, 0.5), 1000 * percentile(run.late, 0.99)),
            cpu=run.cpu,
            games_over=run.games_over,
            sockets=self.sockets,
            spare=len(self.idle) + len(self.unopened),
            ran_out=run.ran_out,
            errors=self._errors(),
        )

    def _errors(self) -> dict[str, int]:
        """What went wrong since it was last asked."""
        found = dict(self.errors)
        self.errors.clear()
        return found


class _Run:
    """One measured stretch of play."""

    def __init__(self, player: Player) -> None:
        self.began, self.cpu_began = perf_counter(), process_time()
        self.ended, self.cpu = self.began, 0.0
        self.moves = self.games_over = 0
        self.times: list[float] = []
        self.late: list[float] = []
        self.ready: deque[Table] = deque()
        self.ran_out = False
        self._is_paced = False
        self._over = asyncio.Event()
        self._player = player

    def note(self, table: Table) -> None:
        if not self._over.is_set():
            self.moves += 1
            self.times.append(perf_counter() - table.sent)

    def closed(self, table: Table) -> None:
        """A game whose next move can be sent: at once, or when the pace asks for it."""
        if self._is_paced:
            self.ready.append(table)
        elif not self._over.is_set() and not table.over:
            table.move()

    async def until(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return

    async def paced(self, rate: float, seconds: float, move: Callable[[Table], None]) -> None:
        """Send so many moves a second, each time for the game that has waited longest."""
        self._is_paced = True
        self.ready.extend(table for table in self._player.playing if table.playable)
        sent = 0
        while (now := perf_counter() - self.began) < seconds and not self._over.is_set():
            while sent < due(rate, now) and self.ready:
                move(self.ready.popleft())
                self.late.append(max(0.0, perf_counter() - self.began - sent / rate))
                sent += 1
            await asyncio.sleep(TICK)

    def run_out(self) -> None:
        self.ran_out = True
        self.stop()

    def stop(self) -> None:
        if not self._over.is_set():
            self._over.set()
            self.ended, self.cpu = perf_counter(), process_time() - self.cpu_began


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _leave(table: Table) -> None:
    for seat in table.seats:
        seat.leave()


def _named(status: int, body: bytes) -> str:
    return "connection lost" if status == 0 else f"{status} {body[:160].decode(errors='replace')}"
