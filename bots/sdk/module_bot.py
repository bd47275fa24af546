"""Bots that are modules: they are imported, instantiated, and called on every turn."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from bots.sdk import finder, replies
from bots.sdk.adapter import Adapter
from bots.sdk.failures import NoPlayer
from bots.sdk.keyboard import resigning_input


class ModuleBot:
    """A bot that is a module; ``code`` was compiled from the file at ``path`` in ``folder``.

    ``resignation``: see ``GameSdk``.
    """

    def __init__(self, code: types.CodeType, path: str, folder: str, adapter: Adapter, resignation: str) -> None:
        self._code: types.CodeType | None = code
        self._path, self._folder = path, folder
        self._adapter, self._resignation = adapter, resignation
        self._module: types.ModuleType | None = None
        self._call: Callable[[Any], Any] | None = None

    def start(self) -> str:
        """Import the module under the name ``main``; return the reply."""
        assert self._code is not None  # noqa: S101 - the requests come in order
        spec = importlib.util.spec_from_file_location("main", self._path)
        assert spec is not None  # noqa: S101 - None only for other file extensions
        module = importlib.util.module_from_spec(spec)
        sys.modules["main"] = module
        with resigning_input(self._resignation):
            exec(self._code, module.__dict__)  # noqa: S102 - this is what the process is for
        self._code, self._module = None, module
        return replies.DONE

    def construct(self, own: Mapping[str, Any]) -> str:
        assert self._module is not None  # noqa: S101
        self._adapter.begin(own)
        if self._adapter.function:
            return self._take_function(self._adapter.function)
        found = finder.find_player(self._module, self._folder)
        get_move = found.construct(self._adapter)
        self._call = finder.bind_get_move(get_move, self._adapter.parameter)
        return replies.done_reply(found.code, name=found.name)

    def _take_function(self, name: str) -> str:
        function = getattr(self._module, name, None)
        if not callable(function):
            raise NoPlayer("bot.no_function", name=name)
        self._adapter.prepare(function)
        self._call = lambda state: function(*state)
        return replies.done_reply("bot.player.function", name=name)

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._adapter.observe(own, shared)

    def ask(self) -> str:
        return replies.answer_reply(self._answer)

    def ask_again(self) -> str:
        return self.ask()

    def _answer(self) -> Any:
        assert self._call is not None  # noqa: S101
        return self._adapter.answer(self._call(self._adapter.state()))
