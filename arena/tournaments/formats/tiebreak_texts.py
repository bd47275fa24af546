"""Names and explanations of the tiebreaks: FIDE's names, and what each tiebreak counts."""

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
    """The name and explanation of a tiebreak.

    ``short``: the heading of its column; "" if the table already has such a column.
    """

    label: Promise
    short: str
    explanation: Promise


TEXTS: Final[Mapping[Tiebreak, TiebreakText]] = {
    Tiebreak.DIRECT_ENCOUNTER: TiebreakText(
        _("Direct encounter"),
        "",
        _(
            "Points from the matches among the tied bots, if all of them have met and have played the same number "
            "of these matches (FIDE C.07, 6)."
        ),
    ),
    Tiebreak.BUCHHOLZ: TiebreakText(
        _("Buchholz"),
        "BH",
        _(
            "The sum of the opponents' points; a bye or an unplayed encounter counts as an opponent with the bot's own "
            "points (FIDE C.07, 8.1 and 16.4)."
        ),
    ),
    Tiebreak.BUCHHOLZ_CUT_1: TiebreakText(
        _("Buchholz Cut-1"),
        "BH-C1",
        _("Buchholz without the opponent with the fewest points (FIDE C.07, 14.1)."),
    ),
    Tiebreak.SONNEBORN_BERGER: TiebreakText(
        _("Sonneborn-Berger"),
        "SB",
        _(
            "The sum of the opponents' points, each multiplied by the bot's result against that opponent (1 for a win, "
            "½ for a draw); unplayed rounds count as in Buchholz (FIDE C.07, 9.1)."
        ),
    ),
    Tiebreak.WINS: TiebreakText(_("Number of wins"), "", _("Matches won, including unplayed wins (FIDE C.07, 7.1).")),
    Tiebreak.MARGIN: TiebreakText(
        # Games with their own definition have it in ``GameSite.margin_text``.
        _("Margin"),
        "",
        _("The sum of the margins of all matches, with defeats subtracted (not a FIDE tiebreak)."),
    ),
}


@dataclass(frozen=True, slots=True)
class TiebreakColumn:
    """A tiebreak column in the standings: its index among an entry's tiebreaks, its heading and its name.

    ``decimals``: number of decimals shown; None for points, which are shown with halves as ½.
    """

    index: int
    short: str
    label: str
    decimals: int | None = None


def columns_of(tiebreaks: tuple[Tiebreak, ...]) -> list[TiebreakColumn]:
    """Return columns for the chosen tiebreaks that the table does not already show."""
    return [
        TiebreakColumn(index, TEXTS[tiebreak].short, str(TEXTS[tiebreak].label))
        for index, tiebreak in enumerate(tiebreaks)
        if TEXTS[tiebreak].short
    ]


def score_columns(decimals: int) -> list[TiebreakColumn]:
    """Return a score attack's columns other than the total; ``decimals``: the number of decimals of a match score.

    arena.core.ranking.score_table defines the values.
    """
    return [
        TiebreakColumn(0, gettext("Mean"), gettext("Mean score per match"), decimals + 1),
        TiebreakColumn(1, gettext("Best"), gettext("Best match score"), decimals),
    ]
