"""Which kind of bot an upload is: a module, or a script written for another site."""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from bots.sdk import replies
from bots.sdk.adapters import ADAPTERS
from bots.sdk.failures import NoPlayer
from bots.sdk.module_bot import ModuleBot
from bots.sdk.scripts import DIALECTS
from bots.sdk.scripts.detect import dialect_name
from bots.sdk.scripts.program import Program
from bots.sdk.scripts.script_bot import ScriptBot


class Bot(Protocol):
    """What the author uploaded, in one of its forms; what goes wrong in it is raised. Replies: see ``replies``."""

    def start(self) -> str:
        """The reply to ``import``."""

    def construct(self, own: Mapping[str, Any]) -> str:
        """The reply to ``construct``."""

    def hear(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """What is new in a turn."""

    def ask(self) -> str:
        """The reply to a turn."""

    def ask_again(self) -> str:
        """The reply after an answer that was refused."""


class UnclearBot:
    """A bot of which it cannot be told what it is: it is never run, and its author learns why."""

    def __init__(self, reason: NoPlayer) -> None:
        self._reason = reason

    def start(self) -> str:
        return replies.DONE

    def construct(self, own: Mapping[str, Any]) -> str:
        raise self._reason

    def hear(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        raise self._reason

    def ask(self) -> str:
        raise self._reason

    def ask_again(self) -> str:
        raise self._reason


def bot_of(
    code: types.CodeType, source: bytes, folder: str, load: Mapping[str, Any], turn_over: Callable[[str], None]
) -> Bot:
    """The bot whose ``main.py`` was compiled from ``source``; ``load`` is the referee's first request."""
    path = os.path.join(folder, "main.py")  # noqa: PTH118 - bots may poison pathlib
    game: str = load["game"]
    try:
        name = dialect_name(source, _other_sources(folder), game)
    except NoPlayer as reason:
        return UnclearBot(reason)
    if name in DIALECTS:
        return ScriptBot(Program(code, path), DIALECTS[name](load, source.decode("utf-8", "replace")), turn_over)
    return ModuleBot(code, path, folder, ADAPTERS[name or game](load))


def _other_sources(folder: str) -> Iterator[bytes]:
    """The Python files beside ``main.py``."""
    for name in sorted(os.listdir(folder)):  # noqa: PTH208
        path = os.path.join(folder, name)  # noqa: PTH118
        if name.endswith(".py") and name != "main.py" and os.path.isfile(path):  # noqa: PTH113
            with open(path, "rb") as file:
                yield file.read()
