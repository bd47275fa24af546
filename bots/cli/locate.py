"""Finds the bots that a command names."""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from arena.core.plain_text import one_line
from arena.core.sandbox.uploads.module_package import read_module
from arena.core.sandbox.uploads.package import Package, PackageError, read_package
from bots.cli.errors import CommandError, UploadError
from bots.cli.gtp import ENGINE_FILE

_BOTS = Path(__file__).resolve().parent.parent
_HOUSE_PREFIX = "house:"
_GAMES = "/usr/games"  # of Debian, and not on everybody's path
_GTP_PREFIX = "gtp:"
# What a strategy is called elsewhere.
_ALSO_CALLED = {("reversi", "greedy"): "most_discs", ("reversi", "random"): "random_move"}


@dataclass(frozen=True, slots=True)
class LocatedBot:
    """A bot's name for the tables, as one plain line; its folder with main.py; its content hash ("" for a folder)."""

    name: str
    folder: Path
    sha256: str


def house_bots(game: str) -> list[str]:
    """The names of the house bots of a game."""
    return sorted(path.stem for path in (_BOTS / game / "house").glob("*.py") if not path.stem.startswith("_"))


def locate_all(bots: Sequence[str], game: str, stack: ExitStack) -> list[LocatedBot]:
    """All of them, under names that tell them apart."""
    found: list[LocatedBot] = []
    for bot in bots:
        one = locate(bot, game, stack)
        taken = {other.name for other in found}
        number = next(count for count in range(1, len(bots) + 1) if _numbered(one.name, count) not in taken)
        found.append(replace(one, name=_numbered(one.name, number)))
    return found


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} #{number}"


def locate(bot: str, game: str, stack: ExitStack) -> LocatedBot:
    """The bot named by a path, ``house:NAME`` or ``gtp:COMMAND``; files made for it live as long as ``stack``.

    Raises CommandError.
    """
    if bot.startswith(_GTP_PREFIX):
        return _engine(bot.removeprefix(_GTP_PREFIX), game, stack)
    if bot.startswith(_HOUSE_PREFIX):
        return _house(bot.removeprefix(_HOUSE_PREFIX), game, stack)
    path = Path(bot)
    if path.is_dir():
        if not (path / "main.py").is_file():
            raise CommandError(f"The folder {bot} has no main.py.")
        return LocatedBot(one_line(path.resolve().name), path.resolve(), "")
    if not path.is_file():
        meant = f" Did you mean house:{bot}?" if _known(bot, game) in house_bots(game) else ""
        raise CommandError(
            f"There is no bot {bot}.{meant} Name a .py or .zip file, a folder with main.py, or house:NAME."
        )
    return _unpacked(path, one_line(path.stem), stack)


def _house(name: str, game: str, stack: ExitStack) -> LocatedBot:
    names, known = house_bots(game), _known(name, game)
    if known not in names:
        close = difflib.get_close_matches(known, names, n=1)
        meant = f" Did you mean house:{close[0]}?" if close else ""
        raise CommandError(
            f"There is no house bot {name} for {game}.{meant} There are {', '.join(f'house:{one}' for one in names)}."
        )
    return _placed(read_module(_BOTS / game / "house" / f"{known}.py"), f"{_HOUSE_PREFIX}{known}", stack)


def _engine(command: str, game: str, stack: ExitStack) -> LocatedBot:
    """An engine of this machine, in place of files a folder that says how to start it."""
    if game != "reversi":
        raise CommandError(f"Engines that speak GTP play reversi, not {game}.")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"gtp:{command}: {error}.") from None
    program = (shutil.which(words[0]) or shutil.which(words[0], path=_GAMES)) if words else None
    if program is None:
        raise CommandError(f"There is no program {words[0] if words else ''} to start. Write gtp:COMMAND in quotes.")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="engine-", ignore_cleanup_errors=True)))
    (folder / ENGINE_FILE).write_text(json.dumps([program, *words[1:]]), encoding="utf-8")
    return LocatedBot(f"{_GTP_PREFIX}{Path(words[0]).name}", folder.resolve(), "")


def _known(name: str, game: str) -> str:
    plain = name.lower().replace("-", "_")
    return _ALSO_CALLED.get((game, plain), plain)


def _unpacked(path: Path, name: str, stack: ExitStack) -> LocatedBot:
    try:
        package = read_package(path.read_bytes(), path.name)
    except PackageError as error:
        raise UploadError(f"{error.message} {error.hint}".strip()) from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    return _placed(package, name, stack)


def _placed(package: Package, name: str, stack: ExitStack) -> LocatedBot:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-", ignore_cleanup_errors=True)))
    package.write_to(folder)
    return LocatedBot(name, folder.resolve(), package.sha256)
