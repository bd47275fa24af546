"""The formats in which a game can be played, and why it cannot be played in the others."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.games.base import Scoring
from arena.games.registry import GAMES
from arena.tournaments.models import Format


class UnsuitableReason(StrEnum):
    """The reason why a game cannot be played in a format."""

    NOT_SCORED = "not_scored"  # bots cannot play alone, or scores of different matches are not comparable
    SMALL_TABLE = "small_table"  # fewer than three seats
    ONE_SEAT = "one_seat"
    NO_PAIRS = "no_pairs"  # no match between two bots


def formats_of(game: str) -> list[Format]:
    return [format_ for format_ in Format if not unavailability_reason(game, format_)]


def unavailability_reason(game: str, format_: str) -> UnsuitableReason | None:
    """Return why the game cannot be played in this format; None if it can."""
    rules = GAMES[game]
    match format_:
        case Format.SCORE_ATTACK:
            plays_alone = rules.scoring is Scoring.SCORED and rules.min_seats == 1
            return None if plays_alone else UnsuitableReason.NOT_SCORED
        case Format.TABLE:
            return None if rules.max_seats > 2 else UnsuitableReason.SMALL_TABLE
    if rules.max_seats == 1:
        return UnsuitableReason.ONE_SEAT
    return UnsuitableReason.NO_PAIRS if rules.min_seats > 2 else None


def reason_text(game: str, reason: UnsuitableReason) -> str:
    """Return why a game cannot be played in a format, in the reader's language."""
    rules = GAMES[game]
    match reason:
        case UnsuitableReason.NOT_SCORED:
            return _("Only for games that a bot can play alone and whose scores are comparable.")
        case UnsuitableReason.SMALL_TABLE:
            return ngettext(
                "A match of this game has %(n)s seat. A table needs at least three.",
                "A match of this game has %(n)s seats. A table needs at least three.",
                rules.max_seats,
            ) % {"n": rules.max_seats}
        case UnsuitableReason.ONE_SEAT:
            return _("Matches of this game have only one seat, so bots cannot play each other.")
        case UnsuitableReason.NO_PAIRS:
            return _("Matches of this game need at least %(n)s seats, so a match between two bots is not possible.") % {
                "n": rules.min_seats
            }


def unavailable_formats(game: str) -> list[str]:
    """Return one line per reason, listing the formats that it makes unavailable."""
    reasons: dict[UnsuitableReason, list[str]] = {}
    for format_ in Format:
        if reason := unavailability_reason(game, format_):
            reasons.setdefault(reason, []).append(str(format_.label))
    comma = pgettext("between names", ", ")
    return [
        _("Not offered: %(formats)s. %(reason)s") % {"formats": comma.join(labels), "reason": reason_text(game, reason)}
        for reason, labels in reasons.items()
    ]
