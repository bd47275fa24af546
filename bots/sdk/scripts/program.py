"""Run a bot's ``main.py`` as a program in this process.

Invariants: every run starts fresh, with the bot's own modules imported again; the code runs in the main thread, as
``__main__``, and ``sys.exit`` ends the run but not the process.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable

from bots.sdk.scripts.streams import Streams


class BotProgram:
    """A bot's program; ``code`` was compiled from the file at ``path``."""

    def __init__(self, code: types.CodeType, path: str) -> None:
        self._code, self._path = code, path
        self._folder = path[: len(path) - len("main.py")]

    def run(self, text: str, more: Callable[[str], str | None], *, logged: bool = True) -> str:
        """Run the program with this input and return its output.

        ``more`` supplies further input; only the output since the last call to ``more`` is returned. ``logged``:
        whether the output also goes to the log. Raises whatever the script raises, except SystemExit.
        """
        self._forget_own_modules()
        module = types.ModuleType("__main__")
        module.__file__ = self._path
        streams = Streams(text, more, sys.stdout if logged else None)
        before = sys.modules.get("__main__")
        sys.modules["__main__"] = module
        try:
            with streams.in_place():
                try:
                    exec(self._code, module.__dict__)  # noqa: S102 - this is what the process is for
                except SystemExit as leaving:
                    if isinstance(leaving.code, str):
                        print(leaving.code, file=sys.stderr)
                return streams.printed()
        finally:
            if before is not None:
                sys.modules["__main__"] = before

    def _forget_own_modules(self) -> None:
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and path.startswith(self._folder) and name != "__main__":
                del sys.modules[name]
