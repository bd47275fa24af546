"""The result of a match as a code with values: who won, by how much and why, for one reader.

``arena/matches/templatetags/results.py`` puts it into words; ``static/js/matches/results.js`` does both during a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.core.number_format import format_number
from arena.games.site import GameSite
from arena.games.sites import SITES
from arena.games.templatetags.games import points

Json = Mapping[str, Any]
# The name of a seat, which is "" for a guest, and its fault, which is None for a forfeit without one.
Forfeit = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A result before it is put into words.

    ``code``: who is addressed and what happened, such as "you.lost_by_forfeit"; the sentence with this code contains
    ``values``. ``forfeits``: the forfeits to append to the sentence, without names if only one seat can be meant.
    """

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    forfeits: tuple[Forfeit, ...] = ()


def result_of(snapshot: Json) -> MatchResult | None:
    """Return the result; None before the end. ``snapshot["reader"]``: see arena.matches.queries.ReaderSeats."""
    outcome, reader, seats = snapshot["outcome"], snapshot.get("reader"), snapshot["seats"]
    if not outcome:
        return None
    if outcome["termination"] == "time_limit":
        return MatchResult("time_limit")
    if len(seats) == 2:
        scores = scores_of(snapshot)
        return _duel_result_for_reader(snapshot, reader, scores) if reader else _duel_result(snapshot, scores)
    if len(seats) == 1 and site_of(snapshot).score_decimals:
        code, values = _score_result(snapshot, reader)
    else:
        code, values = _table_result_for_reader(snapshot, reader) if reader else _table_result(seats, outcome)
    return MatchResult(code, values, _forfeits(snapshot)) if code else None


def site_of(snapshot: Json) -> GameSite:
    return SITES[snapshot["match"]["game"]]


def scores_of(snapshot: Json) -> list[str]:
    """Return the counts on the board by seat if the game has them, otherwise the points.

    The result is empty if there are neither, or if the match ended at its time limit.
    """
    site, outcome = site_of(snapshot), snapshot["outcome"]
    if outcome and outcome["termination"] == "time_limit":
        return []
    if site.counts and snapshot["turns"]:
        return [format_number(count) for count in site.counts(snapshot["turns"][-1]["view"])]
    return [format_score(site, value) for value in outcome["points"]] if outcome else []


def format_score(site: GameSite, value: float) -> str:
    if not site.score_decimals:
        return points(value)
    return format_number(value, site.score_decimals)


def _addressed(reader: Json) -> str:
    return "your_bot" if reader["is"] == "bot" else "you"


def _duel_result(snapshot: Json, scores: Sequence[str]) -> MatchResult:
    outcome, seats = snapshot["outcome"], snapshot["seats"]
    winner = outcome["winner"]
    if winner is None:
        return MatchResult("draw", {"mine": scores[0], "theirs": scores[1]})
    loser = seats[1 - winner]
    names = {"winner": seats[winner]["name"], "loser": loser["name"]}
    if outcome["termination"] == "forfeit":
        return MatchResult("wins_by_forfeit", {**names, "why": loser["fault"]})
    if outcome["termination"] == "resignation":
        return MatchResult("wins_by_resignation", names)
    return MatchResult("wins", {"winner": names["winner"], "mine": scores[winner], "theirs": scores[1 - winner]})


def _duel_result_for_reader(snapshot: Json, reader: Json, scores: Sequence[str]) -> MatchResult:
    outcome, mine, who = snapshot["outcome"], reader["seat"], _addressed(reader)
    own, other = snapshot["seats"][mine], snapshot["seats"][1 - mine]
    figures = {"mine": scores[mine], "theirs": scores[1 - mine]}
    if outcome["winner"] is None:
        return MatchResult(f"{who}.drew", figures)
    verb = "won" if outcome["winner"] == mine else "lost"
    named = {"loser": other["name"]} if verb == "won" else {}
    if outcome["termination"] == "forfeit":
        why = (other if verb == "won" else own)["fault"]
        return MatchResult(f"{who}.{verb}_by_forfeit", {**named, "why": why})
    if outcome["termination"] == "resignation":
        return MatchResult(f"{who}.{verb}_by_resignation", named)
    return MatchResult(f"{who}.{verb}", figures)


def _score_result(snapshot: Json, reader: Json | None) -> tuple[str, Json]:
    """Return the result of a single-seat match with a fractional score; the board shows a different, integer score."""
    site, seat = site_of(snapshot), snapshot["seats"][0]
    values = {"name": site.score_name, "score": format_score(site, snapshot["outcome"]["points"][0])}
    resigned = seat["fault"] == "resigned" and reader and reader["is"] == "person"
    return ("you.resigned_with_score" if resigned else "score"), values


def _forfeits(snapshot: Json) -> tuple[Forfeit, ...]:
    """Return the forfeits in a match with one seat or more than two.

    Readers who have a seat, or whose bot has one, see only the reason for that seat.
    """
    seats, reader = snapshot["seats"], snapshot.get("reader")
    faulty = [seat for seat in ([seats[reader["seat"]]] if reader else seats) if seat["fault"]]
    if reader and reader["is"] == "person":
        faulty = [seat for seat in faulty if seat["fault"] != "resigned"]  # the sentence already mentions it
    return tuple((seat["name"], seat["fault"]) for seat in faulty)


def _table_result(seats: Sequence[Json], outcome: Json) -> tuple[str, Json]:
    """Return the code and the values for readers without a seat; the code is "" if nobody is first."""
    best = [seat for seat in seats if outcome["ranks"][seat["index"]] == 1]
    if not best:
        return "", {}
    score = outcome["points"][best[0]["index"]]
    if len(best) > 1:
        return "shared", {"names": tuple(seat["name"] for seat in best), "points": score}
    return ("scored" if len(seats) == 1 else "wins_with"), {"name": best[0]["name"], "points": score}


def _table_result_for_reader(snapshot: Json, reader: Json) -> tuple[str, Json]:
    """Return the code and the values for a reader at a table with one seat or more than two."""
    outcome, seat, who = snapshot["outcome"], reader["seat"], _addressed(reader)
    ranks, scored = outcome["ranks"], {"points": outcome["points"][seat]}
    rank = ranks[seat]
    if who == "you" and snapshot["seats"][seat]["fault"] == "resigned":
        return "you.resigned", scored
    if len(ranks) == 1:
        return f"{who}.scored", scored
    if ranks.count(rank) == 1 and rank == 1:
        return f"{who}.won_with", {**scored, "seats": len(ranks)}
    placed = {**scored, "rank": rank, "seats": len(ranks)}
    return (f"{who}.tied" if ranks.count(rank) > 1 else f"{who}.finished"), placed
