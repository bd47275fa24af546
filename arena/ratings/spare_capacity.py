"""The workers' spare capacity, which the ladder and version tests use.

Workers are idle if there is no waiting work that a worker could take now, and no work is about to be released.
Therefore, workers can be idle while a tournament has reached its own limit on parallel matches or is waiting for the
end of a round, or while a person is waiting for their scrimmage to end. The ladder also needs free processes.

Invariants: everything here runs a constant number of queries. Work for a game that no worker serves does not keep
workers from the ladder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from arena.celery import Queue, queue_of
from arena.matches.models import Purpose
from arena.matches.services import shared_queue
from arena.platform.jobs.fair_share import claimable_rows
from arena.platform.workers.queries import Overview, QueueRow, ServiceLevel, WorkerState, overview

# Returns whether a higher-level app will soon need workers, given the games whose tournament matches are served.
Claim: TypeAlias = Callable[[Collection[str]], bool]
_CLAIMS: list[Claim] = []


@dataclass(frozen=True, slots=True)
class SpareCapacity:
    """The capacity of workers that no other work needs.

    ``is_waiting``: work is waiting for a worker. ``is_short``: the work has waited longer than a free process would
    need to notice it, so no process is free. ``is_claimed``: a higher-level app will need workers soon.

    ``free``: for each game, the idle processes that serve its ladder, minus those that waiting ladder matches will
    occupy; a process that serves several games counts for each of them. ``served``: the games whose ladder is served by
    any worker.
    """

    is_waiting: bool
    is_short: bool
    is_claimed: bool
    free: Mapping[str, int]
    served: frozenset[str]

    @property
    def is_idle(self) -> bool:
        return not self.is_waiting and not self.is_claimed


def register(claim: Claim) -> None:
    """Register a function that returns whether a higher-level app will soon need workers; called once by that app."""
    if claim not in _CLAIMS:
        _CLAIMS.append(claim)


def unregister(claim: Claim) -> None:
    _CLAIMS.remove(claim)


def measure_spare_capacity(now: datetime) -> SpareCapacity:
    found = overview(now=now)
    # A queued duel waits for another person's match to end, whatever the ladder does, and a hint takes only two
    # seconds. Analyses have their own worker; their app claims capacity while a requested one is running.
    elsewhere = (Queue.LADDER, Queue.DUELS, Queue.HINTS, Queue.ANALYSIS)
    served = [line for line in found.queues if line.service is ServiceLevel.SERVED]
    others = {line: line.waiting for line in served if line.kind not in elsewhere}
    others |= _claimable_scrimmages([line for line in others if line.waiting], now)
    games = frozenset(line.game for line in served if line.kind == Queue.MATCHES)
    ladders = [line for line in found.queues if line.kind == Queue.LADDER]
    return SpareCapacity(
        is_waiting=any(others.values()),
        is_short=any(waiting > _free_processes(found, line.kind, line.game) for line, waiting in others.items()),
        is_claimed=any(claim(games) for claim in _CLAIMS),
        free={line.game: _free_processes(found, line.kind, line.game) - line.waiting for line in ladders},
        served=frozenset(line.game for line in served if line.kind == Queue.LADDER),
    )


def _claimable_scrimmages(waiting: Collection[QueueRow], now: datetime) -> dict[QueueRow, int]:
    """Return how many scrimmages in each queue can start now.

    Scrimmages that wait for another one by the same person to finish are excluded.
    """
    lines = [line for line in waiting if line.kind == Queue.SCRIMMAGES]
    if not lines:
        return {}
    games = Counter(claimable_rows(shared_queue(Purpose.SCRIMMAGE, now=now)).values_list("game", flat=True))
    return {line: games[line.game] for line in lines}


def _free_processes(found: Overview, kind: Queue, game: str) -> int:
    takes = queue_of(kind, game)
    ready = [worker for worker in found.workers if worker.state == WorkerState.READY and takes in worker.queues]
    return sum(max(0, worker.concurrency - len(worker.playing)) for worker in ready)
