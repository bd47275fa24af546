"""List the libraries that bots may import beyond the standard library, and find a bot's imports that are unavailable.

The list is this project's extra ``bot-libraries``; a site may have more.
"""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from arena.games.registry import PACKAGES
from bots.sdk.game import GameSdk

_PROJECT = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"
_SHIMS = Path(__file__).resolve().parent.parent / "sdk" / "shims"
_EXTRA = "bot-libraries"
# Distributions whose module has a different name.
_MODULES = {"python-dateutil": "dateutil"}
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def permitted_libraries() -> list[str]:
    """Return the libraries' names, read from pyproject.toml in a checkout, or else from the installed package."""
    if _PROJECT.is_file():
        extras = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        wanted = extras[_EXTRA]
    else:
        requirements = importlib.metadata.requires("bot-arena") or []
        wanted = [one for one in requirements if re.search(rf"extra == ['\"]{_EXTRA}['\"]", one)]
    return sorted(match[0] for one in wanted if (match := _NAME.match(one)))


def import_name(library: str) -> str:
    """Return the module name under which a library is imported."""
    return _MODULES.get(library, library)


def unknown_imports(folder: Path, game: str, libraries: list[str]) -> list[str]:
    """Return the top-level modules that a bot's files import but that neither the bot nor the arena provides."""
    sdk: GameSdk = import_module(PACKAGES[game].sdk).SDK
    shims = [_SHIMS, *([Path(sdk.shims_folder)] if sdk.shims else [])]
    known = {*sys.stdlib_module_names, *map(import_name, libraries), "bots"}
    known |= {path.name.removesuffix(".py") for place in (*shims, folder) for path in place.iterdir()}
    return sorted({name for path in folder.rglob("*.py") for name in _imported_modules(path)} - known)


def _imported_modules(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # the check reports this
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
