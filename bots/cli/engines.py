"""External engines: third-party programs that play a game, given as ``PREFIX:COMMAND`` instead of a bot's file."""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bots.cli.errors import CommandError

ENGINE_FILE = "engine.json"  # the command that starts an engine, as a list of words

_GAMES = "/usr/games"  # Debian's folder for games, often missing from PATH


@dataclass(frozen=True, slots=True)
class Engines:
    """The external engines for a game.

    ``script`` translates between the referee's protocol and the engine's; its argument is the path of a folder
    that contains ``ENGINE_FILE``.
    """

    prefix: str
    script: Path


def engine_folder(prefix: str, command: str, stack: ExitStack) -> tuple[str, Path]:
    """Return the program's name and a temporary folder that is used in place of a bot's files. Raises CommandError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(
            f"The command {prefix}:{command} is malformed: {error}. Check its quotation marks.", code="invalid_engine"
        ) from None
    program = (shutil.which(words[0]) or shutil.which(words[0], path=_GAMES)) if words else None
    if program is None:
        named = words[0] if words else ""
        raise CommandError(
            f"Program not found: {named}. Install it, and write {prefix}:COMMAND in quotes.", code="engine_missing"
        )
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="engine-", ignore_cleanup_errors=True)))
    (folder / ENGINE_FILE).write_text(json.dumps([program, *words[1:]]), encoding="utf-8")
    return Path(words[0]).name, folder.resolve()
