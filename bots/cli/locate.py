"""Finds the bots that a command names, and makes players of them."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from arena.referee.subprocess_player import SubprocessPlayer
from arena.sandbox.package import PackageError, read_package

HOUSE = Path(__file__).resolve().parent.parent / "house"
HARNESS = Path(__file__).resolve().parent.parent / "sdk" / "harness.py"
_HOUSE_PREFIX = "house:"


class LocateError(Exception):
    """A bot that cannot be found or read; the text says what to do."""


@dataclass(frozen=True, slots=True)
class LocatedBot:
    """A bot's name for the tables, its folder with main.py, and its content hash ("" for a folder)."""

    name: str
    folder: Path
    sha256: str

    def player(self) -> SubprocessPlayer:
        """The bot in a process of its own, without a jail: it is the person's own."""
        return SubprocessPlayer([sys.executable, str(HARNESS)], self.folder)


def house_bots(game: str) -> list[str]:
    """The names of the house bots of a game."""
    return sorted(path.stem for path in (HOUSE / game).glob("*.py") if not path.stem.startswith("_"))


def locate(bot: str, game: str, stack: ExitStack) -> LocatedBot:
    """The bot named by a path or ``house:NAME``; unpacked files live as long as ``stack``."""
    if bot.startswith(_HOUSE_PREFIX):
        return _house(bot, game, stack)
    path = Path(bot)
    if path.is_dir():
        if not (path / "main.py").is_file():
            raise LocateError(f"{bot} has no main.py.")
        return LocatedBot(path.resolve().name, path.resolve(), "")
    if not path.is_file():
        raise LocateError(f"There is no bot {bot}. Name a .py or .zip file, a folder with main.py, or house:NAME.")
    return _unpacked(path, path.stem, stack)


def _house(bot: str, game: str, stack: ExitStack) -> LocatedBot:
    name = bot.removeprefix(_HOUSE_PREFIX)
    names = house_bots(game)
    if name not in names:
        raise LocateError(f"There is no house bot {name}. There are {', '.join(names)}.")
    return _unpacked(HOUSE / game / f"{name}.py", bot, stack)


def _unpacked(path: Path, name: str, stack: ExitStack) -> LocatedBot:
    try:
        package = read_package(path.read_bytes(), path.name)
    except PackageError as error:
        raise LocateError(f"{path}: {error}") from None
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-")))
    package.write_to(folder)
    return LocatedBot(name, folder.resolve(), package.sha256)
