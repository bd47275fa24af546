"""Scores of all bots by deal in a score attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from arena.tournaments.models import PairingSeat

MAX_DEALS: Final = 30  # number of columns shown on a page; spreadsheets have all of them


@dataclass(frozen=True, slots=True)
class DealCell:
    """A score; ``is_best``: whether it is the highest on this deal; ``fault``: whether the bot forfeited the match."""

    score: float
    url: str
    is_best: bool
    fault: bool


@dataclass(frozen=True, slots=True)
class DealRow:
    """An entry's scores in a score attack.

    ``row``: its row in the standings; ``cells``: one per deal, None if the bot has not played it.
    """

    row: dict[str, Any]
    cells: tuple[DealCell | None, ...]


@dataclass(frozen=True, slots=True)
class DealTable:
    deals: tuple[int, ...]
    rows: tuple[DealRow, ...]


def deal_table(tournament_id: int, shown: Mapping[str, Any]) -> DealTable:
    """Return the scores for the rows of a snapshot, with one query; the best score is determined among all entries."""
    found = PairingSeat.objects.filter(
        pairing__tournament_id=tournament_id, pairing__round__number__lte=MAX_DEALS, points__isnull=False
    ).values_list("pairing__round__number", "entry_id", "points", "forfeit", "pairing__match_id")
    seats = {(deal, entry): (points or 0.0, forfeit, match_id) for deal, entry, points, forfeit, match_id in found}
    deals = tuple(sorted({deal for deal, _entry in seats}))
    best = {deal: max(points for (at, _entry), (points, _, _) in seats.items() if at == deal) for deal in deals}

    def cell(deal: int, entry: int) -> DealCell | None:
        seat = seats.get((deal, entry))
        if seat is None:
            return None
        points, forfeit, match_id = seat
        return DealCell(points, reverse("match", args=[match_id]), points == best[deal], forfeit)

    lines = {row["entry"]: row for row in shown["rows"]}
    rows = [lines[entry] for entry in shown["order"]]
    return DealTable(deals, tuple(DealRow(row, tuple(cell(deal, row["entry"]) for deal in deals)) for row in rows))
