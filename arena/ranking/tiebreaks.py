"""What parts entries that have the same points."""

from __future__ import annotations

from enum import StrEnum


class Tiebreak(StrEnum):
    """The criteria an organizer may choose and order; the names are those of FIDE Handbook C.07."""

    BUCHHOLZ = "buchholz"  # the points of one's opponents
    BUCHHOLZ_CUT_1 = "buchholz_cut_1"  # the same without the weakest of them
    SONNEBORN_BERGER = "sonneborn_berger"  # the points of the beaten, half of those of the drawn
    DIRECT_ENCOUNTER = "direct_encounter"  # points among exactly those who are level
    WINS = "wins"  # matches won, those without play included
    MARGIN = "margin"  # disc difference or score: the game's own measure, not FIDE's


DEFAULT_TIEBREAKS = (Tiebreak.DIRECT_ENCOUNTER, Tiebreak.WINS, Tiebreak.MARGIN)
