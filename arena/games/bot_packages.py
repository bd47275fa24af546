"""Where the packages of games are on this machine, those of their bots above all: they are mounted, not imported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from arena.games.registry import GAMES, PACKAGES


def bots_folder(game: str) -> Path:
    """The folder of starter, example scripts and house bots of a game."""
    return package_folder(PACKAGES[game].bots)


def house_folders() -> dict[str, Path]:
    """Where the house bots of each game are; not every game has any."""
    return {game: bots_folder(game) / "house" for game in GAMES}


def house_digest(folders: Iterable[Path]) -> str:
    """Of names and contents of the house bots' files: another one when a bot is added, removed or changed."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            name = f"{folder.parent.name}/{path.relative_to(folder).as_posix()}"
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def sdk_packages() -> dict[str, Path]:
    """The packages of all games that enter the jail, with their folders."""
    return {one.sdk: package_folder(one.sdk) for one in PACKAGES.values()}


def harness_argument(game: str) -> str:
    """What the harness, started as a script, is told of a game: ``PACKAGE=FOLDER``, from which it is imported."""
    name = PACKAGES[game].sdk
    return f"{name}={package_folder(name).parents[name.count('.')]}"


def package_folder(name: str) -> Path:
    """The folder of a package, of which nothing is imported but the packages around it.

    Raises ModuleNotFoundError.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"There is no package {name}.", name=name)
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def starter(game: str) -> str:
    """The source that the editor begins with; empty where the game has none."""
    path = bots_folder(game) / "starter.py"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def script_example(game: str, name: str) -> str:
    """The source of a small bot that was written for another site."""
    return (bots_folder(game) / "scripts" / f"{name}.py").read_text(encoding="utf-8")


def starters() -> dict[str, str]:
    """Every game's, for the page on which the game is chosen."""
    return {game: starter(game) for game in GAMES}
