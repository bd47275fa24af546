"""Creating matches, waking workers for them, cancelling and voiding them.

Invariants: a match is created in its caller's transaction and announced on commit; whoever ends
a match does it by a conditional UPDATE, so a result and a cancellation never both happen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from arena.celery import Queue, queue_of
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.matches import failures
from arena.matches.broadcast import announce
from arena.matches.callbacks import callbacks_of
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import WakeUp
from arena.platform.jobs.fair_share import SharedQueue, claimable, most_beside_others, person_party
from arena.platform.jobs.kind import JobKind
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, JobQueue, Lease, StalledJob, exhausted
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
# One of them may hold a process for a quarter of an hour and longer, so nobody holds all processes of their queue.
_LONG = (Purpose.SCRIMMAGE, Purpose.DUEL)
UNFINISHED = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A match to be played: the submissions in the order of their seats; asked for by a person or an organizer.

    ``submissions``: None where a person sits, who is ``requested_by``, or a guest; they play by ``clock``, in seconds.
    """

    game: str
    settings: dict[str, object]
    limits: dict[str, object]
    seed: int
    purpose: Purpose
    submissions: tuple[int | None, ...]
    requested_by: int | None = None
    withheld: bool = False
    audience: int | None = None  # the class whose members alone may see it
    clock: int | None = None
    party: str | None = None  # whose share of the workers it counts for; None: that of ``requested_by``


@transaction.atomic(savepoint=False)
def create_matches(requests: Sequence[MatchRequest], *, planned: bool = False) -> list[int]:
    """Create matches in a transaction, the caller's if there is one; planned ones wait for ``release``.

    Two bulk inserts in all. A worker that is awake may claim a match as soon as it is there: its seats are, too.
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
    """Queue planned matches and wake workers on commit; returns how many were still planned."""
    changed = Match.objects.filter(pk__in=match_ids, status=MatchStatus.PLANNED).update(status=MatchStatus.QUEUED)
    transaction.on_commit(partial(wake, list(match_ids)))
    return changed


def hold(match_ids: Sequence[int]) -> int:
    """The inverse of ``release``: queued matches that no worker has claimed wait again for their turn."""
    return Match.objects.filter(pk__in=match_ids, status=MatchStatus.QUEUED).update(
        status=MatchStatus.PLANNED, woken_at=None
    )


def wake(match_ids: Iterable[int]) -> None:
    """Wake workers for those that wait."""
    MATCHES.wake(match_ids)


def _wake_ups(match_ids: list[int]) -> list[WakeUp]:
    rows = Match.objects.filter(pk__in=match_ids, status=MatchStatus.QUEUED).order_by("pk")
    return [
        WakeUp(DUEL_TASK if purpose == Purpose.DUEL else PLAY_TASK, pk, queue_of(QUEUES[Purpose(purpose)], game))
        for pk, purpose, game in rows.values_list("pk", "purpose", "game")
    ]


def shared_queue(purpose: str) -> SharedQueue:
    """The matches that share processes: those of one purpose, of whatever game.

    A match that lost its worker does not queue a second time. One that failed by our own fault does, or its attempts
    would be used up while the fault lasts. Where matches may take long, one process stays free for other people. How
    many there are is what workers last said; a number that is wrong for a moment delays somebody, and loses nothing.
    """
    lost_its_worker = Q(attempts__gt=0, attempts__lt=MAX_ATTEMPTS, failure="")
    most_running = None
    if purpose in _LONG:
        most_running = most_beside_others(processes_for(QUEUES[Purpose(purpose)], now=timezone.now()))
    return SharedQueue(JOBS, Q(purpose=purpose), before_turns=lost_its_worker, most_running=most_running)


def claims_in_turn(
    match_id: int, *, worker: str, games: Callable[[Queue], Collection[str]]
) -> Callable[[], Lease | None]:
    """For a worker that was woken for this match: claims the one whose turn it is, at each call; None where none waits.

    ``games``: those that the worker takes.
    """
    purpose = Match.objects.filter(pk=match_id).values_list("purpose", flat=True).first()
    if purpose is None:
        return lambda: None
    return MATCHES.claims_in_turn(
        match_id,
        shared_queue(purpose),
        worker=worker,
        game="game",
        games=games(QUEUES[Purpose(purpose)]),
    )


def wake_next(purpose: str) -> None:
    """Wake a worker for what may run now that a match of this purpose has ended.

    A wake-up for somebody who already ran as much as one person may was spent while they waited.
    """
    queue = shared_queue(purpose)
    if queue.most_running is not None:
        wake(claimable(queue).values_list("pk", flat=True)[:1])


def cancel(match_ids: Sequence[int]) -> int:
    """Cancel what has not ended; a worker that plays one of them drops it at its next heartbeat."""
    with transaction.atomic():
        affected = list(Match.objects.filter(pk__in=match_ids, status__in=UNFINISHED).values_list("pk", "fence"))
        changed = Match.objects.filter(pk__in=[pk for pk, _ in affected], status__in=UNFINISHED).update(
            status=MatchStatus.CANCELLED, finished_at=timezone.now(), lease_until=None
        )
        for pk, fence in affected:
            transaction.on_commit(partial(announce, pk, fence, {"type": "cancelled"}))
    return changed


def requeue_void(match_id: int) -> bool:
    """Play a void match again with fresh attempts; False where it is not void."""
    with transaction.atomic():
        return bool(MATCHES.retry(Match.objects.filter(pk=match_id, status=MatchStatus.VOID), finished_at=None))


def void_exhausted(*, now: datetime) -> int:
    """Void what three attempts of ours could not play; nobody loses a point by it."""
    return MATCHES.give_up(now=now)


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue matches of dead workers, void what cannot be played, and wake others for what waits."""
    return MATCHES.sweep(detector, now=now)


def _on_void(match_id: int) -> None:
    fence, purpose = Match.objects.values_list("fence", "purpose").get(pk=match_id)
    Match.objects.filter(pk=match_id).update(failure=failures.record_void(match_id))
    callbacks = callbacks_of(purpose)
    if callbacks is not None:
        callbacks.void(match_id)
    transaction.on_commit(partial(announce, match_id, fence, {"type": "void"}))


def _on_stalled(stalled: StalledJob) -> None:
    failures.record_lost(stalled)
    _announce_requeued(stalled)


def _announce_requeued(attempt: StalledJob | Lease) -> None:
    """Not after the last attempt: the match is void at once then, and both events would have one number."""
    if exhausted(JOBS).filter(pk=attempt.pk).exists():
        return
    transaction.on_commit(partial(announce, attempt.pk, attempt.fence, {"type": "requeued"}))


MATCHES = JobKind(
    JOBS,
    _wake_ups,
    claimed=lambda now: {"started_at": Coalesce("started_at", Value(now))},
    given_up=lambda now: {"status": MatchStatus.VOID, "finished_at": now},
    endings=Endings(
        failures=(RefereeFailure,), stopped=(MatchStopped,), reason=failures.record, released=_announce_requeued
    ),
    on_given_up=_on_void,
    on_requeued=_on_stalled,
)
