"""Spare capacity of the workers, which the ladder uses.

Invariants: everything here takes a constant number of queries. Work that no worker serves, because of its game, does
not keep other workers from the ladder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from arena.celery import Queue, queue_of
from arena.platform.workers.queries import Overview, Service, WorkerState, overview

# Returns whether an app above will soon need workers, given the games whose tournament matches are served.
Claim: TypeAlias = Callable[[Collection[str]], bool]
_CLAIMS: list[Claim] = []


@dataclass(frozen=True, slots=True)
class SpareCapacity:
    """The capacity of workers that no other work needs.

    ``is_waiting``: work is waiting for a worker. ``is_short``: it has waited longer than a free process needs to
    notice, so none is free. ``is_claimed``: a higher-level app will need workers soon.

    ``free``: by game, the idle processes that serve its ladder, less those that waiting ladder matches will occupy. A
    process that serves several games counts for each of them. ``served``: the games whose ladder some worker serves.
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
    """Register a check for matches that are about to be released; called once by a higher-level app."""
    if claim not in _CLAIMS:
        _CLAIMS.append(claim)


def unregister(claim: Claim) -> None:
    _CLAIMS.remove(claim)


def measure(now: datetime) -> SpareCapacity:
    found = overview(now=now)
    # A person who waits for a place waits for another person, whatever the ladder does, and a hint takes two seconds.
    # Analyses have their own worker; their app claims capacity while one is running.
    elsewhere = (Queue.LADDER, Queue.DUELS, Queue.HINTS, Queue.ANALYSIS)
    served = [line for line in found.queues if line.service is Service.SERVED]
    others = [line for line in served if line.kind not in elsewhere]
    played = frozenset(line.game for line in served if line.kind == Queue.MATCHES)
    ladders = [line for line in found.queues if line.kind == Queue.LADDER]
    return SpareCapacity(
        is_waiting=any(line.waiting for line in others),
        is_short=any(line.waiting > _free(found, line.kind, line.game) for line in others),
        is_claimed=any(claim(played) for claim in _CLAIMS),
        free={line.game: _free(found, line.kind, line.game) - line.waiting for line in ladders},
        served=frozenset(line.game for line in served if line.kind == Queue.LADDER),
    )


def _free(found: Overview, kind: Queue, game: str) -> int:
    takes = queue_of(kind, game)
    ready = [worker for worker in found.workers if worker.state == WorkerState.READY and takes in worker.queues]
    return sum(max(0, worker.concurrency - len(worker.playing)) for worker in ready)
