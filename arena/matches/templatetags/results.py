"""The result of a match in one sentence, in the second person for its players and authors.

``static/js/matches/results.js`` produces the same text during a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from arena.core.number_format import format_number
from arena.games.localized_messages import FAULT_LABELS
from arena.games.sites import SITES
from arena.games.templatetags.games import points
from arena.matches.queries import SeatRow, match_names
from arena.matches.results import Forfeit, Json, format_score, result_of
from arena.ui.localized import ordinal

register = template.Library()

# By the code of the result; see MatchResult.
RESULT_TEXTS: Final = {
    "time_limit": gettext_lazy("No winner: the match reached its time limit"),
    "draw": gettext_lazy("A draw, %(mine)s to %(theirs)s"),
    "wins": gettext_lazy("%(winner)s wins %(mine)s to %(theirs)s"),
    "wins_by_forfeit": gettext_lazy("%(winner)s wins by forfeit. %(loser)s: %(why)s"),
    "wins_by_resignation": gettext_lazy("%(winner)s wins: %(loser)s resigned"),
    "wins_with": gettext_lazy("%(name)s wins with %(points)s"),
    "shared": gettext_lazy("Shared first place with %(points)s: %(names)s"),
    "scored": gettext_lazy("%(name)s scored %(points)s"),
    "score": pgettext_lazy("result", "%(name)s: %(score)s"),
    "you.drew": gettext_lazy("You drew %(mine)s to %(theirs)s"),
    "you.won": gettext_lazy("You won %(mine)s to %(theirs)s"),
    "you.lost": gettext_lazy("You lost %(mine)s to %(theirs)s"),
    "you.won_by_forfeit": gettext_lazy("You won by forfeit. %(loser)s: %(why)s"),
    "you.lost_by_forfeit": gettext_lazy("You lost by forfeit: %(why)s"),
    "you.won_by_resignation": gettext_lazy("You won: %(loser)s resigned"),
    "you.lost_by_resignation": gettext_lazy("You lost: you resigned"),
    "you.scored": gettext_lazy("You scored %(points)s"),
    "you.tied": gettext_lazy("You tied for %(rank)s of %(seats)s with %(points)s"),
    "you.won_with": gettext_lazy("You won with %(points)s, first of %(seats)s"),
    "you.finished": gettext_lazy("You finished %(rank)s of %(seats)s with %(points)s"),
    "you.resigned": gettext_lazy("You resigned with %(points)s"),
    "you.resigned_with_score": gettext_lazy("You resigned. %(result)s"),
    "your_bot.drew": gettext_lazy("Your bot drew %(mine)s to %(theirs)s"),
    "your_bot.won": gettext_lazy("Your bot won %(mine)s to %(theirs)s"),
    "your_bot.lost": gettext_lazy("Your bot lost %(mine)s to %(theirs)s"),
    "your_bot.won_by_forfeit": gettext_lazy("Your bot won by forfeit. %(loser)s: %(why)s"),
    "your_bot.lost_by_forfeit": gettext_lazy("Your bot lost by forfeit: %(why)s"),
    "your_bot.won_by_resignation": gettext_lazy("Your bot won: %(loser)s resigned"),
    "your_bot.lost_by_resignation": gettext_lazy("Your bot lost: it resigned"),
    "your_bot.scored": gettext_lazy("Your bot scored %(points)s"),
    "your_bot.tied": gettext_lazy("Your bot tied for %(rank)s of %(seats)s with %(points)s"),
    "your_bot.won_with": gettext_lazy("Your bot won with %(points)s, first of %(seats)s"),
    "your_bot.finished": gettext_lazy("Your bot finished %(rank)s of %(seats)s with %(points)s"),
}


@register.simple_tag
def match_result(snapshot: Json) -> str:
    """Return a sentence that says who won and by how much; "" before the end.

    ``snapshot["reader"]``: see arena.matches.queries.ReaderSeats.
    """
    result = result_of(snapshot)
    if result is None:
        return ""
    values = _localized(result.values)
    if result.code == "you.resigned_with_score":
        values = {"result": RESULT_TEXTS["score"] % values}
    sentence = RESULT_TEXTS[result.code] % values
    if not result.forfeits:
        return sentence
    why = _forfeit_reasons(result.forfeits, is_named=not (snapshot.get("reader") or len(snapshot["seats"]) == 1))
    return _("%(result)s. %(why)s") % {"result": sentence, "why": why}


@register.simple_tag
def match_name(match_id: int) -> str:
    """Return the players of a match, such as "Corners – Mia"."""
    return match_names([match_id]).get(match_id, "")


@register.simple_tag
def seat_score(game: str, seat: SeatRow) -> str:
    """Return the score of a listed seat, as the title of its match page shows it; "" if there is none."""
    if seat.count is not None:
        return format_number(seat.count)
    return "" if seat.points is None else format_score(SITES[game], seat.points)


def _forfeit_reasons(forfeits: tuple[Forfeit, ...], *, is_named: bool) -> str:
    if not is_named:
        return _forfeit_reason(forfeits[0][1])
    texts = [_("%(name)s: %(why)s") % {"name": _seat_name(name), "why": _forfeit_reason(why)} for name, why in forfeits]
    return pgettext("between names", ", ").join(texts)


def _points_text(value: float) -> str:
    """Format a number of points, such as "1 point" or "12 points"."""
    return ngettext("%(n)s point", "%(n)s points", 1 if abs(value) == 1 else 2) % {"n": points(value)}


def _seat_name(name: str) -> str:
    return name or _("Guest")


def _seat_names(names: tuple[str, ...]) -> str:
    return pgettext("between names", ", ").join(map(_seat_name, names))


def _forfeit_reason(fault: str | None) -> str:
    return str(FAULT_LABELS.get(fault, fault)) if fault else _("Forfeit")


# By the name of the value; others are used as they are.
_LOCALIZE: Final[Mapping[str, Callable[[Any], str]]] = {
    "winner": _seat_name,
    "loser": _seat_name,
    "name": _seat_name,
    "names": _seat_names,
    "why": _forfeit_reason,
    "points": _points_text,
    "rank": ordinal,
}


def _localized(values: Json) -> dict[str, Any]:
    return {name: _LOCALIZE[name](value) if name in _LOCALIZE else value for name, value in values.items()}
