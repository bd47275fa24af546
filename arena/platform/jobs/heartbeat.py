"""Extend a lease from a thread while its holder works."""

from __future__ import annotations

import logging
import threading
from types import TracebackType

from django.db import DatabaseError, connections
from django.utils import timezone

from arena.platform.jobs.lifecycle import HEARTBEAT_SECONDS, Lease, extend

logger = logging.getLogger(__name__)


class Heartbeat:
    """A context manager that extends a lease. ``is_lost`` becomes true once the row belongs to another worker.

    A temporarily unavailable database does not count as a loss: the fencing token decides when the result is stored.
    """

    def __init__(self, lease: Lease, interval: float = HEARTBEAT_SECONDS) -> None:
        self._lease, self._interval = lease, interval
        self._stop, self._lost = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat-{lease.pk}", daemon=True)

    @property
    def is_lost(self) -> bool:
        return self._lost.is_set()

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stop.wait(self._interval):
                try:
                    if not extend(self._lease, now=timezone.now()):
                        self._lost.set()
                        return
                except DatabaseError as error:
                    logger.warning("heartbeat of %s %s: %s", self._lease.jobs.model.__name__, self._lease.pk, error)
                    connections.close_all()  # a broken connection does not recover
        finally:
            connections.close_all()
