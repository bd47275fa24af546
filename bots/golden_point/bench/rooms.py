"""Measure one room under load: two hundred programs poll five times a second and submit numbers in every round.

The players run in one process and use the site's web process, which is started as the supervisor starts it. The
baseline, called the floor, is a bare ASGI response of the same length from the same server. The same players request it
at the same rate, before and after the measurement. Latency is measured from just before a request is written until
its response has been read.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from arena.platform.parent_death import die_with_parent
from arena.platform.supervisor import children
from arena.platform.supervisor.options import from_environment
from bench import fixtures
from bench.fanout import free_port, wait_for_port
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section, Unit
from tests.broker import running_broker

PLAYERS, POLLS_A_SECOND = 200, 5
ROUNDS, ROUND_SECONDS = 8, 3
FLOOR_SECONDS = 6.0
FLOOR = "bots.golden_point.bench.bare_http:application"
GOAL = Goal(300, GoalQuantity.P95_RATIO)  # about 100 ms
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class PlayerMeasurements:
    """The players' measurements: latencies in seconds, and errors."""

    states: list[float] = field(default_factory=list)
    submissions: list[float] = field(default_factory=list)
    taken: int = 0
    refused: list[str] = field(default_factory=list)
    busy: float = 0.0  # share of a core used by the players' process
    server: float = 0.0  # CPU seconds that the server used per response


class PollingClient(asyncio.Protocol):
    """An HTTP client that sends one request at a time over a persistent connection."""

    def __init__(self) -> None:
        self._data = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._write: Callable[[bytes], None] = transport.write  # type: ignore[attr-defined]

    async def ask(self, method: str, target: str) -> tuple[int, bytes]:
        self._answer = asyncio.get_running_loop().create_future()
        self._write(f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n".encode())
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, blank, body = self._data.partition(b"\r\n\r\n")
        if not blank or self._answer is None:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(body) >= length:
            self._data = body[length:]
            self._answer.set_result((int(head[9:12]), body[:length]))

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server closed the connection"))


class SimulatedPlayer:
    """A student's program: it polls the state and submits once in each round."""

    def __init__(self, room: int, number: int, seen: PlayerMeasurements) -> None:
        self._room, self._seen = room, seen
        self._rng = random.Random(number)
        self._uid = self._submitted_to = ""
        self._number = number

    async def play(self, port: int, until: float) -> None:
        """Play until the room has finished, or until the deadline."""
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(PollingClient, "127.0.0.1", port)
        due = time.monotonic() + self._number / PLAYERS / POLLS_A_SECOND
        while time.monotonic() < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = max(due + 1 / POLLS_A_SECOND, time.monotonic())
            state = await self._poll(connection)
            if state["state"] == 2:
                return
            if state["state"] == 0 and state["roundId"] != self._submitted_to:
                await self._submit(connection, state["roundId"])

    async def _poll(self, connection: PollingClient) -> dict[str, object]:
        began = time.perf_counter()
        status, body = await connection.ask("GET", f"/api/State?uid={self._uid}&roomid={self._room}")
        self._seen.states.append(time.perf_counter() - began)
        state: dict[str, object] = json.loads(body)
        if status != 200:
            raise RuntimeError(f"State returned {status}: {state}")
        self._uid = str(state["userId"])
        return state

    async def _submit(self, connection: PollingClient, rid: object) -> None:
        target = f"/api/Submit?uid={self._uid}&rid={rid}&n1={self._rng.uniform(0.1, 99)}"
        began = time.perf_counter()
        status, body = await connection.ask("POST", target)
        self._seen.submissions.append(time.perf_counter() - began)
        self._submitted_to = str(rid)
        if status == 200:
            self._seen.taken += 1
        else:
            self._seen.refused.append(json.loads(body)["message"])


async def _start_rounds(port: int, room: int) -> None:
    """Start the rounds once all players have joined."""
    _, connection = await asyncio.get_running_loop().create_connection(PollingClient, "127.0.0.1", port)
    await asyncio.sleep(2.0)
    await connection.ask("GET", f"/api/StartGame?roomid={room}")


def run_players(port: int, room: int, seconds: float, answer: Connection) -> None:
    """Run the players and send their measurements over ``answer``; this is the main function of their process."""
    import uvloop

    async def main() -> PlayerMeasurements:
        seen, until = PlayerMeasurements(), time.monotonic() + seconds
        began, used = time.monotonic(), time.process_time()
        players = (SimulatedPlayer(room, number, seen).play(port, until) for number in range(PLAYERS))
        await asyncio.gather(_start_rounds(port, room), *players)
        seen.busy = (time.process_time() - used) / (time.monotonic() - began)
        return seen

    answer.send(uvloop.run(main()))


def measure_players(server: Server, room: int, seconds: float) -> PlayerMeasurements:
    """Run all players in this room for at most ``seconds`` seconds; return their measurements."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=run_players, args=(server.port, room, seconds, theirs), daemon=True)
    before = server.cpu_seconds()
    process.start()
    theirs.close()
    try:
        seen: PlayerMeasurements = ours.recv()
        seen.server = (server.cpu_seconds() - before) / (len(seen.states) + len(seen.submissions))
        return seen
    finally:
        process.kill()
        process.join()


@dataclass(frozen=True, slots=True)
class Server:
    """A running web server."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the server's CPU time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def running_server(folder: Path, broker_url: str, application: str | None = None) -> Iterator[Server]:
    """Run the supervisor's web server with the site or, if given, another application."""
    port = free_port()
    variables = {"ARENA_VAR": str(folder), "REDIS_URL": broker_url, "PORT": str(port)}
    options = from_environment(variables)
    environment = children.environment(options, {**os.environ, "LOG_LEVEL": "ERROR"})
    web = next(spec for spec in children.site_children(options, environment) if spec.name == "web")
    command = [application if application and part == "arena.asgi:application" else part for part in web.argv]
    process = subprocess.Popen(command, cwd=fixtures.ROOT, env=environment, preexec_fn=die_with_parent)
    try:
        wait_for_port(port)
        yield Server(port, process.pid)
    finally:
        process.kill()
        process.wait()


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    for name in ("DATABASE_URL", "ARENA_ENV", "DEBUG"):
        os.environ.pop(name, None)
    migrate = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity=0"]
    subprocess.run(migrate, cwd=fixtures.ROOT, env={**os.environ, "ARENA_VAR": str(folder)}, check=True)
    with running_broker() as broker:
        with running_server(folder, broker.url, FLOOR) as server:
            floor = measure_players(server, 0, FLOOR_SECONDS)
        with running_server(folder, broker.url) as server:
            room = _create_rooms(server.port)
            before = count_players_and_rooms(folder)
            ours = measure_players(server, room, (ROUNDS + 8) * ROUND_SECONDS)
            added = count_players_and_rooms(folder) - before - PLAYERS
        with running_server(folder, broker.url, FLOOR) as server:
            floor.states += measure_players(server, 0, FLOOR_SECONDS).states
    return _build_section(floor, ours, StoredRounds.read(folder, room), added)


def _create_rooms(port: int) -> int:
    """Create a room that anyone may start, and return its number."""

    async def main() -> int:
        _, connection = await asyncio.get_running_loop().create_connection(PollingClient, "127.0.0.1", port)
        target = f"/api/NewRoom?duration={ROUND_SECONDS}&roundCount={ROUNDS}&manuallyStart=1"
        _, body = await connection.ask("GET", target)
        return int(json.loads(body)["roomId"])

    return asyncio.run(main())


def count_players_and_rooms(folder: Path) -> int:
    """Return the number of players, except those run by the arena, plus the number of rooms, except rooms 0 and 1."""
    query = (
        "SELECT (SELECT count(*) FROM rooms_player WHERE kind <> 'bot')"
        " + (SELECT count(*) FROM rooms_room WHERE number > 1)"
    )
    with closing(sqlite3.connect(folder / "arena.sqlite3", timeout=10)) as database:
        return int(database.execute(query).fetchone()[0])


@dataclass(frozen=True, slots=True)
class StoredRounds:
    """A room's closed rounds in the database: the number of players in each, and how many seconds late it closed."""

    players: tuple[int, ...]
    late: tuple[float, ...]

    @classmethod
    def read(cls, folder: Path, room: int) -> StoredRounds:
        query = (
            "SELECT count(DISTINCT room_player_id), (julianday(closed_at) - julianday(ends_at)) * 86400"
            " FROM rooms_roomround JOIN rooms_room ON rooms_room.id = room_id JOIN rooms_pick ON round_id ="
            " rooms_roomround.id WHERE number = ? AND closed_at IS NOT NULL GROUP BY rooms_roomround.id"
        )
        with closing(sqlite3.connect(folder / "arena.sqlite3", timeout=10)) as database:
            found = database.execute(query, [room]).fetchall()
        return cls(tuple(players for players, _ in found), tuple(late for _, late in found))


def _build_section(floor: PlayerMeasurements, ours: PlayerMeasurements, stored: StoredRounds, added: int) -> Section:
    comparisons = (Comparison("floor: a bare response at the same request rate", Sample(tuple(floor.states))),)
    answers = Sample(tuple(ours.states + ours.submissions))
    return Section(
        f"{PLAYERS} players in a room, {POLLS_A_SECOND} State a second each, rounds of {ROUND_SECONDS} s",
        (
            Row("State", Sample(tuple(ours.states)), comparisons, GOAL),
            Row(
                "Submit, from all players when a round opens",
                Sample(tuple(ours.submissions)),
                comparisons,
                GOAL,
                failure=_describe_lost(ours, stored),
            ),
            Row("every answer", answers, comparisons, GOAL),
            Row(
                "  CPU time of the server per answer, including all costs of rounds",
                Sample((ours.server,)),
                (Comparison("floor: a bare answer", Sample((floor.server,))),),
            ),
            Row("a round closed after its deadline", Sample(stored.late), comparisons, GOAL),
            Row("rows added by polling", Sample((added,)), (), Goal(0), Unit.COUNT),
        ),
        (
            f"CPU use of the process that simulates the players: {100 * ours.busy:.0f} % of a core; "
            f"for the floor, {100 * floor.busy:.0f} %",
        ),
    )


def _describe_lost(ours: PlayerMeasurements, stored: StoredRounds) -> str:
    """Describe submissions that were refused or not stored; return "" if there are none."""
    if ours.refused:
        return f"{len(ours.refused)} refused: {ours.refused[0]}"
    if stored.players != (PLAYERS,) * ROUNDS or ours.taken != PLAYERS * ROUNDS:
        return f"{ours.taken} taken, {sum(stored.players)} stored of {PLAYERS * ROUNDS}"
    return ""
