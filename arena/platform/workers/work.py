"""Collect running and waiting work from the apps that register it.

Invariant: a source asks the database a constant number of questions, however much there is to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from arena.celery import Queue


@dataclass(frozen=True, slots=True)
class Playing:
    """One piece of work that a worker process does now. ``url`` is "" where its page is not for everybody."""

    worker: str  # the name in its lease
    what: str
    url: str
    kind: Queue
    game: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Backlog:
    """One queue: what waits, what was done since a given moment, and the mean seconds it took (None: unknown)."""

    kind: Queue
    game: str
    waiting: int = 0
    done: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class WorkSource:
    """An app whose work is leased: what is done now, and its queues with what was done since a given moment."""

    playing: Callable[[], Iterable[Playing]]
    backlog: Callable[[datetime], Iterable[Backlog]]


_SOURCES: list[WorkSource] = []


def register(source: WorkSource) -> None:
    """Called once by an app that owns work, when it is ready."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def playing() -> list[Playing]:
    return [one for source in _SOURCES for one in source.playing()]


def backlog(since: datetime) -> dict[tuple[Queue, str], Backlog]:
    """By kind and game, what all sources say together."""
    found: dict[tuple[Queue, str], Backlog] = {}
    for source in _SOURCES:
        for one in source.backlog(since):
            key = (one.kind, one.game)
            found[key] = together(found[key], one) if key in found else one
    return found


def together(one: Backlog, other: Backlog) -> Backlog:
    """Two backlogs of one queue; the mean is over what has a duration."""
    timed = [each for each in (one, other) if each.seconds is not None and each.done]
    total = sum(each.done for each in timed)
    seconds = sum((each.seconds or 0.0) * each.done for each in timed) / total if total else None
    return Backlog(one.kind, one.game, one.waiting + other.waiting, one.done + other.done, seconds)


def expected_wait(*, waiting: int, busy: int, processes: int, seconds: float | None) -> float | None:
    """Seconds that new work waits for a worker; None where nobody serves the queue, or nothing tells how long it takes.

    The rule of one line before several counters: with ``processes`` counters and a mean of ``seconds`` at each,
    somebody leaves a counter every ``seconds / processes``; the newcomer goes to the one that is left after all ahead.
    """
    if processes == 0:
        return None
    free = max(0, processes - busy)
    if waiting < free:
        return 0.0
    if seconds is None:
        return None
    return (waiting - free + 1) * seconds / processes
