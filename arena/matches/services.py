"""Create, release, cancel and void matches, and wake workers for them.

Invariants: a match is created in its caller's transaction and announced on commit; a match is ended by a conditional
UPDATE, so a match never has both a result and a cancellation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from arena.celery import Queue, queue_of
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.matches import failures
from arena.matches.broadcast import supersede_attempt
from arena.matches.callbacks import callbacks_of
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import WakeUp
from arena.platform.jobs.fair_share import SharedQueue, claimable_rows, concurrency_limit, person_party
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, JobQueue, Lease
from arena.platform.jobs.stalled import StallDetector
from arena.platform.workers.queries import processes_for

JOBS = JobQueue(Match, MatchStatus.QUEUED, MatchStatus.RUNNING)
QUEUES = {
    Purpose.SCRIMMAGE: Queue.SCRIMMAGES,
    Purpose.TOURNAMENT: Queue.MATCHES,
    Purpose.LADDER: Queue.LADDER,
    Purpose.DUEL: Queue.DUELS,
    Purpose.VERSION_TEST: Queue.LADDER,
}
PLAY_TASK = "arena.matches.tasks.play"
DUEL_TASK = "arena.play.tasks.play"
# A match of these kinds may occupy a process for a quarter of an hour or longer, so no party gets all of a queue's
# processes.
_LONG = (Purpose.SCRIMMAGE, Purpose.DUEL)
# The purposes that take turns on the same processes: otherwise many matches for one purpose would delay the other.
_SHARES_PROCESSES_WITH = {Purpose.LADDER: Purpose.VERSION_TEST, Purpose.VERSION_TEST: Purpose.LADDER}
UNFINISHED = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING)
# Matches whose result, or end as void, may be about to be stored. That transaction locks the match first and then what
# the match belongs to, such as its tournament; a transaction that has locked the tournament must not update them.
ENDING: Final = Q(status=MatchStatus.RUNNING) | Q(status=MatchStatus.QUEUED, attempts__gte=MAX_ATTEMPTS)


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A match to create.

    ``submissions``: the submissions in seat order; None for a person (``requested_by``) or a guest. ``clock``: a
    person's total time for all moves, in seconds. ``requested_by``: the id of the user who requested the match, such
    as the person who plays or the organizer.
    """

    game: str
    settings: dict[str, object]
    limits: dict[str, object]
    seed: int
    purpose: Purpose
    submissions: tuple[int | None, ...]
    requested_by: int | None = None
    withheld: bool = False
    audience: int | None = None  # the class whose members may see it; None: public
    clock: int | None = None
    party: str | None = None  # the party whose fair share it counts towards; None: that of ``requested_by``


@transaction.atomic(savepoint=False)
def create_matches(requests: Sequence[MatchRequest], *, planned: bool = False) -> list[int]:
    """Create matches and return their ids. Planned matches wait for ``release``.

    Runs two bulk inserts in total, in the caller's transaction if there is one. Seats are inserted in the same
    transaction as their match, because a worker may claim the match immediately.
    """
    status = MatchStatus.PLANNED if planned else MatchStatus.QUEUED
    matches = Match.objects.bulk_create(
        [
            Match(
                game=request.game,
                settings=request.settings,
                limits=request.limits,
                seed=request.seed,
                purpose=request.purpose,
                status=status,
                requested_by_id=request.requested_by,
                party=person_party(request.requested_by) if request.party is None else request.party,
                withheld=request.withheld,
                audience_id=request.audience,
            )
            for request in requests
        ]
    )
    Seat.objects.bulk_create(
        _seat(match, request, index, submission)
        for match, request in zip(matches, requests, strict=True)
        for index, submission in enumerate(request.submissions)
    )
    if not planned:
        transaction.on_commit(partial(wake, [match.pk for match in matches]))
    return [match.pk for match in matches]


def _seat(match: Match, request: MatchRequest, index: int, submission: int | None) -> Seat:
    if submission is not None:
        return Seat(match=match, index=index, submission_id=submission)
    return Seat(match=match, index=index, person_id=request.requested_by, clock=request.clock)


def release(match_ids: Sequence[int]) -> int:
    """Queue planned matches, and wake workers on commit; return how many were still planned."""
    changed = Match.objects.filter(pk__in=match_ids, status=MatchStatus.PLANNED).update(status=MatchStatus.QUEUED)
    transaction.on_commit(partial(wake, list(match_ids)))
    return changed


def undo_release(match_ids: Sequence[int]) -> int:
    """Undo ``release``: unclaimed queued matches become planned again. Return how many.

    Matches that have used up their attempts stay queued until they become void.
    """
    queued = Match.objects.filter(~ENDING, pk__in=match_ids, status=MatchStatus.QUEUED)
    return queued.update(status=MatchStatus.PLANNED, woken_at=None)


def wake(match_ids: Iterable[int]) -> None:
    """Wake workers for the given matches that are still waiting."""
    MATCHES.wake(match_ids)


def _wake_ups(match_ids: list[int]) -> list[WakeUp]:
    rows = Match.objects.filter(pk__in=match_ids, status=MatchStatus.QUEUED).order_by("pk")
    return [
        WakeUp(DUEL_TASK if purpose == Purpose.DUEL else PLAY_TASK, pk, queue_of(QUEUES[Purpose(purpose)], game))
        for pk, purpose, game in rows.values_list("pk", "purpose", "game")
    ]


def shared_queue(purpose: str, *, now: datetime) -> SharedQueue:
    """Return the queue of matches that share worker processes: all matches with this purpose, for all games.

    A match whose worker died, or stopped in the middle of it, is claimed before all others. A match that failed because
    of the arena is requeued without that priority, so that it neither uses up its attempts nor delays others while the
    failure lasts. If matches may take a long time, one process remains free for other people. The number of processes
    is the last number that workers reported; if it is temporarily wrong, matches are only delayed.
    """
    was_interrupted = Q(started_at__isnull=False, failure__isnull=True)
    max_running = None
    if purpose in _LONG:
        max_running = concurrency_limit(processes_for(QUEUES[Purpose(purpose)], now=now))
    return SharedQueue(JOBS, Q(purpose=purpose), before_turns=was_interrupted, max_running=max_running)


def claims_in_turn(
    match_id: int, *, worker: str, games: Callable[[Queue], Collection[str]]
) -> Callable[[], Lease | None]:
    """Return a function that claims the next match on each call; it returns None if there is nothing to claim.

    ``match_id``: the match for which the worker was woken; ``games``: returns the games that the worker serves in a
    queue.
    """
    row = Match.objects.filter(pk=match_id).values_list("purpose", "game").first()
    if row is None:
        return lambda: None
    purpose, woken = Purpose(row[0]), row[1]
    queues = [shared_queue(one, now=timezone.now()) for one in (purpose, _SHARES_PROCESSES_WITH.get(purpose)) if one]
    claims = [
        MATCHES.claims_in_turn(
            match_id, queue, worker=worker, game="game", woken=woken, games=games(QUEUES[purpose]), spent=number > 0
        )
        for number, queue in enumerate(queues)
    ]
    return claims[0] if len(claims) == 1 else _alternate_claims(*claims)


def _alternate_claims(
    first: Callable[[], Lease | None], second: Callable[[], Lease | None]
) -> Callable[[], Lease | None]:
    """Return a function that alternates between two claim functions, and tries the other if one claims nothing."""
    order = [first, second]

    def claim() -> Lease | None:
        for _ in range(2):
            found = order[0]()
            order.reverse()
            if found is not None:
                return found
        return None

    return claim


def wake_next(purpose: str) -> None:
    """Wake a worker for the next match after a match with this purpose has ended.

    The next match may still be waiting because, when it was queued, its requester already had the maximum number of
    running matches: the wake-up that was sent then had no effect.
    """
    queue = shared_queue(purpose, now=timezone.now())
    if queue.max_running is not None:
        wake(claimable_rows(queue).values_list("pk", flat=True)[:1])


def cancel(match_ids: Sequence[int]) -> int:
    """Cancel unfinished matches; return how many. Workers drop cancelled matches at their next heartbeat."""
    return MATCHES.cancel(match_ids, UNFINISHED, status=MatchStatus.CANCELLED, finished_at=timezone.now())


def requeue_void(match_id: int) -> bool:
    """Requeue a void match with new attempts; return False if it is not void."""
    with transaction.atomic():
        void = Match.objects.filter(pk=match_id, status=MatchStatus.VOID)
        return bool(MATCHES.retry(void, started_at=None, finished_at=None))


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue matches whose workers have died, or void them after the last attempt; wake workers for waiting matches.

    Return the number of matches for which workers were woken.
    """
    return MATCHES.sweep(detector, now=now)


def _on_void(match_id: int) -> None:
    purpose = Match.objects.values_list("purpose", flat=True).get(pk=match_id)
    Match.objects.filter(pk=match_id).update(failure=failures.record_void(match_id))
    callbacks = callbacks_of(purpose)
    if callbacks is not None:
        callbacks.void(match_id)


MATCHES = JobKind(
    JOBS,
    _wake_ups,
    claimed=lambda now: {"started_at": Coalesce("started_at", Value(now))},
    given_up=lambda now: {"status": MatchStatus.VOID, "finished_at": now},
    endings=Endings(failures=(RefereeFailure,), stopped=(MatchStopped,), reason=failures.record_failure),
    on_given_up=_on_void,
    on_stalled=failures.record_lost,
    publish=supersede_attempt,
)
