"""Find the bots named on the command line."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from arena.core.plain_text import one_line
from arena.core.sandbox.uploads.module_package import read_module
from arena.core.sandbox.uploads.package import Package, PackageError, read_package
from arena.games.bot_packages import bots_folder
from bots.cli.engines import engine_folder
from bots.cli.errors import CommandError, NoMainError, UploadError
from bots.cli.terminal import all_terminals, game_terminal

_HOUSE_PREFIX = "house:"


@dataclass(frozen=True, slots=True)
class LocatedBot:
    """A bot that was named on the command line.

    ``name``: its name in tables, one line of plain text. ``folder``: the folder of its files, including main.py.
    ``sha256``: the content hash, or "" for a bot that was given as a folder.
    """

    name: str
    folder: Path
    sha256: str


def house_bots(game: str) -> list[str]:
    """Return the names of a game's house bots, with the difficulty levels last."""
    return [*_bot_names(_house_folder(game)), *_bot_names(_levels_folder(game))]


def _bot_names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))


def _house_folder(game: str) -> Path:
    return bots_folder(game) / "house"


def _levels_folder(game: str) -> Path:
    return _house_folder(game) / "levels"


def locate_all(bots: Sequence[str], game: str, stack: ExitStack) -> list[LocatedBot]:
    """Locate all bots, and add numbers to duplicate names."""
    found: list[LocatedBot] = []
    for bot in bots:
        one = locate(bot, game, stack)
        taken = {other.name for other in found}
        number = next(count for count in range(1, len(bots) + 1) if _numbered_name(one.name, count) not in taken)
        found.append(replace(one, name=_numbered_name(one.name, number)))
    return found


def _numbered_name(name: str, number: int) -> str:
    return name if number == 1 else f"{name} #{number}"


def locate(bot: str, game: str, stack: ExitStack) -> LocatedBot:
    """Locate the bot for a path, ``house:NAME`` or ``PREFIX:COMMAND`` (see ``Engines``).

    Temporary files are deleted when ``stack`` is closed. Raises CommandError.
    """
    prefix, _, command = bot.partition(":")
    playing = [one for one, added in all_terminals() if added.engines and added.engines.prefix == prefix]
    if playing:
        if game not in playing:
            raise CommandError(
                f"{prefix}: engines play {', '.join(playing)}, not {game}. Choose another bot.", code="other_game"
            )
        program, folder = engine_folder(prefix, command, stack)
        return LocatedBot(f"{prefix}:{program}", folder, "")
    if bot.startswith(_HOUSE_PREFIX):
        return _locate_house_bot(bot.removeprefix(_HOUSE_PREFIX), game, stack)
    path = Path(bot)
    if path.is_dir():
        if not (path / "main.py").is_file():
            raise NoMainError(bot)
        return LocatedBot(one_line(path.resolve().name), path.resolve(), "")
    if not path.is_file():
        meant = f" Did you mean house:{bot}?" if _resolve_alias(bot, game) in house_bots(game) else ""
        raise CommandError(
            f"Bot not found: {bot}.{meant} Use a .py or .zip file, a folder with main.py, or house:NAME.",
            code="bot_not_found",
        )
    check_suffix(path)
    return _unpack_upload(path, one_line(path.stem), stack)


def check_suffix(path: Path) -> None:
    """Refuse files that are neither Python files nor archives. Raises CommandError."""
    if path.suffix.lower() not in (".py", ".zip"):
        raise CommandError(f"{path} is not a .py or .zip file. Choose another file.", code="other_file_type")


def _locate_house_bot(name: str, game: str, stack: ExitStack) -> LocatedBot:
    names, known = house_bots(game), _resolve_alias(name, game)
    if known not in names:
        close = difflib.get_close_matches(known, names, n=1)
        meant = f" Did you mean house:{close[0]}?" if close else ""
        raise CommandError(
            f"{game} has no house bot {name}.{meant} Choose from {', '.join(f'house:{one}' for one in names)}.",
            code="no_house_bot",
        )
    top = _house_folder(game)
    folder = top if known in _bot_names(top) else _levels_folder(game)
    return _write_package(read_module(folder / f"{known}.py", top), f"{_HOUSE_PREFIX}{known}", stack)


def _resolve_alias(name: str, game: str) -> str:
    plain = name.lower().replace("-", "_")
    return game_terminal(game).aliases.get(plain, plain)


def _unpack_upload(path: Path, name: str, stack: ExitStack) -> LocatedBot:
    try:
        package = read_package(path.read_bytes(), path.name)
    except PackageError as error:
        raise UploadError(error) from None
    except OSError as error:
        raise CommandError(
            f"Cannot read {path}: {error.strerror}. Choose another file.", code="file_unreadable"
        ) from None
    return _write_package(package, name, stack)


def _write_package(package: Package, name: str, stack: ExitStack) -> LocatedBot:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bot-", ignore_cleanup_errors=True)))
    package.write_to(folder)
    return LocatedBot(name, folder.resolve(), package.sha256)
