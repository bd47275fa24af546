"""Whether workers have nothing better to do than the ladder.

Invariant: nothing of this asks more than a constant number of questions of the database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.celery import Queue, queue_of
from arena.fleet.queries import Fleet, Service, WorkerState, fleet

_CLAIMS: list[Callable[[], bool]] = []


@dataclass(frozen=True, slots=True)
class Room:
    """``is_waiting``: somebody waits for a worker. ``is_short``: for longer than a free process takes to notice,
    because there is none. ``is_claimed``: an app above needs them in a moment.

    ``free``: by game, how many processes that would take its ladder have nothing to do, those that are spoken for
    by waiting ladder matches left out. A process that takes several games counts for each. ``served``: the games
    whose ladder some worker takes.
    """

    is_waiting: bool
    is_short: bool
    is_claimed: bool
    free: Mapping[str, int]
    served: frozenset[str]

    @property
    def is_idle(self) -> bool:
        return not self.is_waiting and not self.is_claimed


def register(claim: Callable[[], bool]) -> None:
    """Called once by an app above that holds back matches: whether it has some to release."""
    if claim not in _CLAIMS:
        _CLAIMS.append(claim)


def unregister(claim: Callable[[], bool]) -> None:
    _CLAIMS.remove(claim)


def room(now: datetime) -> Room:
    found = fleet(now=now)
    # A person who waits for a place waits for another person, whatever the ladder does. An analysis has a worker of
    # its own; that one is under way is a claim of its app.
    others = [line for line in found.queues if line.kind not in (Queue.LADDER, Queue.DUELS, Queue.ANALYSIS)]
    ladders = [line for line in found.queues if line.kind == Queue.LADDER]
    return Room(
        is_waiting=any(line.waiting for line in others),
        is_short=any(line.waiting > _free(found, line.kind, line.game) for line in others),
        is_claimed=any(claim() for claim in _CLAIMS),
        free={line.game: _free(found, line.kind, line.game) - line.waiting for line in ladders},
        served=frozenset(line.game for line in ladders if line.service is Service.SERVED),
    )


def _free(found: Fleet, kind: Queue, game: str) -> int:
    takes = queue_of(kind, game)
    ready = [worker for worker in found.workers if worker.state == WorkerState.READY and takes in worker.queues]
    return sum(max(0, worker.concurrency - len(worker.playing)) for worker in ready)
