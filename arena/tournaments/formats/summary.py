"""Summarize a tournament in five short lines; arena.tournaments.formats.rule_texts has the exact rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.formats.traits import TRAITS, tiebreaks_of
from arena.tournaments.models import Format
from arena.ui.templatetags.ui import duration

_F = Format
_BRACKETS = (_F.KNOCKOUT, _F.DOUBLE_ELIMINATION)
Options = Mapping[str, Any]


def summary_of(pairing: Options, limits: Options) -> list[str]:
    """Return the pairing, scoring, tiebreaks, time limit and causes of forfeits.

    ``pairing``: the tournament's columns that define the pairing.
    """
    return [_meetings(pairing), _scoring_text(pairing), _tie_text(pairing), _time(limits), _faults(pairing, limits)]


def _meetings(pairing: Options) -> str:
    options, repeats = pairing["options"], pairing["repeats"]
    match pairing["format"]:
        case _F.ROUND_ROBIN | _F.DOUBLE_ROUND_ROBIN:
            times = repeats * (2 if pairing["format"] == _F.DOUBLE_ROUND_ROBIN else 1)
            text = ngettext(
                "Every bot meets every other bot once.", "Every bot meets every other bot %(n)s times.", times
            )
            return text % {"n": times}
        case _F.GROUPS:
            text = _("Groups of up to %(size)s play first. The best %(n)s of each group reach the finals.")
            return text % {"size": options.get("group_size", 4), "n": options.get("advance", 2)}
        case _F.SWISS:
            return _("Each round pairs bots with similar scores. Nobody is eliminated.")
        case _F.KNOCKOUT:
            return _("Lose once and you are out. Winners play each other until one is left.")
        case _F.DOUBLE_ELIMINATION:
            return _("Lose twice and you are out. The last two meet in the final.")
        case _F.GAUNTLET:
            return _("A few selected bots play all the others.")
        case _F.TABLE if options.get("seats", 0):
            return _("Bots meet at tables of up to %(n)s, redrawn for each round.") % {"n": options["seats"]}
        case _F.TABLE:
            text = ngettext(
                "All bots play one match at a single table.", "All bots play %(n)s matches at a single table.", repeats
            )
            return text % {"n": repeats}
    text = ngettext("Every bot plays the same deal.", "Every bot plays the same %(n)s deals.", repeats)
    return text % {"n": repeats}


def _scoring_text(pairing: Options) -> str:
    if TRAITS[pairing["format"]].scored:
        return _("The scores of all deals are added together. The highest total wins.")
    if pairing["format"] == _F.TABLE:
        return _("At a table, you get 1 point for every bot ranked below you and ½ for every bot tied with you.")
    if pairing["format"] in _BRACKETS:
        text = ngettext(
            "Each encounter has %(n)s match. The winner advances.",
            "Each encounter has %(n)s matches. The bot with more points advances.",
            pairing["games"],
        )
        return text % {"n": pairing["games"]}
    return _("A win is worth 1 point, a draw ½.")


def _tie_text(pairing: Options) -> str:
    if TRAITS[pairing["format"]].scored:
        return _("If totals are equal, the best single score decides.")
    if pairing["format"] in _BRACKETS:
        return _("A tied encounter goes to the bot with the larger margin, then to the higher seed.")
    first = TEXTS[tiebreaks_of(pairing["format"], pairing["tiebreaks"])[0]].label
    return _("Ties on points are broken first by: %(tiebreak)s.") % {"tiebreak": first}


def _time(limits: Options) -> str:
    return _("A bot has %(time)s for each move.") % {"time": duration(limits["move_seconds"])}


def _faults(pairing: Options, limits: Options) -> str:
    if pairing["format"] == _F.TABLE:
        text = ngettext(
            "After a crash, a timeout or %(n)s illegal answer, a bot is out of the match and ranks last.",
            "After a crash, a timeout or %(n)s illegal answers in one turn, a bot is out of the match and ranks last.",
            limits["illegal_answers"],
        )
    elif TRAITS[pairing["format"]].scored:
        text = ngettext(
            "A crash, a timeout or %(n)s illegal answer ends the match and counts as a fault. "
            "Bots with fewer faults rank higher.",
            "A crash, a timeout or %(n)s illegal answers in one turn end the match and count as a fault. "
            "Bots with fewer faults rank higher.",
            limits["illegal_answers"],
        )
    else:
        text = ngettext(
            "A crash, a timeout or %(n)s illegal answer loses the match.",
            "A crash, a timeout or %(n)s illegal answers in one turn lose the match.",
            limits["illegal_answers"],
        )
    return text % {"n": limits["illegal_answers"]}
