"""A game played to its end by chance: the quickest answer to who is better off.

Instead of asking which moves are legal and drawing one, the empty squares are tried in a random order; the first on
which a disc flips is played. That is a legal move drawn by chance as well, at half the cost or less: most squares
are tried in a few instructions, those without a neighbour of the other side in one.
"""

from __future__ import annotations

import random

from .bitboard import FULL, each, flips, neighbours
from .evaluation import final


def playout(own: int, other: int, chance: random.Random) -> int:
    """By how many discs the side to move wins."""
    empties = list(each(FULL & ~(own | other)))
    chance.shuffle(empties)
    me, passed = 1, False
    while empties:
        beside = neighbours(other)
        for index, move in enumerate(empties):
            if move & beside and (turned := flips(own, other, move)):
                del empties[index]
                own, other = other ^ turned, own | turned | move
                passed = False
                break
        else:
            if passed:
                break
            own, other, passed = other, own, True
        me = -me
    return me * final(own, other)
