"""Entry point for notebooks: ``from bots.notebook import GAME``, for games that have a ``notebook`` module."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from arena.games.registry import PACKAGES

for _game, _installed in PACKAGES.items():
    if find_spec(f"{_installed.bots}.notebook"):
        globals()[_game] = sys.modules[f"{__name__}.{_game}"] = import_module(f"{_installed.bots}.notebook")
