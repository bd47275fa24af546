"""The tiebreaks in the words of the pages: FIDE's names, and what each one counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.core.ranking.tiebreaks import Tiebreak


@dataclass(frozen=True, slots=True)
class TiebreakText:
    """``short`` heads the column of its values; "" where the table has a column for them anyway."""

    label: Promise
    short: str
    explanation: Promise


TEXTS: Final[Mapping[Tiebreak, TiebreakText]] = {
    Tiebreak.DIRECT_ENCOUNTER: TiebreakText(
        _("Direct encounter"),
        "",
        _("The points from the matches among exactly those who are level, if all of them have met (FIDE C.07, DE)."),
    ),
    Tiebreak.BUCHHOLZ: TiebreakText(
        _("Buchholz"),
        "BH",
        _("The sum of the points of all opponents: who met the stronger field is ahead (FIDE C.07, BH)."),
    ),
    Tiebreak.BUCHHOLZ_CUT_1: TiebreakText(
        _("Buchholz Cut-1"),
        "BH-C1",
        _("Buchholz without the opponent who has the fewest points (FIDE C.07, BH-C1)."),
    ),
    Tiebreak.SONNEBORN_BERGER: TiebreakText(
        _("Sonneborn-Berger"),
        "SB",
        _("The points of every opponent beaten, and half of those of everyone held to a draw (FIDE C.07, SB)."),
    ),
    Tiebreak.WINS: TiebreakText(
        _("Number of wins"), "", _("Won matches, those without play included (FIDE C.07, WIN).")
    ),
    Tiebreak.MARGIN: TiebreakText(
        _("Margin"), "", _("By how much matches were won, or the scores, added up: the game's own measure, not FIDE's.")
    ),
}


@dataclass(frozen=True, slots=True)
class TiebreakColumn:
    """A column of the standings: the place of the value among an entry's tiebreaks, its heading and name.

    ``decimals``: how many are shown; None: points, with halves as ½.
    """

    index: int
    short: str
    label: str
    decimals: int | None = None


def columns_of(tiebreaks: tuple[Tiebreak, ...]) -> list[TiebreakColumn]:
    """The chosen tiebreaks whose values the table would not show otherwise."""
    return [
        TiebreakColumn(index, TEXTS[tiebreak].short, str(TEXTS[tiebreak].label))
        for index, tiebreak in enumerate(tiebreaks)
        if TEXTS[tiebreak].short
    ]


def score_columns(decimals: int) -> list[TiebreakColumn]:
    """What a score attack shows beside the total, see arena.core.ranking.score_table."""
    return [
        TiebreakColumn(0, gettext("Mean"), gettext("Mean score of a match"), decimals + 1),
        TiebreakColumn(1, gettext("Best"), gettext("Best score of a match"), decimals),
    ]
