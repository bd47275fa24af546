"""Waking a worker for a row. Only the id travels; the database says what there is to do."""

import logging

from kombu.exceptions import OperationalError

from arena.celery import app

logger = logging.getLogger(__name__)


def wake_worker(task: str, pk: int, *, queue: str) -> None:
    """Send the wake-up; where the broker is away the next sweep sends it again."""
    try:
        app.send_task(task, args=(pk,), queue=queue, retry=False, ignore_result=True)
    except OperationalError as error:
        logger.warning("broker away, %s(%s) waits for the sweep: %s", task, pk, error)
