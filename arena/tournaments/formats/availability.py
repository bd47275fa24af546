"""The formats in which a game can be played, and why it cannot be played in the others."""

from __future__ import annotations

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.games.base import Scoring
from arena.games.registry import GAMES
from arena.tournaments.models import Format


def formats_of(game: str) -> list[Format]:
    return [format_ for format_ in Format if not unavailability_reason(game, format_)]


def unavailability_reason(game: str, format_: str) -> str:
    """Return why the game cannot be played in this format, in the reader's language; "" if it can."""
    rules = GAMES[game]
    match format_:
        case Format.SCORE_ATTACK:
            if rules.scoring is Scoring.SCORED and rules.min_seats == 1:
                return ""
            return _("Only for games that a bot can play alone and whose scores are comparable.")
        case Format.TABLE:
            if rules.max_seats > 2:
                return ""
            return ngettext(
                "A match of this game has %(n)s seat. A table needs at least three.",
                "A match of this game has %(n)s seats. A table needs at least three.",
                rules.max_seats,
            ) % {"n": rules.max_seats}
    if rules.max_seats == 1:
        return _("Matches of this game have only one seat, so bots cannot play each other.")
    if rules.min_seats > 2:
        return _("Matches of this game need at least %(n)s seats, so a match between two bots is not possible.") % {
            "n": rules.min_seats
        }
    return ""


def unavailable(game: str) -> list[str]:
    """Return one line per reason, listing the formats that it makes unavailable."""
    reasons: dict[str, list[str]] = {}
    for format_ in Format:
        if reason := unavailability_reason(game, format_):
            reasons.setdefault(reason, []).append(str(format_.label))
    last = _("and")
    return [
        _("Not offered: %(formats)s. %(reason)s") % {"formats": get_text_list(labels, last), "reason": reason}
        for reason, labels in reasons.items()
    ]
