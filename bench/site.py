"""Measure match durations, queue and database included, on a separate site: embedded broker, SQLite, one worker.

A thousand matches in a row also reveal memory leaks in the worker.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from arena.platform.parent_death import die_with_parent
from arena.platform.supervisor import children
from arena.platform.supervisor.launcher import allow_many_sockets
from arena.platform.supervisor.options import from_environment
from bench import fanout, fixtures, games, matches
from bench.measure import Sample, measure_interleaved, timed_subject
from bench.table import Comparison, Goal, GoalQuantity, Row, Section, Unit
from tests.broker import running_broker

MATCHES, EDGE = 1000, 100
TURNS, IN_A_ROW = 20, 20
SECONDS = 210.0  # time limit for all matches, on a busy machine
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    with running_broker() as broker:
        set_up_django(folder, broker.url)
        seats = seat_bots(games.pair_workload().bot())
        with (
            running_worker(folder, broker.url, "worker-scrimmages", 1) as process,
            fixtures.running_fork_server() as server,
        ):
            _play_one(seats)  # this match starts the worker's fork server
            bots = fixtures.create_bot_folder("pair", games.pair_workload().bot())
            single = measure_interleaved(
                {
                    "referee": timed_subject(
                        lambda: matches.play_without_faults(
                            games.pair_workload().spec(),
                            [fixtures.jailed_player(server, bots, fixtures.first_available_core()) for _ in seats],
                        )
                    ),
                    "one": timed_subject(lambda: _play_one(seats)),
                    "in a row": lambda: _play_in_a_row(seats),
                },
                TURNS,
                seconds=25,
            )
            run = _LongRun(seats, process)
            run.play()
    return _build_section(single, run)


def _build_section(single: dict[str, Sample], run: _LongRun) -> Section:
    alone = Comparison("baseline: the same match, referee alone", single["referee"])
    rows = [
        Row(f"{games.pair_workload().match}, from request to stored result on an idle site", single["one"], (alone,)),
        Row(
            f"each of {IN_A_ROW} in a row, from one result to the next",
            single["in a row"],
            (alone,),
            Goal(1.5, GoalQuantity.RATIO),
        ),
    ]
    failure = f"{run.count} of {MATCHES} played" if run.count < MATCHES else ""
    for name, sizes in run.memory.items():
        first, last = Sample(tuple(sizes[:EDGE])), Sample(tuple(sizes[-EDGE:]))
        comparisons = (Comparison(f"baseline: in the first {EDGE} matches", first),)
        what = f"memory of the {name}, last {EDGE} of {run.count} matches"
        rows.append(Row(what, last, comparisons, Goal(1.02, GoalQuantity.RATIO), Unit.MEGABYTES, failure))
    return Section("matches through queue and database, one worker", tuple(rows))


def set_up_django(folder: Path, broker_url: str) -> None:
    """Set up Django in this process for a new site."""
    os.environ.update(ARENA_VAR=str(folder), REDIS_URL=broker_url, DJANGO_SETTINGS_MODULE="arena.settings")
    for name in ("DATABASE_URL", "ARENA_ENV", "DEBUG"):
        os.environ.pop(name, None)
    os.environ["LOG_LEVEL"] = "ERROR"
    os.environ["LADDER"] = "off"  # idle workers must not affect the measurement
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def seat_bots(source: str) -> tuple[int, int]:
    """Create two bots with this source for the two-player benchmarks; return the ids of their checked submissions."""
    from arena.core.sandbox.uploads.package import read_package
    from arena.submissions import store
    from tests import factories

    package = read_package(source.encode(), "main.py")
    store.store_package(package)
    found = []
    for _ in range(2):
        bot = factories.bot(game=games.pair_workload().game)
        assert bot.active is not None
        bot.active.sha256 = package.sha256
        bot.active.save()
        found.append(bot.active.pk)
    return found[0], found[1]


@contextmanager
def running_worker(
    folder: Path, broker_url: str, name: str, processes: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the supervisor's worker with this name; ``processes``: the number of pool processes, if given."""
    options = from_environment({"ARENA_VAR": str(folder), "REDIS_URL": broker_url})
    specs = children.site_children(options, children.environment(options, os.environ))
    spec = next(spec for spec in specs if spec.name == name)
    command = list(spec.argv)
    if processes is not None:
        command[command.index("-c") + 1] = str(processes)
    output = folder / f"{name}.log"
    with output.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=fixtures.ROOT, env=spec.environment, stdout=log, stderr=log, preexec_fn=die_with_parent
        )
    try:
        yield process
    except BaseException:
        sys.stderr.write(output.read_text())
        raise
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def running_web(folder: Path, broker_url: str) -> Iterator[int]:
    """Run the web process as the supervisor does; yield its port."""
    port = fanout.free_port()
    options = from_environment({"ARENA_VAR": str(folder), "REDIS_URL": broker_url, "PORT": str(port)})
    specs = children.site_children(options, children.environment(options, os.environ))
    spec = next(spec for spec in specs if spec.name == "web")
    allow_many_sockets()
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(
            spec.argv, cwd=fixtures.ROOT, env=spec.environment, stdout=log, stderr=log, preexec_fn=die_with_parent
        )
    try:
        fanout.wait_for_port(port)
        yield port
    except BaseException:
        sys.stderr.write((folder / "web.log").read_text())
        raise
    finally:
        process.kill()
        process.wait()


def _request_matches(count: int, seats: tuple[int, int]) -> list[int]:
    from arena.matches.models import Purpose
    from arena.matches.services import MatchRequest, create_matches

    pair = games.pair_workload()
    request = MatchRequest(pair.game, dict(pair.settings), {}, 1, Purpose.SCRIMMAGE, seats)
    return create_matches([request] * count)


def _play_one(seats: tuple[int, int]) -> None:
    wait_until_finished(_request_matches(1, seats), 0.003)


def _play_in_a_row(seats: tuple[int, int]) -> list[float]:
    """Play many matches in a row; return the seconds between consecutive results."""
    from arena.matches.models import Match

    ids = _request_matches(IN_A_ROW, seats)
    wait_until_finished(ids, 0.02)
    times = Match.objects.filter(pk__in=ids).order_by("finished_at").values_list("finished_at", flat=True)
    return [(later - earlier).total_seconds() for earlier, later in pairwise(times) if later and earlier]


def wait_until_finished(ids: Sequence[int], pause: float) -> None:
    deadline = time.monotonic() + 60
    while _count_finished(ids) < len(ids):
        if time.monotonic() > deadline:
            raise TimeoutError("the worker plays no matches")
        time.sleep(pause)


def _count_finished(ids: Sequence[int]) -> int:
    from arena.matches.models import Match, MatchStatus

    return Match.objects.filter(pk__in=ids, status=MatchStatus.FINISHED).count()


class _LongRun:
    """Many matches in a row, with the worker's memory usage after each of them."""

    def __init__(self, seats: tuple[int, int], worker: subprocess.Popen[bytes]) -> None:
        self._seats, self._worker = seats, worker
        self._ids: list[int] = []
        self.count = 0
        self.memory: dict[str, list[float]] = {"worker process": [], "fork server": []}

    def play(self) -> None:
        self._ids = _request_matches(MATCHES, self._seats)
        (pool_process,) = _child_ids(self._worker.pid)
        processes = dict(zip(self.memory, (pool_process, _fork_server_id(pool_process)), strict=True))
        deadline = time.monotonic() + SECONDS
        while self.count < MATCHES and time.monotonic() < deadline:
            time.sleep(0.2)
            done = _count_finished(self._ids)
            for name, process in processes.items():
                self.memory[name] += [_resident_megabytes(process)] * (done - self.count)
            self.count = done
        if self.count < 2:
            raise TimeoutError("the worker plays no matches")


def _child_ids(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _fork_server_id(pool_process: int) -> int:
    """Return the id of the process that forks the bots.

    If namespaces are in use, it is the pool process's only grandchild.
    """
    (started,) = _child_ids(pool_process)
    return next(iter(_child_ids(started)), started)


def _resident_megabytes(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_MB
