"""Touch a worker's heartbeat file; a container's health check reads the file's age with a single `stat`.

The worker's event loop touches it while it is connected to the broker, so the file of a worker that hangs or accepts no
tasks becomes stale. During a drain, after the event loop has ended, the heartbeat thread touches the file.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from celery import bootsteps
from django.conf import settings

logger = logging.getLogger(__name__)

TOUCH_SECONDS = 5.0


class HeartbeatFile:
    """The heartbeat file at ``path``; if ``path`` is "", there is no file and ``touch`` does nothing."""

    def __init__(self, path: str) -> None:
        self._path = Path(path) if path else None
        self._failed = False

    def touch(self) -> None:
        """Set the file's time to now. A write failure is logged once and has no other effect."""
        if self._path is None:
            return
        try:
            self._path.touch()
        except OSError as error:
            if not self._failed:
                logger.error("WORKER_HEARTBEAT_FILE cannot be written, so this worker looks unhealthy: %s", error)
            self._failed = True
        else:
            self._failed = False


class Liveness(bootsteps.StartStopStep):
    """A Celery bootstep that touches the heartbeat file as long as the worker consumes tasks."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, c: Any, **options: object) -> None:
        super().__init__(c, **options)
        self._file = HeartbeatFile(settings.WORKER_HEARTBEAT_FILE)
        self._timer: Any = None

    def start(self, c: Any) -> None:
        """Start touching the file. Called again after each lost connection to the broker."""
        self._file.touch()
        self._timer = c.timer.call_repeatedly(TOUCH_SECONDS, self._file.touch)

    def stop(self, c: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
