"""Import contracts that cover every installed game, so that a new game adds none.

In a list of modules, ``games.apps`` means the Django apps that serve one game (packages with an ``apps.py`` inside a
game's package), ``games.site`` what the site imports from a game (``SITE_MODULES``), ``games.pure`` all its other
modules, and ``games`` the packages themselves. Modules of one layer may import each other; games never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from arena.games.registry import INSTALLED

ROOT: Final = Path(__file__).resolve().parents[1]
SITE_MODULES: Final = frozenset({"apps", "settings", "site", "templatetags", "urls", "views"})
_TOKEN: Final = re.compile(r"games(\.(apps|site|pure))?")


def modules_of(token: str) -> list[str]:
    """Return the modules for which a token such as ``games.pure`` stands."""
    packages = [one.package for one in INSTALLED]
    if token == "games":
        return packages
    kind = token.partition(".")[2]
    return [f"{package}.{name}" for package in packages for name, found in _game_modules(package) if found == kind]


def _game_modules(package: str) -> Iterator[tuple[str, str]]:
    """Yield the modules and packages of a game, each with its kind."""
    folder = ROOT / package.replace(".", "/")
    for path in sorted(folder.iterdir()):
        is_package = (path / "__init__.py").is_file()
        if (path.suffix != ".py" and not is_package) or path.name == "__init__.py":
            continue
        is_app = is_package and (path / "apps.py").is_file()
        yield path.stem, "apps" if is_app else "site" if path.stem in SITE_MODULES else "pure"


def expand_layer(layer: str) -> str:
    """Return a layer with its tokens replaced by the games' modules, all of which may import each other."""
    modules = [one.strip() for one in re.split(r"[|:]", layer)]
    if not any(_TOKEN.fullmatch(one) for one in modules):
        return layer
    return " : ".join(one for module in modules for one in _expand_tokens(module))


def _expand_tokens(module: str) -> list[str]:
    return modules_of(module) if _TOKEN.fullmatch(module) else [module]


def _with_games(options: dict[str, Any], field: str) -> dict[str, Any]:
    return {**options, field: [one for module in options[field] for one in _expand_tokens(module)]}


class GameLayers(LayersContract):
    """A layers contract whose ``layers`` may include tokens that stand for modules of every game."""

    def __init__(self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]) -> None:
        layers = [expand_layer(layer) for layer in contract_options["layers"]]
        super().__init__(name, session_options, {**contract_options, "layers": layers})


class GameForbidden(ForbiddenContract):
    """A forbidden contract whose ``source_modules`` may include tokens that stand for modules of every game."""

    def __init__(self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]) -> None:
        super().__init__(name, session_options, _with_games(contract_options, "source_modules"))


class GameIndependence(IndependenceContract):
    """An independence contract whose ``modules`` may include tokens that stand for modules of every game."""

    def __init__(self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]) -> None:
        super().__init__(name, session_options, _with_games(contract_options, "modules"))
