"""Rate-limit loggers that repeat a message during an outage: one line per minute, without a traceback."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

PAUSE_SECONDS = 60.0


class RateLimit(logging.Filter):
    """A filter: at most one record per interval, truncated to its first line; ``clock`` is monotonic, in seconds."""

    def __init__(self, pause: float = PAUSE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._pause, self._clock = pause, clock
        self._due = clock()

    def filter(self, record: logging.LogRecord) -> bool:
        now = self._clock()
        if now < self._due:
            return False
        self._due = now + self._pause
        record.msg, record.args = record.getMessage().partition("\n")[0], ()
        record.exc_info = record.exc_text = record.stack_info = None
        return True
