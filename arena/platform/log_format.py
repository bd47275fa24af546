"""Log formats that remain readable when the same failure repeats."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from django.db.utils import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError

MAX_CHARACTERS = 400
PAUSE_SECONDS = 60.0
# Raised by every task and page while the database or the broker is unavailable.
_OUTAGES: Final = (OperationalError, InterfaceError, RedisConnectionError, BrokerError)

_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)  # as in logging.Formatter


class OutageFormatter(logging.Formatter):
    """A formatter that logs the traceback of an outage in full once a minute, and only the exception at other times.

    Without it, a worker writes about two hundred lines a second while the database is unavailable. ``clock`` is
    monotonic.
    """

    def __init__(self, fmt: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(fmt)
        self._clock = clock
        self._due = clock()

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 - the name of the base class
        error = ei[1]
        if not isinstance(error, _OUTAGES):
            return super().formatException(ei)
        now = self._clock()
        if now >= self._due:
            self._due = now + PAUSE_SECONDS
            return super().formatException(ei)
        first_line = str(error).partition("\n")[0]
        return f"{type(error).__qualname__}: {first_line} (traceback omitted)"


class OneLineFormatter(logging.Formatter):
    """A formatter that keeps only the first line of a message, truncated, without a traceback or stack.

    For requests that Django refuses as suspicious, such as those with a wrong Host header: scanners send them
    constantly, and the traceback is always the same.
    """

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().partition("\n")[0]
        if len(message) > MAX_CHARACTERS:
            message = message[:MAX_CHARACTERS] + "…"
        fields = {"msg": message, "args": None, "exc_info": None, "exc_text": None, "stack_info": None}
        return super().format(logging.makeLogRecord({**record.__dict__, **fields}))
