"""Five levels for people to play against, from one that plays half of its moves at random to the strongest.

Invariant: a level is a module in this folder and is uploaded like every other bot. Of the house bots, only the
modules directly in their folder play on the ladder, so no level does.
"""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the level is the position in this list, starting from 1.
LEVELS: Final = ("beginner", "casual", "club", "strong", "master")
