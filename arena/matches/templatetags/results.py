"""The result of a match in one sentence, in the second person for its players and authors.

``static/js/matches/results.js`` produces the same text during a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.core.number_format import format_number
from arena.games.localized_messages import FAULT_LABELS
from arena.games.site import GameSite
from arena.games.sites import SITES
from arena.games.templatetags.games import points
from arena.matches.queries import SeatRow, match_names
from arena.ui.localized import ordinal

register = template.Library()

Json = Mapping[str, Any]


@register.simple_tag
def match_result(snapshot: Json) -> str:
    """Return a sentence that says who won and by how much; "" before the end.

    ``snapshot["reader"]``: see arena.matches.queries.ReaderSeats.
    """
    outcome = snapshot["outcome"]
    if not outcome:
        return ""
    if outcome["termination"] == "time_limit":
        return _("No winner: the match reached its time limit")
    reader = snapshot.get("reader")
    if len(snapshot["seats"]) == 1 and _site_of(snapshot).score_decimals:
        return _add_forfeit_reasons(_single_seat_result(snapshot, reader), snapshot)
    if len(snapshot["seats"]) != 2:
        sentence = _table_result_for_reader(snapshot, reader) if reader else _table_result(snapshot["seats"], outcome)
        return _add_forfeit_reasons(sentence, snapshot)
    scores = scores_of(snapshot)
    return _duel_result_for_reader(snapshot, reader, scores) if reader else _duel_result(snapshot, scores)


def _site_of(snapshot: Json) -> GameSite:
    return SITES[snapshot["match"]["game"]]


def scores_of(snapshot: Json) -> list[str]:
    """Return the counts on the board by seat if the game has them, otherwise the points.

    The result is empty if there are neither, or if the match ended at its time limit.
    """
    site, outcome = _site_of(snapshot), snapshot["outcome"]
    if outcome and outcome["termination"] == "time_limit":
        return []
    if site.counts and snapshot["turns"]:
        return [format_number(count) for count in site.counts(snapshot["turns"][-1]["view"])]
    return [_format_score(site, value) for value in outcome["points"]] if outcome else []


@register.simple_tag
def match_name(match_id: int) -> str:
    """Return the players of a match, such as "Corners – Mia"."""
    return match_names([match_id]).get(match_id, "")


@register.simple_tag
def seat_score(game: str, seat: SeatRow) -> str:
    """Return the score of a listed seat, as the title of its match page shows it; "" if there is none."""
    if seat.count is not None:
        return format_number(seat.count)
    return "" if seat.points is None else _format_score(SITES[game], seat.points)


def _format_score(site: GameSite, value: float) -> str:
    if not site.score_decimals:
        return points(value)
    return format_number(value, site.score_decimals)


def _single_seat_result(snapshot: Json, reader: Json | None) -> str:
    """Return the result of a single-seat match with a fractional score; the board shows a different, integer score."""
    site, seat = _site_of(snapshot), snapshot["seats"][0]
    score = _format_score(site, snapshot["outcome"]["points"][0])
    sentence = pgettext("result", "%(name)s: %(score)s") % {"name": site.score_name, "score": score}
    if seat["fault"] == "resigned" and reader and reader["is"] == "person":
        return _("You resigned. %(result)s") % {"result": sentence}
    return sentence


def _duel_result(snapshot: Json, scores: Sequence[str]) -> str:
    outcome, seats = snapshot["outcome"], snapshot["seats"]
    if outcome["winner"] is None:
        return _("A draw, %(mine)s to %(theirs)s") % {"mine": scores[0], "theirs": scores[1]}
    winner, loser = outcome["winner"], 1 - outcome["winner"]
    names = {"winner": _seat_name(seats[winner]), "loser": _seat_name(seats[loser])}
    if outcome["termination"] == "forfeit":
        return _("%(winner)s wins by forfeit. %(loser)s: %(why)s") % {**names, "why": _forfeit_reason(seats[loser])}
    if outcome["termination"] == "resignation":
        return _("%(winner)s wins: %(loser)s resigned") % names
    return _("%(winner)s wins %(mine)s to %(theirs)s") % {**names, "mine": scores[winner], "theirs": scores[loser]}


def _duel_result_for_reader(snapshot: Json, reader: Json, scores: Sequence[str]) -> str:
    outcome, mine = snapshot["outcome"], reader["seat"]
    is_bot = reader["is"] == "bot"
    figures = {"mine": scores[mine], "theirs": scores[1 - mine]}
    if outcome["winner"] is None:
        sentence = _("Your bot drew %(mine)s to %(theirs)s") if is_bot else _("You drew %(mine)s to %(theirs)s")
        return sentence % figures
    has_won = outcome["winner"] == mine
    if outcome["termination"] in ("forfeit", "resignation"):
        return _early_end_for_reader(snapshot, mine, is_bot=is_bot, has_won=has_won)
    if has_won:
        sentence = _("Your bot won %(mine)s to %(theirs)s") if is_bot else _("You won %(mine)s to %(theirs)s")
    else:
        sentence = _("Your bot lost %(mine)s to %(theirs)s") if is_bot else _("You lost %(mine)s to %(theirs)s")
    return sentence % figures


def _early_end_for_reader(snapshot: Json, mine: int, *, is_bot: bool, has_won: bool) -> str:
    """Return the result of a match that ended by forfeit or resignation, for the reader with seat ``mine``.

    ``is_bot``: whether the reader's bot plays in that seat; ``has_won``: whether the seat won.
    """
    seats, resigned = snapshot["seats"], snapshot["outcome"]["termination"] == "resignation"
    if has_won:
        named = {"loser": _seat_name(seats[1 - mine]), "why": _forfeit_reason(seats[1 - mine])}
        if resigned:
            return (_("Your bot won: %(loser)s resigned") if is_bot else _("You won: %(loser)s resigned")) % named
        sentence = (
            _("Your bot won by forfeit. %(loser)s: %(why)s") if is_bot else _("You won by forfeit. %(loser)s: %(why)s")
        )
        return sentence % named
    if resigned:
        return _("Your bot lost: it resigned") if is_bot else _("You lost: you resigned")
    sentence = _("Your bot lost by forfeit: %(why)s") if is_bot else _("You lost by forfeit: %(why)s")
    return sentence % {"why": _forfeit_reason(seats[mine])}


def _add_forfeit_reasons(sentence: str, snapshot: Json) -> str:
    """Add the reason for each forfeit in a match with one seat or more than two.

    Readers who have a seat, or whose bot has one, see only the reason for that seat.
    """
    seats, reader = snapshot["seats"], snapshot.get("reader")
    faulty = [seat for seat in ([seats[reader["seat"]]] if reader else seats) if seat["fault"]]
    if reader and reader["is"] == "person":
        faulty = [seat for seat in faulty if seat["fault"] != "resigned"]  # the sentence already mentions it
    if not sentence or not faulty:
        return sentence
    if reader or len(seats) == 1:
        why = _forfeit_reason(faulty[0])
    else:
        reasons = [_("%(name)s: %(why)s") % {"name": _seat_name(seat), "why": _forfeit_reason(seat)} for seat in faulty]
        why = pgettext("between names", ", ").join(reasons)
    return _("%(result)s. %(why)s") % {"result": sentence, "why": why}


def _points_text(value: float) -> str:
    """Format a number of points, such as "1 point" or "12 points"."""
    return ngettext("%(n)s point", "%(n)s points", 1 if abs(value) == 1 else 2) % {"n": points(value)}


def _table_result(seats: Sequence[Json], outcome: Json) -> str:
    best = [seat for seat in seats if outcome["ranks"][seat["index"]] == 1]
    if not best:
        return ""
    score = _points_text(outcome["points"][best[0]["index"]])
    if len(seats) == 1:
        return _("%(name)s scored %(points)s") % {"name": _seat_name(best[0]), "points": score}
    if len(best) == 1:
        return _("%(name)s wins with %(points)s") % {"name": _seat_name(best[0]), "points": score}
    names = pgettext("between names", ", ").join(map(_seat_name, best))
    return _("Shared first place with %(points)s: %(names)s") % {"names": names, "points": score}


def _table_result_for_reader(snapshot: Json, reader: Json) -> str:
    """Return the result for a reader at a table with one seat or more than two."""
    outcome, seat = snapshot["outcome"], reader["seat"]
    rank, ranks = outcome["ranks"][seat], outcome["ranks"]
    figures = {"points": _points_text(outcome["points"][seat]), "rank": ordinal(rank), "seats": len(ranks)}
    if reader["is"] == "person":
        return _table_result_for_person(figures, rank, snapshot["seats"][seat]["fault"], shared=ranks.count(rank) > 1)
    if len(ranks) == 1:
        return _("Your bot scored %(points)s") % figures
    if ranks.count(rank) > 1:
        return _("Your bot tied for %(rank)s of %(seats)s with %(points)s") % figures
    if rank == 1:
        return _("Your bot won with %(points)s, first of %(seats)s") % figures
    return _("Your bot finished %(rank)s of %(seats)s with %(points)s") % figures


def _table_result_for_person(figures: Json, rank: int, fault: str | None, *, shared: bool) -> str:
    if fault == "resigned":
        return _("You resigned with %(points)s") % figures
    if figures["seats"] == 1:
        return _("You scored %(points)s") % figures
    if shared:
        return _("You tied for %(rank)s of %(seats)s with %(points)s") % figures
    if rank == 1:
        return _("You won with %(points)s, first of %(seats)s") % figures
    return _("You finished %(rank)s of %(seats)s with %(points)s") % figures


def _seat_name(seat: Json) -> str:
    return seat["name"] or _("Guest")


def _forfeit_reason(seat: Json) -> str:
    return str(FAULT_LABELS.get(seat["fault"], seat["fault"])) if seat["fault"] else _("Forfeit")
