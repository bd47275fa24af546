"""The setting that installs the made-up game."""

from __future__ import annotations

from typing import Final

EXTRA_GAMES: Final = "tests.made_up.lanterns.arena=tests.made_up.lanterns.bots"
