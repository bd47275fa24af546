"""Wake workers for waiting jobs. Messages carry only ids; the database holds the work.

Invariant: if no worker responds, a queue holds at most one wake-up for each announced row, plus
``MAX_UNANSWERED_WAKE_UPS`` repeated wake-ups and those sent by one more sweep.
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

from arena.celery import Queue, app, queue_of
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, JobQueue

logger = logging.getLogger(__name__)

# maximum repeated wake-ups in a queue; each costs its recipient one query
MAX_UNANSWERED_WAKE_UPS: Final = 500
# An unanswered wake-up is repeated after this time.
WAKE_INTERVAL: Final = LEASE
_MAX_WAKE_UPS_PER_SWEEP: Final = 500


@dataclass(frozen=True, slots=True)
class WakeUp:
    """A message to the consumers of ``queue``: the row ``pk`` is waiting for ``task``."""

    task: str
    pk: int
    queue: str


WakeUps = Callable[[list[int]], list[WakeUp]]


def wake_ups_to(task: str, queue: str) -> WakeUps:
    """Return a function that creates wake-ups for the rows of a model whose jobs all wait in one queue."""
    return lambda pks: [WakeUp(task, pk, queue) for pk in pks]


def wake_ups_per_game(jobs: JobQueue, task: str, kind: Queue, game: str) -> WakeUps:
    """Return a function that creates wake-ups for the rows of a model whose jobs wait in one queue per game.

    ``game``: the field lookup from a row to its game.
    """

    def wake_ups(pks: list[int]) -> list[WakeUp]:
        rows = jobs.rows().filter(pk__in=pks, status=jobs.waiting).order_by("pk").values_list("pk", game)
        return [WakeUp(task, pk, queue_of(kind, name)) for pk, name in rows]

    return wake_ups


def wake_worker(task: str, pk: int | None = None, *, queue: str) -> None:
    """Send a wake-up for the row with the given id or, without an id, for the whole queue.

    If the broker is unavailable, the next sweep sends it again.
    """
    pks = () if pk is None else (pk,)
    try:
        app.send_task(task, args=pks, queue=queue, retry=False, ignore_result=True)
    except OperationalError as error:
        logger.warning("broker unavailable, %s%s waits for the sweep: %s", task, pks, error)


def waiting_wake_ups(queue: str) -> int:
    """Return how many wake-ups are waiting in a queue; 0 if the broker is unavailable or has no such queue."""
    with app.connection_or_acquire() as connection:
        try:
            with connection.channel() as channel:
                return int(channel.queue_declare(queue, passive=True).message_count)
        except (*connection.connection_errors, *connection.channel_errors):
            return 0


def repeat_wake_ups(
    wake_ups: Iterable[WakeUp],
    *,
    send: Callable[..., None] = wake_worker,
    unanswered: Callable[[str], int] = waiting_wake_ups,
) -> int:
    """Repeat wake-ups that may have been lost; return how many were sent.

    Long queues are skipped: their workers are slow or missing, and more messages would only fill the broker. Once a
    queue is shorter, the next sweep repeats its wake-ups.
    """
    sent = 0
    for queue, rows in groupby(sorted(wake_ups, key=lambda one: (one.queue, one.pk)), key=lambda one: one.queue):
        if unanswered(queue) < MAX_UNANSWERED_WAKE_UPS:
            for one in rows:
                send(one.task, one.pk, queue=queue)
                sent += 1
    return sent


def rows_to_announce(
    jobs: JobQueue, *, now: datetime, pause: timedelta = WAKE_INTERVAL, only: Q | None = None
) -> list[int]:
    """Return the ids of waiting rows among ``only`` that were not announced within the last ``pause``.

    An announcement more than ``pause`` in the future is ignored, because it shows that a clock was adjusted.
    """
    quiet = Q(woken_at=None) | Q(woken_at__lt=now - pause) | Q(woken_at__gt=now + pause)
    rows = jobs.rows().filter(quiet, only or Q(), status=jobs.waiting, attempts__lt=MAX_ATTEMPTS)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:_MAX_WAKE_UPS_PER_SWEEP])


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """A dispatcher that wakes workers for the rows of a job model, and records the time of the wake-up in each row.

    ``wake_ups``: returns the messages for the rows with these ids, except for rows that no longer need a worker.
    """

    jobs: JobQueue
    wake_ups: WakeUps

    def wake(self, pks: Iterable[int], *, now: datetime) -> None:
        """Wake workers for these rows. An unavailable broker only causes a delay: the sweep repeats wake-ups."""
        for one in self._mark_woken(sorted(pks), now):
            wake_worker(one.task, one.pk, queue=one.queue)

    def wake_again(self, *, now: datetime, pause: timedelta = WAKE_INTERVAL, only: Q | None = None) -> int:
        """Wake workers again for the rows that ``rows_to_announce`` selects; return the number of rows."""
        pks = rows_to_announce(self.jobs, now=now, pause=pause, only=only)
        repeat_wake_ups(self._mark_woken(pks, now))
        return len(pks)

    def _mark_woken(self, pks: list[int], now: datetime) -> list[WakeUp]:
        found = self.wake_ups(pks)
        self.jobs.rows().filter(pk__in=[one.pk for one in found]).update(woken_at=now)
        return found
