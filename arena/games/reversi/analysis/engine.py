"""The engine's interface to the services; ``engine_process`` implements it, ``testing`` has a fake."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from django.conf import settings

from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import Finding
from arena.platform.workers.code import digest

# What decides what is found.
_FOLDERS = ("reversi/house/engine", "reversi/analysis")


class EngineFailed(Exception):  # noqa: N818 - a failure of ours, not a mistake in this program
    """The engine ended without having looked at every position; the text is for operators."""


class EngineStopped(Exception):  # noqa: N818 - ordered, no error
    """The engine was told to stop."""


class Engine(Protocol):
    """Looks at every position of a line, in whatever order."""

    def __call__(self, line: Line, on_finding: Callable[[Finding], None], stop: Callable[[], bool]) -> None:
        """Raises EngineFailed, and EngineStopped soon after ``stop`` has turned true."""


def engine_version() -> str:
    """Which engine analyses now, and with how much time: whoever asks for an analysis by another one gets a new one."""
    return f"{_code()} {settings.ANALYSIS_SECONDS:g}/{settings.ANALYSIS_SOLVING_SECONDS:g}"


@cache
def _code() -> str:
    return digest(settings.BOT_CODE_DIR / "bots" / folder for folder in _FOLDERS)
