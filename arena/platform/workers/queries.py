"""Read-only queries about workers and queues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import QuerySet

from arena.celery import JAILED, PER_GAME, Queue, queue_of, runs_bots
from arena.core.sandbox.status import SandboxStatus
from arena.games.registry import GAMES
from arena.platform.workers import work
from arena.platform.workers.models import Worker
from arena.platform.workers.services import OFFLINE_AFTER
from arena.platform.workers.work import Backlog, RunningJob, expected_wait

# Period for measuring matches per minute and match durations.
BACKLOG_WINDOW = timedelta(minutes=5)


class WorkerState(StrEnum):
    """A worker's state, which determines what happens to new work that it receives."""

    READY = "ready"  # processes new work
    TESTING = "testing"  # processes new work if the sandbox self-test that it has just started succeeds
    REFUSES = "refuses"  # leaves new work to other workers, because it cannot run bots
    DRAINING = "draining"  # leaves new work to other workers, because it is draining
    OFFLINE = "offline"  # receives no work, because it has died or is disconnected


class ServiceLevel(StrEnum):
    """The level of service that workers provide for a queue."""

    SERVED = "served"
    NO_WORKER = "no_worker"  # no worker for bots is running
    OTHER_GAMES = "other_games"  # there are workers, but none labelled for this game
    REFUSED = "refused"  # the workers labelled for it cannot run bots
    DRAINING = "draining"  # the workers labelled for it are draining


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker in a list; ``number`` identifies it for readers who must not see its host."""

    number: int
    name: str
    state: WorkerState
    queues: tuple[str, ...]
    games: tuple[str, ...]
    concurrency: int
    version: str
    started_at: datetime
    silent_seconds: float
    is_draining: bool  # is draining, or was asked to drain
    refused: str
    sandbox: SandboxStatus | None
    playing: tuple[RunningJob, ...] = ()

    @property
    def kinds(self) -> tuple[Queue, ...]:
        """Return the kinds of work that the worker does."""
        return tuple(kind for kind in Queue if any(name.partition(".")[0] == kind for name in self.queues))

    @property
    def runs_bots(self) -> bool:
        return any(kind in JAILED for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """The state of one queue: its length, its throughput, and the expected wait for new work (None if unknown)."""

    kind: Queue
    game: str
    service: ServiceLevel
    processes: int
    playing: int
    waiting: int
    per_minute: float
    wait_seconds: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """A snapshot of all workers and queues."""

    workers: tuple[WorkerRow, ...]
    queues: tuple[QueueRow, ...]

    @property
    def live_workers(self) -> tuple[WorkerRow, ...]:
        return tuple(worker for worker in self.workers if worker.state != WorkerState.OFFLINE)

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the code versions of the live workers."""
        return tuple(sorted({worker.version for worker in self.live_workers}))


def worker_rows(*, now: datetime) -> list[WorkerRow]:
    """Return every registered worker, without its current matches. Runs one query."""
    return [_worker_row(row, now) for row in Worker.objects.all()]


def overview(*, now: datetime) -> Overview:
    """Return the workers and queues. Runs a constant number of queries."""
    done = work.running_jobs()
    lines = [replace(line, playing=_jobs_of_worker(line, done)) for line in worker_rows(now=now)]
    backlog = work.backlog(now - BACKLOG_WINDOW)
    queues = [
        _queue_row(backlog.get((kind, game), Backlog(kind, game)), lines, done) for kind in PER_GAME for game in GAMES
    ]
    return Overview(tuple(lines), tuple(queues))


def _accepting(now: datetime) -> QuerySet[Worker, tuple[int, list[str]]]:
    """Return the concurrency and the queues of each worker that accepts new work."""
    there = Worker.objects.filter(
        heartbeat_at__gte=now - OFFLINE_AFTER, draining=False, drain_asked_at=None, refused=""
    )
    return there.values_list("concurrency", "queues")


def processes_and_games(kind: Queue, *, game: str, now: datetime) -> tuple[int, set[str]]:
    """Return how many processes accept this kind of work for a game, and all games whose work they accept.

    Runs one query.
    """
    serving = [row for row in _accepting(now) if queue_of(kind, game) in row[1]]
    games = {name for name in GAMES for _, queues in serving if queue_of(kind, name) in queues}
    return sum(processes for processes, _ in serving), games


def processes_for(kind: Queue, *, game: str = "", now: datetime) -> int:
    """Return how many processes accept this kind of work for a game ("" means any game). Runs one query."""
    rows = _accepting(now)
    if game:
        return sum(processes for processes, queues in rows if queue_of(kind, game) in queues)
    return sum(processes for processes, queues in rows if any(name.partition(".")[0] == kind for name in queues))


def service_for_game(kind: Queue, game: str, *, now: datetime) -> ServiceLevel:
    """Return the level of service that workers provide for this kind of work and game. Runs one query."""
    return best_service(worker_rows(now=now), kind, game)


def best_service(lines: Iterable[WorkerRow], kind: Queue, game: str) -> ServiceLevel:
    """Return the best level of service that these workers provide for this kind of work and game."""
    able = [line for line in lines if line.runs_bots or kind not in JAILED]
    living = [line for line in able if line.state != WorkerState.OFFLINE]
    labelled = {line.state for line in living if queue_of(kind, game) in line.queues}
    if labelled & {WorkerState.READY, WorkerState.TESTING}:
        return ServiceLevel.SERVED
    if WorkerState.REFUSES in labelled:
        return ServiceLevel.REFUSED
    if WorkerState.DRAINING in labelled:
        return ServiceLevel.DRAINING
    return ServiceLevel.OTHER_GAMES if living else ServiceLevel.NO_WORKER


def _worker_row(row: Worker, now: datetime) -> WorkerRow:
    return WorkerRow(
        number=row.pk,
        name=str(row),
        state=_state(row, now),
        queues=tuple(row.queues),
        games=tuple(row.games),
        concurrency=row.concurrency,
        version=row.version,
        started_at=row.started_at,
        silent_seconds=max(0.0, (now - row.heartbeat_at).total_seconds()),
        is_draining=row.draining or row.drain_asked_at is not None,
        refused=row.refused,
        sandbox=_sandbox(row),
    )


def _sandbox(row: Worker) -> SandboxStatus | None:
    """Parse a sandbox report; None if there is none, or if it comes from a worker with older or newer code."""
    try:
        return SandboxStatus.from_json(row.sandbox) if row.sandbox else None
    except (KeyError, ValueError):
        return None


def _state(row: Worker, now: datetime) -> WorkerState:
    if row.heartbeat_at < now - OFFLINE_AFTER:
        return WorkerState.OFFLINE
    if row.draining or row.drain_asked_at is not None:
        return WorkerState.DRAINING
    if row.refused:
        return WorkerState.REFUSES
    if row.sandbox is None and any(runs_bots(name) for name in row.queues):
        return WorkerState.TESTING
    return WorkerState.READY


def _jobs_of_worker(line: WorkerRow, done: Sequence[RunningJob]) -> tuple[RunningJob, ...]:
    """Select the jobs of this worker's pool processes, whose names in leases begin with the worker's name."""
    return tuple(one for one in done if one.worker.startswith(f"{line.name}:"))


def _queue_row(backlog: Backlog, lines: Sequence[WorkerRow], done: Sequence[RunningJob]) -> QueueRow:
    name = queue_of(backlog.kind, backlog.game)
    takes = (WorkerState.READY, WorkerState.TESTING)
    serving = [line for line in lines if line.state in takes and name in line.queues]
    processes = sum(line.concurrency for line in serving)
    return QueueRow(
        kind=backlog.kind,
        game=backlog.game,
        service=best_service(lines, backlog.kind, backlog.game),
        processes=processes,
        playing=sum((one.kind, one.game) == (backlog.kind, backlog.game) for one in done),
        waiting=backlog.waiting,
        per_minute=backlog.done / (BACKLOG_WINDOW.total_seconds() / 60),
        wait_seconds=expected_wait(
            waiting=backlog.waiting,
            busy=sum(len(line.playing) for line in serving),
            processes=processes,
            seconds=backlog.seconds,
        ),
    )
