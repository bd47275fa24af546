"""Waking a worker for a row. Only the id travels; the database says what there is to do.

Invariant: however long nobody answers, a queue holds no more than one wake-up for each row that was announced and
``MOST_UNANSWERED`` and a sweep's worth of repeated ones.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from kombu.exceptions import OperationalError

from arena.celery import app

logger = logging.getLogger(__name__)

# Each costs whoever takes it one look at its row.
MOST_UNANSWERED: Final = 500


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
