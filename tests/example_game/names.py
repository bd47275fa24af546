"""The setting that installs the example game."""

from __future__ import annotations

from typing import Final

EXTRA_GAMES: Final = "tests.example_game.lanterns.arena=tests.example_game.lanterns.bots"
