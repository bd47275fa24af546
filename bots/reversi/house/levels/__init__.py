"""Five levels for people to play against, from one that makes every mistake to the strongest.

Invariant: a level is a module in this folder that is uploaded like every bot; the folder is below that of the house
bots, so no level plays on the ladder.
"""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the place in the list, from 1, is the level.
LEVELS: Final = ("beginner", "casual", "club", "strong", "master")
