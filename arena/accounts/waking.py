"""Waking the sender of mails; the outbox says what there is to send."""

from __future__ import annotations

import logging

from kombu.exceptions import OperationalError

from arena.celery import Queue, app

logger = logging.getLogger(__name__)

SEND_TASK = "arena.notifications.tasks.send"


def wake_sender() -> None:
    """Where the broker is away the next tick sends what waits."""
    try:
        app.send_task(SEND_TASK, queue=Queue.MAIL.value, retry=False, ignore_result=True)
    except OperationalError as error:
        logger.warning("broker away, mails wait for the next tick: %s", error)
