"""Combine a job model with its app's hooks into the life cycle of its rows.

MATCHES = JobKind(JobQueue(Match, "queued", "running"), wake_ups=..., given_up=..., endings=Endings(...))

MATCHES.wake(pks)                     # after the commit that made rows wait
claim = MATCHES.claims_in_turn(...)   # on a worker that was woken
MATCHES.run_job(claim(), work)        # work(stop) stores its result under the lease
REPORTS.run_batch(pk, queue, work)    # claim and work in one call, for a kind with a single queue
MATCHES.retry(rows)                   # a person retries given-up jobs
MATCHES.cancel(pks, unfinished, ...)  # a person cancels jobs
MATCHES.sweep(detector, now=now)      # every few seconds
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.platform.jobs import attempt, lifecycle
from arena.platform.jobs.announcer import Announcer, PublishEnd
from arena.platform.jobs.attempt import Endings, Work
from arena.platform.jobs.dispatcher import WAKE_INTERVAL, Dispatcher, WakeUps
from arena.platform.jobs.fair_share import Claims, SharedQueue
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, JobQueue, Lease, StalledJob
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.sweep import give_up, requeue_stalled


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job.

    ``wake_ups`` returns the messages for the rows with these ids, except for rows that no longer need a worker.
    ``claimed`` and ``given_up`` return values for the model's own columns: ``claimed`` for a row that is being claimed,
    ``given_up`` for a row that has used up all attempts. ``on_stalled`` is called for a row that is requeued because
    its worker died, ``on_requeued`` for such a row and for a row that its worker released; these two and
    ``on_given_up`` are called in the transaction of the change. ``publish``: see ``Announcer``.
    """

    jobs: JobQueue
    wake_ups: WakeUps
    given_up: Callable[[datetime], Mapping[str, Any]]
    claimed: Callable[[datetime], Mapping[str, Any]] = lambda now: {}
    endings: Endings = field(default_factory=Endings)
    on_given_up: Callable[[int], None] = lambda pk: None
    on_stalled: Callable[[StalledJob], None] = lambda stalled: None
    on_requeued: Callable[[StalledJob | Lease], None] = lambda attempt: None
    publish: PublishEnd | None = None

    def wake(self, pks: Iterable[int], *, now: datetime | None = None) -> None:
        """Wake workers for those of the given rows that are still waiting."""
        Dispatcher(self.jobs, self.wake_ups).wake(pks, now=now or timezone.now())

    def claim(self, pk: int, *, worker: str) -> Lease | None:
        """Claim this row and return its lease; None if it is not waiting."""
        now = timezone.now()
        return lifecycle.claim(self.jobs, pk, worker=worker, now=now, changes=self.claimed(now))

    def claims_in_turn(
        self,
        pk: int,
        queue: SharedQueue,
        *,
        worker: str,
        game: str = "",
        woken: str | None = None,
        games: Collection[str] = (),
        spent: bool = False,
    ) -> Callable[[], Lease | None]:
        """Return a function that claims the next row in fair-share order on each call.

        The function returns None if no row is waiting. ``pk``: the id of the row for which the worker was woken.

        ``game``: the field lookup from a row to its game, for kinds with a queue per game; ``woken``: the game of row
        ``pk``, if known; ``games``: the games that the worker serves. If the first claim is a row of another game, row
        ``pk`` is announced again, because its wake-up has been used up and each queue needs as many wake-ups as it has
        rows. Only the first claim uses up a wake-up. If ``spent`` is true, no claim does: the wake-up has already been
        used up.
        """
        rows, among = self.jobs.rows(), Q()
        if game:
            woken = woken or rows.filter(pk=pk).values_list(game, flat=True).first()
            among = Q(**{f"{game}__in": sorted({*games} if woken is None else {woken, *games})})
        claims = Claims(queue, among)

        def claim() -> Lease | None:
            nonlocal spent
            now = timezone.now()
            lease = claims.claim_next(worker=worker, now=now, changes=self.claimed(now))
            elsewhere = lease is not None and bool(game) and not spent and lease.pk != pk
            spent = True
            if lease is not None and elsewhere and not rows.filter(pk=lease.pk, **{game: woken}).exists():
                self.wake([pk])
            return lease

        return claim

    def retry(self, rows: QuerySet[Any], **changes: object) -> int:
        """Requeue rows that have ended, and wake workers for them after the commit; return their number."""
        pks = list(rows.values_list("pk", flat=True))
        changed = lifecycle.retry(self.jobs, rows.filter(pk__in=pks), **changes)
        if changed:
            transaction.on_commit(partial(self.wake, pks))
        return changed

    def cancel(self, pks: Collection[int], unfinished: Collection[str], **changes: object) -> int:
        """Cancel and announce those rows that are in an ``unfinished`` state; return their number.

        ``changes``: the final state. A worker drops a cancelled row at its next heartbeat.
        """
        with transaction.atomic():
            found = self.jobs.rows().filter(pk__in=pks, status__in=unfinished).values_list("pk", flat=True)
            rows = self.jobs.rows().filter(pk__in=list(found))
            changed = lifecycle.cancel(rows.filter(status__in=unfinished), **changes)
            # Read after the update, because until then, workers may have claimed rows or stored results.
            for pk, fence in rows.filter(**changes).values_list("pk", "fence"):
                self._announcer.cancelled(pk, fence)
        return changed

    def run_job(self, lease: Lease, work: Work, *, stopping: Callable[[], bool] = lambda: False) -> bool:
        """Work on a claimed job; return the result of ``work``, or False if the job ended without one.

        A job that fails on its last permitted attempt is abandoned immediately.
        """
        done = False
        try:
            done = attempt.run_attempt(lease, work, self.endings, stopping=stopping, then=self._on_requeued)
        finally:
            if not done and lease.attempt >= MAX_ATTEMPTS:
                self.give_up(now=timezone.now())
        return done

    def run_batch(
        self,
        pk: int,
        queue: SharedQueue,
        work: Callable[[Lease, Callable[[], bool]], bool],
        *,
        worker: str,
        clock: Callable[[], float] = time.monotonic,
        stopping: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Work on the next row in fair-share order, and on quick rows after it.

        Return False if no row was waiting, or if the last one ended without a result. Only for kinds with a single
        queue. ``pk``: the id of the row for which the worker was woken; ``clock`` is monotonic, in seconds;
        ``stopping``: see ``run_job``.
        """
        done = False

        def run(lease: Lease) -> bool:
            nonlocal done
            done = self.run_job(lease, partial(work, lease), stopping=stopping)
            return done

        attempt.run_batch(self.claims_in_turn(pk, queue, worker=worker), run, clock=clock)
        return done

    def give_up(self, *, now: datetime) -> int:
        """Give up on rows that used up their attempts; return how many."""
        return give_up(self.jobs, self.given_up(now), self._on_given_up)

    def sweep(
        self, detector: StallDetector, *, now: datetime, pause: timedelta = WAKE_INTERVAL, only: Q | None = None
    ) -> int:
        """Requeue stalled rows, give up on rows that have no attempts left, and wake workers for waiting rows.

        Return the number of rows for which workers were woken.
        """
        requeue_stalled(detector, self._on_stalled)
        self.give_up(now=now)
        return Dispatcher(self.jobs, self.wake_ups).wake_again(now=now, pause=pause, only=only)

    @property
    def _announcer(self) -> Announcer:
        return Announcer(self.jobs, self.publish)

    def _on_given_up(self, pk: int, fence: int) -> None:
        self.on_given_up(pk)
        self._announcer.void(pk, fence)

    def _on_stalled(self, stalled: StalledJob) -> None:
        self.on_stalled(stalled)
        self._on_requeued(stalled)

    def _on_requeued(self, ended: StalledJob | Lease) -> None:
        self.on_requeued(ended)
        self._announcer.requeued(ended)
