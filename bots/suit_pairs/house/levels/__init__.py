"""Five levels of house bots for people to play against: one policy at five stages of its self-play training."""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the level is the position in this list, starting from 1.
LEVELS: Final = ("level1", "level2", "level3", "level4", "level5")
