"""Scores of all bots by random seed in a score attack, in which each round has its own seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from arena.tournaments.models import PairingSeat

MAX_SEEDS: Final = 30  # number of columns shown on a page; spreadsheets have all of them


@dataclass(frozen=True, slots=True)
class SeedCell:
    """A score.

    ``is_best``: whether it is the highest with this random seed; ``fault``: whether the bot forfeited the match.
    """

    score: float
    url: str
    is_best: bool
    fault: bool


@dataclass(frozen=True, slots=True)
class SeedRow:
    """An entry's scores in a score attack.

    ``row``: its row in the standings; ``cells``: one per seed, None if the bot has not played it.
    """

    row: dict[str, Any]
    cells: tuple[SeedCell | None, ...]


@dataclass(frozen=True, slots=True)
class SeedTable:
    rounds: tuple[int, ...]
    rows: tuple[SeedRow, ...]


def seed_table(tournament_id: int, shown: Mapping[str, Any]) -> SeedTable:
    """Return the scores for a snapshot's rows; the best score is determined among all entries. Runs one query."""
    found = PairingSeat.objects.filter(
        pairing__tournament_id=tournament_id, pairing__round__number__lte=MAX_SEEDS, points__isnull=False
    ).values_list("pairing__round__number", "entry_id", "points", "forfeit", "pairing__match_id")
    seats = {(number, entry): (points or 0.0, forfeit, match_id) for number, entry, points, forfeit, match_id in found}
    rounds = tuple(sorted({number for number, _entry in seats}))
    best = {number: max(points for (at, _entry), (points, _, _) in seats.items() if at == number) for number in rounds}

    def cell(number: int, entry: int) -> SeedCell | None:
        seat = seats.get((number, entry))
        if seat is None:
            return None
        points, forfeit, match_id = seat
        return SeedCell(points, reverse("match", args=[match_id]), points == best[number], forfeit)

    lines = {row["entry"]: row for row in shown["rows"]}
    rows = [lines[entry] for entry in shown["order"]]
    scores = (tuple(cell(number, row["entry"]) for number in rounds) for row in rows)
    return SeedTable(rounds, tuple(map(SeedRow, rows, scores)))
