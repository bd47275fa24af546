"""Terminate a worker whose event loop has failed, even if its pool cannot be joined.

After such a failure, Celery stops the pool and waits for it. Because nothing collects the pool's remaining results, the
process may wait indefinitely, and so may its supervisor. The worker's matches are requeued like the work of any worker
that has died.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any, Final

from celery import bootsteps
from celery.platforms import EX_FAILURE

logger = logging.getLogger(__name__)

EXIT_SECONDS: Final = 30.0


def _end_process() -> None:
    logger.error("the worker did not stop within %g s of its failure: exiting now", EXIT_SECONDS)
    os._exit(EX_FAILURE)


def _start_timer(seconds: float, action: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()


class ExitDeadline(bootsteps.StartStopStep):
    """A Celery bootstep that starts the countdown to the deadline when an error makes Celery stop a worker."""

    requires = ("celery.worker.components:Pool",)

    def __init__(
        self, worker: Any, start_timer: Callable[[float, Callable[[], None]], None] = _start_timer, **options: object
    ):
        super().__init__(worker, **options)
        self._start_timer = start_timer

    def close(self, worker: Any) -> None:
        if worker.exitcode == EX_FAILURE:
            self._start_timer(EXIT_SECONDS, _end_process)
