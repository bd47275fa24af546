"""Summarize a tournament in five sentences; arena.tournaments.formats.rule_texts has the exact rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.core.ranking.pairing.groups import Finals
from arena.core.ranking.tiebreaks import Tiebreak
from arena.games.sites import SITES
from arena.games.templatetags.games import turn_words
from arena.tournaments.formats.pairing_texts import gauntlet_text, round_robin_text
from arena.tournaments.formats.traits import TRAITS, tiebreaks_of
from arena.tournaments.models import Format
from arena.ui.templatetags.ui import duration

_F = Format
_BRACKETS = (_F.KNOCKOUT, _F.DOUBLE_ELIMINATION)
Options = Mapping[str, Any]
_FIRST_TIEBREAK: Final[Mapping[Tiebreak, Promise]] = {
    Tiebreak.DIRECT_ENCOUNTER: gettext_lazy(
        "If bots have equal points, the points from the matches between them are compared first."
    ),
    Tiebreak.BUCHHOLZ: gettext_lazy(
        "If bots have equal points, the points of all their opponents are added up and compared first (Buchholz)."
    ),
    Tiebreak.BUCHHOLZ_CUT_1: gettext_lazy(
        "If bots have equal points, the points of all their opponents except the weakest are added up and compared "
        "first (Buchholz Cut-1)."
    ),
    Tiebreak.SONNEBORN_BERGER: gettext_lazy(
        "If bots have equal points, the points of the opponents that they beat and half the points of those that "
        "they drew with are added up and compared first (Sonneborn-Berger)."
    ),
    Tiebreak.WINS: gettext_lazy("If bots have equal points, the number of wins is compared first."),
    Tiebreak.MARGIN: gettext_lazy("If bots have equal points, their total margins are compared first."),
}


def summary_of(pairing: Options, limits: Options, game: str) -> list[str]:
    """Describe the pairing, scoring, tiebreaks, time limit and causes of forfeits.

    ``pairing``: the tournament's columns that define the pairing.
    """
    return [
        _meetings(pairing),
        _scoring_text(pairing),
        _tie_text(pairing, game),
        _time(limits),
        _faults(pairing, limits, game),
    ]


def _meetings(pairing: Options) -> str:
    options, repeats = pairing["options"], pairing["repeats"]
    match pairing["format"]:
        case _F.ROUND_ROBIN | _F.DOUBLE_ROUND_ROBIN:
            return round_robin_text(repeats * (2 if pairing["format"] == _F.DOUBLE_ROUND_ROBIN else 1))
        case _F.GROUPS:
            return _groups_text(options)
        case _F.SWISS:
            return _swiss_text(options.get("rounds", 0))
        case _F.KNOCKOUT:
            return _("A bot is eliminated when it loses an encounter, and the last bot left wins.")
        case _F.DOUBLE_ELIMINATION:
            return _("A bot is eliminated after losing two encounters, and the last two bots meet in the final.")
        case _F.GAUNTLET:
            return gauntlet_text(options)
        case _F.TABLE if options.get("seats", 0):
            return _("Bots meet at tables of up to %(n)s, redrawn for each round.") % {"n": options["seats"]}
        case _F.TABLE:
            text = ngettext(
                "All bots play one match at a single table.", "All bots play %(n)s matches at a single table.", repeats
            )
            return text % {"n": repeats}
    text = ngettext(
        "Every bot plays with the same random seed.", "Every bot plays with the same %(n)s random seeds.", repeats
    )
    return text % {"n": repeats}


def _groups_text(options: Options) -> str:
    if options.get("finals") == Finals.ROUND_ROBIN:
        text = _(
            "After round robins in groups of up to %(size)s, the top %(n)s in each group advance to the finals, "
            "another round robin."
        )
    else:
        text = _(
            "After round robins in groups of up to %(size)s, the top %(n)s in each group advance to the finals, a "
            "knockout."
        )
    return text % {"size": options.get("group_size", 4), "n": options.get("advance", 2)}


def _swiss_text(rounds: int) -> str:
    if not rounds:
        return _(
            "No bot is eliminated: bots with similar scores meet in up to two more rounds than in a knockout, and a "
            "bot left without an opponent gets a bye, which counts as a win."
        )
    text = ngettext(
        "No bot is eliminated: bots with similar scores meet in one round, and a bot left without an opponent gets a "
        "bye, which counts as a win.",
        "No bot is eliminated: bots with similar scores meet in up to %(n)s rounds, and a bot left without an opponent "
        "gets a bye, which counts as a win.",
        rounds,
    )
    return text % {"n": rounds}


def _scoring_text(pairing: Options) -> str:
    if TRAITS[pairing["format"]].scored:
        return _("The highest total score over all random seeds wins.")
    if pairing["format"] == _F.TABLE:
        return _(
            "At a table, a bot scores 1 point for every bot ranked below it and ½ for every bot tied with it; total "
            "points decide the ranking."
        )
    if pairing["format"] in _BRACKETS:
        text = ngettext(
            "Each encounter is a single match, and its winner advances.",
            "Each encounter has %(n)s matches, and the bot with more points advances.",
            pairing["matches_per_encounter"],
        )
        return text % {"n": pairing["matches_per_encounter"]}
    if pairing["format"] == _F.GROUPS:
        return _("A win is worth 1 point and a draw ½; total points decide the ranking in a group.")
    return _("A win is worth 1 point and a draw ½; total points decide the ranking.")


def _tie_text(pairing: Options, game: str) -> str:
    if TRAITS[pairing["format"]].scored:
        return _("If totals are equal, the best single score decides.")
    if pairing["format"] in _BRACKETS:
        return _(
            "A tied encounter goes to the bot with the larger margin or, if the margins are equal, to the higher seed."
        )
    first = tiebreaks_of(pairing["format"], pairing["tiebreaks"])[0]
    if first == Tiebreak.MARGIN and SITES[game].margin_is_score:
        return _("If bots have equal points, their total scores are compared first.")
    return str(_FIRST_TIEBREAK[first])


def _time(limits: Options) -> str:
    return _("A bot has %(time)s for each move.") % {"time": duration(limits["move_seconds"])}


def _faults(pairing: Options, limits: Options, game: str) -> str:
    if pairing["format"] == _F.TABLE:
        text = ngettext(
            "A bot that crashes, runs out of time or gives an illegal answer is removed from the match and ranks below "
            "all bots that finish it.",
            "A bot that crashes, runs out of time or gives %(n)s illegal answers %(within)s is removed from the match "
            "and ranks below all bots that finish it.",
            limits["illegal_answers"],
        )
    elif TRAITS[pairing["format"]].scored:
        text = ngettext(
            "A bot that crashes, runs out of time or gives an illegal answer keeps its score so far in that match, "
            "but ranks below all bots with fewer faults.",
            "A bot that crashes, runs out of time or gives %(n)s illegal answers %(within)s keeps its score so far "
            "in that match, but ranks below all bots with fewer faults.",
            limits["illegal_answers"],
        )
    else:
        text = ngettext(
            "A bot loses the match if it crashes, runs out of time or gives an illegal answer.",
            "A bot loses the match if it crashes, runs out of time or gives %(n)s illegal answers %(within)s.",
            limits["illegal_answers"],
        )
    return text % {"n": limits["illegal_answers"], "within": turn_words(game).within}
