"""Report to the author which line their bot was running when its time ran out."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable
from typing import Any

# Share of a time limit after which the line being executed is printed to the log, once.
WARN_AFTER = 0.9


class TimeLimitAlarm:
    """An alarm that, shortly before a time limit expires, logs the line that the bot is executing, for its author.

    The handler of the timer's signal is C code that runs no Python, so it works even while the bot is in a loop or in
    an extension module. On systems without this signal, a thread is used instead.
    """

    def __init__(self) -> None:
        self._file = os.dup(2)
        self._set: Callable[[int, float], Any] | None = None
        self._which = 0
        if not hasattr(signal, "setitimer"):
            return
        try:
            faulthandler.register(signal.SIGALRM, file=self._file, all_threads=False, chain=False)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except (OSError, RuntimeError):
            return
        self._set, self._which = signal.setitimer, signal.ITIMER_REAL

    def set(self, limit: float) -> None:
        if self._set:
            self._set(self._which, limit * WARN_AFTER)
        elif not hasattr(signal, "setitimer"):
            faulthandler.dump_traceback_later(limit * WARN_AFTER, file=self._file)

    def clear(self) -> None:
        if self._set:
            self._set(self._which, 0)
        elif not hasattr(signal, "setitimer"):
            faulthandler.cancel_dump_traceback_later()
