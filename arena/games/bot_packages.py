"""Locate the games' packages on disk, mainly their bot packages, which are mounted rather than imported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from arena.games.registry import GAMES, PACKAGES


def bots_folder(game: str) -> Path:
    """Return the folder with a game's starter, example scripts and house bots."""
    return package_folder(PACKAGES[game].bots)


def house_folders() -> dict[str, Path]:
    """Return each game's folder of house bots, for the games that have one."""
    return {game: bots_folder(game) / "house" for game in GAMES}


def house_digest(folders: Iterable[Path]) -> str:
    """Return a digest of the names and contents of the house bots' files; a change to any file changes the digest."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            name = f"{folder.parent.name}/{path.relative_to(folder).as_posix()}"
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def sdk_packages() -> dict[str, Path]:
    """Return the folders of the games' SDK packages, which are mounted into the jail, keyed by package name."""
    return {one.sdk: package_folder(one.sdk) for one in PACKAGES.values()}


def harness_argument(game: str) -> str:
    """Return the harness argument for a game: ``PACKAGE=FOLDER``, which imports the package from FOLDER."""
    name = PACKAGES[game].sdk
    return f"{name}={package_folder(name).parents[name.count('.')]}"


def package_folder(name: str) -> Path:
    """Return the folder of a package; import only its parent packages.

    Raises ModuleNotFoundError.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"There is no package named {name}.", name=name)
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def starter(game: str) -> str:
    """Return the editor's initial source; empty if the game has no starter."""
    path = bots_folder(game) / "starter.py"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def tutorial_steps(game: str) -> tuple[str, ...]:
    """Return the sources of the bots built in the game's tutorial, in order; empty if it has no tutorial."""
    paths = (bots_folder(game) / "tutorial").glob("step*.py")
    ordered = sorted(paths, key=lambda path: int(path.stem.removeprefix("step")))
    return tuple(path.read_text(encoding="utf-8") for path in ordered)


@dataclass(frozen=True, slots=True)
class ExampleBot:
    """A short complete bot for the guide; the start of its docstring is its title."""

    name: str
    source: str


def example_bots(game: str) -> tuple[ExampleBot, ...]:
    """Return the game's example bots, the shortest first; empty if it has none."""
    paths = (bots_folder(game) / "examples").glob("[a-z]*.py")
    found = [ExampleBot(path.stem, path.read_text(encoding="utf-8")) for path in paths]
    return tuple(sorted(found, key=lambda one: len(one.source)))


def script_example(game: str, name: str) -> str:
    """Return the source of the example ``name``, a small bot written for another site."""
    return (bots_folder(game) / "scripts" / f"{name}.py").read_text(encoding="utf-8")


def starters() -> dict[str, str]:
    """Return the starters of all games, for the page on which authors choose a game."""
    return {game: starter(game) for game in GAMES}
