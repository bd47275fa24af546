"""Kinds of bots: a module, or a script written for another site."""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from bots.sdk import replies
from bots.sdk.failures import NoPlayer
from bots.sdk.game import GameSdk
from bots.sdk.module_bot import ModuleBot
from bots.sdk.scripts.detect import dialect_name
from bots.sdk.scripts.program import BotProgram
from bots.sdk.scripts.script_bot import ScriptBot


class Bot(Protocol):
    """A bot of any kind; its methods raise the bot's exceptions. For the replies, see ``replies``."""

    def start(self) -> str:
        """Import or start the bot, and return the reply to the ``import`` request."""

    def construct(self, own: Mapping[str, Any]) -> str:
        """Prepare the player, and return the reply to the ``construct`` request."""

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """Process the new data of a turn."""

    def ask(self) -> str:
        """Return the reply to a turn."""

    def ask_again(self) -> str:
        """Return the reply to a turn whose previous answer was rejected."""


class UnrecognizedBot:
    """A bot whose kind cannot be determined: it is never run, and the reason is reported to its author."""

    def __init__(self, reason: NoPlayer) -> None:
        self._reason = reason

    def start(self) -> str:
        return replies.DONE

    def construct(self, own: Mapping[str, Any]) -> str:
        raise self._reason

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        raise self._reason

    def ask(self) -> str:
        raise self._reason

    def ask_again(self) -> str:
        raise self._reason


def create_bot(
    code: types.CodeType,
    source: bytes,
    folder: str,
    game: GameSdk,
    load: Mapping[str, Any],
    finish_turn: Callable[[str], None],
) -> Bot:
    """Create the bot whose ``main.py`` contains ``source``, compiled to ``code``; ``load``: the first request."""
    path = os.path.join(folder, "main.py")  # noqa: PTH118 - bots may poison pathlib
    try:
        name = dialect_name(source, _other_sources(folder), game)
    except NoPlayer as reason:
        return UnrecognizedBot(reason)
    if name is not None and name in game.dialects:
        dialect = game.dialects[name](load, source.decode("utf-8", "replace"))
        return ScriptBot(BotProgram(code, path), dialect, finish_turn)
    adapter = game.functions[name] if name else game.adapter
    return ModuleBot(code, path, folder, adapter(load), game.resignation)


def _other_sources(folder: str) -> Iterator[bytes]:
    """Yield the contents of all Python files in the bot's folder except ``main.py``."""
    for name in sorted(os.listdir(folder)):  # noqa: PTH208
        path = os.path.join(folder, name)  # noqa: PTH118
        if name.endswith(".py") and name != "main.py" and os.path.isfile(path):  # noqa: PTH113
            with open(path, "rb") as file:
                yield file.read()
