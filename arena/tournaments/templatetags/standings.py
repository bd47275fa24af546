"""Template tags for the tables in a tournament snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import template

from arena.core.number_format import format_number
from arena.games.templatetags.games import points
from arena.tournaments.formats.places import format_place, format_places, shows_ranges
from arena.tournaments.models import EntryReason

register = template.Library()

MAX_MEDALS: Final = 3  # maximum number of medals of the same colour


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """The score of one entry against another.

    ``result``: "ahead", "behind", "even", or "" before they have met.
    """

    opponent: int
    is_self: bool
    points: float | None
    played: int
    result: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """An entry's scores against all entries, in the order of the standings."""

    entry: int
    name: str
    cells: tuple[CrosstableCell, ...]


@register.filter
def ordered_rows(standings: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows in the order of the standings."""
    rows = {row["entry"]: row for row in standings["rows"]}
    return [rows[entry] for entry in standings["order"] if entry in rows]


@register.filter
def entry_reason(code: str) -> str:
    """Return why an entry does not play, in the reader's language; "" if it does play."""
    return str(EntryReason(code).label) if code else ""


@register.filter
def total(value: float | None, standings: Mapping[str, Any]) -> str:
    """Format a tournament's points, or a score attack's score, rounded as in its snapshot."""
    return _format_rounded(value, standings["score"]["decimals"] if standings["score"] else None)


def _format_rounded(value: float | None, decimals: int | None) -> str:
    if value is None or decimals is None:
        return points(value)
    return format_number(value, decimals)


@register.filter
def place(row: Mapping[str, Any], standings: Mapping[str, Any]) -> str:
    """Return the rank or, while a bracket is played, the possible final places; "–" for entries without a rank."""
    shows_range = shows_ranges(standings["shows_ranges"], standings["status"])
    return format_place(row["rank"], row["best_place"], row["worst_place"], shows_range=shows_range) or "–"


@register.filter
def medal(row: Mapping[str, Any], standings: Mapping[str, Any]) -> str:
    """Return the rank for a medal's colour; "" for a rank that many entries share, as before the first result."""
    rank = row["rank"]
    if place(row, standings) != str(rank):
        return ""  # still a range
    tied = sum(other["rank"] == rank for other in standings["rows"])
    return "" if rank is None or tied > MAX_MEDALS else str(rank)


@register.filter
def possible_places(row: Mapping[str, Any]) -> str:
    """Format the possible final places of an entry, as in "2–5"; "" if unknown."""
    return format_places(row["best_place"], row["worst_place"])


@register.filter
def moved(row: Mapping[str, Any]) -> str:
    """Format the places gained or lost since the last round as an arrow and a number; "" if the place is unchanged."""
    gained = row["places_gained"]
    return f"{'▲' if gained > 0 else '▼'}{abs(gained)}" if gained else ""


@register.filter
def tiebreak_values(row: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format a row's values for the tiebreaks that have a column."""
    values = row["tiebreaks"]
    return [
        _format_rounded(values[column["index"]] if column["index"] < len(values) else None, column["decimals"])
        for column in columns
    ]


@register.filter
def matrix(standings: Mapping[str, Any]) -> list[MatrixRow]:
    """Return the head-to-head table; empty if the snapshot has no head-to-head scores."""
    scores = standings["head_to_head"]
    if not scores:
        return []
    rows = ordered_rows(standings)
    return [
        MatrixRow(row["entry"], row["name"], tuple(_cell(scores, row["entry"], other["entry"]) for other in rows))
        for row in rows
    ]


def _cell(scores: Mapping[Any, Any], entry: int, opponent: int) -> CrosstableCell:
    mine, theirs = _result_between(scores, entry, opponent), _result_between(scores, opponent, entry)
    if entry == opponent or not mine:
        return CrosstableCell(opponent, entry == opponent, None, 0, "")
    against = theirs["points"] if theirs else 0
    result = "even" if mine["points"] == against else "ahead" if mine["points"] > against else "behind"
    return CrosstableCell(opponent, False, mine["points"], mine["played"], result)


def _result_between(scores: Mapping[Any, Any], entry: int, opponent: int) -> Mapping[str, Any] | None:
    """Look up the result between two entries; None if they have not met.

    Keys are numbers in a new snapshot and strings after a JSON round trip.
    """
    against = scores.get(entry) or scores.get(str(entry)) or {}
    found: Mapping[str, Any] | None = against.get(opponent) or against.get(str(opponent))
    return found
