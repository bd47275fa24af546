"""The site's side of every installed game, by its name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from arena.games.registry import PACKAGES
from arena.games.site import GameSite


def _site(package: str) -> GameSite:
    site: GameSite = import_module(f"{package}.site").SITE
    return site


SITES: Final = {name: _site(one.package) for name, one in PACKAGES.items()}
