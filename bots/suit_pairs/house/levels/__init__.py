"""Five levels for people to play against: one policy that learnt by self-play, the longer the higher the level."""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the place in the list, from 1, is the level.
LEVELS: Final = ("level1", "level2", "level3", "level4", "level5")
