"""Wake workers for waiting jobs. Only the id travels; the database says what there is to do.

Invariant: however long nobody answers, a queue holds no more than one wake-up for each row that was announced and
``MOST_UNANSWERED`` and a sweep's worth of repeated ones.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from django.db.models import Q
from kombu.exceptions import OperationalError

from arena.celery import app
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, JobQueue

logger = logging.getLogger(__name__)

# Each costs whoever takes it one look at its row.
MOST_UNANSWERED: Final = 500
# A wake-up that nobody answered is repeated after this time.
WAKE_AGAIN: Final = LEASE
_MOST_A_SWEEP: Final = 500


@dataclass(frozen=True, slots=True)
class WakeUp:
    """A word to whoever empties ``queue``: that the row ``pk`` waits for ``task``."""

    task: str
    pk: int
    queue: str


def wake_worker(task: str, pk: int, *, queue: str) -> None:
    """Send the wake-up; where the broker is away the next sweep sends it again."""
    try:
        app.send_task(task, args=(pk,), queue=queue, retry=False, ignore_result=True)
    except OperationalError as error:
        logger.warning("broker away, %s(%s) waits for the sweep: %s", task, pk, error)


def unanswered(queue: str) -> int:
    """How many wake-ups wait in a queue; 0 where the broker is away, or knows no such queue."""
    with app.connection_or_acquire() as connection:
        try:
            with connection.channel() as channel:
                return int(channel.queue_declare(queue, passive=True).message_count)
        except (*connection.connection_errors, *connection.channel_errors):
            return 0


def wake_again(
    wake_ups: Iterable[WakeUp],
    *,
    send: Callable[..., None] = wake_worker,
    unanswered: Callable[[str], int] = unanswered,
) -> int:
    """Repeat wake-ups that may have been lost; returns how many were sent.

    None goes to a queue that holds many: its workers are slow, or there are none, and words to nobody would fill the
    broker. Once it is shorter, the next sweep repeats them.
    """
    sent = 0
    for queue, rows in groupby(sorted(wake_ups, key=lambda one: (one.queue, one.pk)), key=lambda one: one.queue):
        if unanswered(queue) < MOST_UNANSWERED:
            for one in rows:
                send(one.task, one.pk, queue=queue)
                sent += 1
    return sent


def to_dispatch(jobs: JobQueue, *, now: datetime, pause: timedelta = WAKE_AGAIN, only: Q | None = None) -> list[int]:
    """Waiting rows that were not announced within ``pause``, of those that match ``only``.

    An announcement from the future tells of a stepped clock.
    """
    quiet = Q(woken_at=None) | Q(woken_at__lt=now - pause) | Q(woken_at__gt=now + pause)
    rows = jobs.rows().filter(quiet, only or Q(), status=jobs.waiting, attempts__lt=MAX_ATTEMPTS)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:_MOST_A_SWEEP])


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Wakes workers for the rows of a jobs and notes in each row when it did.

    ``wake_ups``: what to send for the rows with these ids, less those that need no worker any more.
    """

    jobs: JobQueue
    wake_ups: Callable[[list[int]], list[WakeUp]]

    def wake(self, pks: Iterable[int], *, now: datetime) -> None:
        """Announce rows; a broker that is away costs a delay, the sweep wakes again."""
        for one in self._noted(sorted(pks), now):
            wake_worker(one.task, one.pk, queue=one.queue)

    def wake_again(self, *, now: datetime, pause: timedelta = WAKE_AGAIN, only: Q | None = None) -> int:
        """Announce anew what waits unheard, as ``to_dispatch`` finds it; returns how many rows did."""
        pks = to_dispatch(self.jobs, now=now, pause=pause, only=only)
        wake_again(self._noted(pks, now))
        return len(pks)

    def _noted(self, pks: list[int], now: datetime) -> list[WakeUp]:
        found = self.wake_ups(pks)
        self.jobs.rows().filter(pk__in=[one.pk for one in found]).update(woken_at=now)
        return found
