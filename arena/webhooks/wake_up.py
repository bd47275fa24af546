"""Wake the worker that sends deliveries; without a broker, the next sweep sends the pending deliveries."""

from __future__ import annotations

import logging
from typing import Final

from kombu.exceptions import OperationalError

from arena.celery import Queue, app

logger = logging.getLogger(__name__)

DELIVER_TASK: Final = "arena.webhooks.tasks.deliver"


def wake() -> None:
    try:
        app.send_task(DELIVER_TASK, queue=Queue.WEBHOOKS.value, retry=False, ignore_result=True)
    except OperationalError as error:
        logger.warning("broker unavailable, webhooks wait for the next sweep: %s", error)
