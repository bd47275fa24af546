"""The engine's interface to the services; ``engine_process`` implements it, and ``testing`` contains a fake."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from django.conf import settings

from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import EngineFinding
from arena.platform.workers.code import digest

# The folders whose code affects the findings.
_FOLDERS = ("reversi/house/engine", "reversi/analysis")


class EngineError(Exception):
    """Raised if the engine exited without evaluating every position; its message is for operators."""


class EngineStopped(Exception):  # noqa: N818 - ordered, no error
    """Raised if the engine was told to stop."""


class Engine(Protocol):
    """An engine that evaluates every position of a line, in any order."""

    def __call__(self, line: Line, on_finding: Callable[[EngineFinding], None], stop: Callable[[], bool]) -> None:
        """Evaluate the line. Raises EngineError, or EngineStopped soon after ``stop`` has returned true."""


def engine_version() -> str:
    """Return a string that identifies the current engine and its time limits.

    If it changes, requests start a new analysis.
    """
    return f"{_code_digest()} {settings.ANALYSIS_SECONDS:g}/{settings.ANALYSIS_SOLVING_SECONDS:g}"


@cache
def _code_digest() -> str:
    return digest(settings.BOT_CODE_DIR / "bots" / folder for folder in _FOLDERS)
