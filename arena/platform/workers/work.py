"""Collect running and waiting work from the apps that register it.

Invariant: a source makes a constant number of queries, however much work there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from arena.celery import Queue


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job that a worker process is running. ``url``: the job's page; "" if that page is not public."""

    worker: str  # the worker's name in the lease
    what: str
    url: str
    kind: Queue
    game: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Backlog:
    """The work of one queue for one game.

    ``waiting``: number of waiting jobs; ``done``: number of jobs done since a given time; ``seconds``: their mean
    duration, None if unknown.
    """

    kind: Queue
    game: str
    waiting: int = 0
    done: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class WorkSource:
    """An app with jobs that workers run under leases.

    ``running_jobs``: returns the jobs in progress. ``backlog``: returns the backlogs of the app's queues, including the
    jobs done since the given time.
    """

    running_jobs: Callable[[], Iterable[RunningJob]]
    backlog: Callable[[datetime], Iterable[Backlog]]


_SOURCES: list[WorkSource] = []


def register(source: WorkSource) -> None:
    """Register a work source; each app with work calls this once, from ``AppConfig.ready``."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def running_jobs() -> list[RunningJob]:
    return [one for source in _SOURCES for one in source.running_jobs()]


def backlog(since: datetime) -> dict[tuple[Queue, str], Backlog]:
    """Return the backlogs of all sources, keyed by queue and game; ``since``: see ``WorkSource.backlog``."""
    found: dict[tuple[Queue, str], Backlog] = {}
    for source in _SOURCES:
        for one in source.backlog(since):
            key = (one.kind, one.game)
            found[key] = merge_backlogs(found[key], one) if key in found else one
    return found


def merge_backlogs(one: Backlog, other: Backlog) -> Backlog:
    """Merge two backlogs of one queue. The mean covers only work with a known duration."""
    timed = [each for each in (one, other) if each.seconds is not None and each.done]
    total = sum(each.done for each in timed)
    seconds = sum((each.seconds or 0.0) * each.done for each in timed) / total if total else None
    return Backlog(one.kind, one.game, one.waiting + other.waiting, one.done + other.done, seconds)


def expected_wait(*, waiting: int, busy: int, processes: int, seconds: float | None) -> float | None:
    """Return the expected wait for new work, in seconds; None if the queue is not served or the duration is unknown.

    Models one queue with several servers: with ``processes`` servers and a mean service time of ``seconds``, one of the
    servers becomes free every ``seconds / processes``; new work waits until everything ahead of it is being served.
    """
    if processes == 0:
        return None
    free = max(0, processes - busy)
    if waiting < free:
        return 0.0
    if seconds is None:
        return None
    return (waiting - free + 1) * seconds / processes
