"""Five levels for people to play against, from one that makes every mistake to the best there is.

Invariant: a level is a module beside this one that uploads like every bot; they lie one folder deeper than the house
bots, so none of them plays on the ladder.
"""

from __future__ import annotations

from typing import Final

# From the weakest to the strongest; the place in the list, from 1, is the level.
LEVELS: Final = ("beginner", "casual", "club", "strong", "master")
