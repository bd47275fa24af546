"""Check whether the worker of this pool process is draining, so that long-running work can move to another worker."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connections

from arena.platform.workers.models import Worker

logger = logging.getLogger(__name__)

POLL_SECONDS = 3.0


class DrainingCheck:
    """A callable that returns whether the worker is draining; runs a query at most once every ``POLL_SECONDS``."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due = clock()
        self._draining = False

    def __call__(self) -> bool:
        if not self._draining and self._clock() >= self._due:
            self._due = self._clock() + POLL_SECONDS
            self._draining = _is_draining()
        return self._draining


def _is_draining() -> bool:
    """Return whether the worker is draining according to the database; False while the database is unavailable."""
    mine = Worker.objects.filter(host=socket.gethostname(), pid=os.getppid())
    try:
        return mine.filter(draining=True).exists()
    except (OperationalError, InterfaceError) as error:
        logger.warning("the worker's commands cannot be read: %s", error)
        connections.close_all()  # a broken connection does not recover
        return False
