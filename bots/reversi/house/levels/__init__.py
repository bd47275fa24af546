"""Five levels for people to play against, from one that plays half of its moves at random to the strongest.

Invariant: a level is a module in this folder and is uploaded like every other bot. Levels do
not play on the ladder, because only the house bots directly in the folder ``house`` do.
"""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the level is the position in this list, starting from 1.
LEVELS: Final = ("beginner", "casual", "club", "strong", "master")
