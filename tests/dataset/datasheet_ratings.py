"""Ratings computed from the dataset as its README describes them, without the arena's code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final

import duckdb
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
PER_NEPER: Final = 400 / math.log(10)
Table = tuple[list[tuple[int, int]], float]  # submissions with their ranks, in seat order, and the table's weight


def datasheet_ratings(folder: Path, game: str, until: str = "2999-01-01") -> dict[int, tuple[float, float]]:
    """Return each submission's rating and deviation, computed from the results before ``until``."""
    with duckdb.connect() as connection:
        matches = connection.sql(
            f"SELECT list((submission_id, rank) ORDER BY seat) FROM '{folder}/seats-*.parquet' "
            f"JOIN '{folder}/matches-*.parquet' m USING (match_id) WHERE rated AND m.game = '{game}' "
            f"AND submission_id IS NOT NULL AND rank IS NOT NULL AND finished_at < '{until}' "
            "GROUP BY match_id ORDER BY match_id"
        ).fetchall()
        versions = connection.sql(
            f"SELECT submission_id, bot_id, author, is_house FROM '{folder}/submissions.parquet' "
            f"JOIN '{folder}/bots.parquet' USING (bot_id) ORDER BY bot_id, version"
        ).fetchall()
    people: dict[int, Any] = {
        pk: ("house", pk) if is_house else ("author", author) for pk, _, author, is_house in versions
    }
    tables = [table for (seats,) in matches for table in _tables_of_match(seats, people)]
    played = {pk for seats, _ in tables for pk, _ in seats}
    present = [(pk, bot) for pk, bot, *_ in versions if pk in played]
    before = {later: earlier for (earlier, bot), (later, same) in pairwise(present) if bot == same}
    return _fit_ratings(sorted(played), before, tables)


def _tables_of_match(seats: Sequence[tuple[int, int]], people: Mapping[int, Any]) -> list[Table]:
    """Return weighted tables, each with one bot from every author in the match; none for a single author.

    An author's bots fill the tables in turn, in seat order, until all bots of the author with the most have been used.
    """
    own: dict[Any, list[tuple[int, int]]] = {}
    for seat in seats:
        own.setdefault(people[seat[0]], []).append(seat)
    if len(own) < 2:
        return []
    most = max(map(len, own.values()))
    return [([rows[turn % len(rows)] for rows in own.values()], 1 / most) for turn in range(most)]


def _fit_ratings(names: list[int], before: Mapping[int, int], tables: list[Table]) -> dict[int, tuple[float, float]]:
    place, size = {pk: at for at, pk in enumerate(names)}, len(names)
    strengths = np.zeros(size)
    for _ in range(100):
        slope, curvature = _prior_derivatives(names, before, place, strengths)
        for seats, weight in tables:
            _add_ranking([(place[pk], rank) for pk, rank in seats], weight, strengths, slope, curvature)
        step = np.linalg.solve(curvature, slope)
        strengths = strengths + step / max(1.0, float(np.abs(step).max(initial=0.0)))
        if not size or np.abs(step).max() < 1e-12:
            break
    first = np.array([pk not in before for pk in names]) / max(1, size - len(before))
    from_mean = np.eye(size) - first
    deviations = np.sqrt(np.diag(from_mean @ np.linalg.inv(curvature) @ from_mean.T))
    return {pk: (1500 + PER_NEPER * strengths[at], PER_NEPER * deviations[at]) for pk, at in place.items()}


def _prior_derivatives(
    names: list[int], before: Mapping[int, int], place: Mapping[int, int], strengths: Floats
) -> tuple[Floats, Floats]:
    slope, curvature = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for at, pk in enumerate(names):
        toward = np.zeros(len(names))
        toward[at] = 1
        if pk in before:
            toward[place[before[pk]]] = -1
        precision = (PER_NEPER / (200 if pk in before else 400)) ** 2
        slope -= precision * toward * (toward @ strengths)
        curvature += precision * np.outer(toward, toward)
    return slope, curvature


def _add_ranking(
    seats: list[tuple[int, int]], weight: float, strengths: Floats, slope: Floats, curvature: Floats
) -> None:
    left = sorted(seats, key=lambda seat: seat[1])
    for _, group in groupby(list(left), key=lambda seat: seat[1]):
        chosen, members = [at for at, _ in group], [at for at, _ in left]
        often = weight * (len(chosen) - (len(chosen) == len(members)))  # the last choice is certain
        chances = np.exp(strengths[members])
        chances /= chances.sum()
        slope[chosen] += often / len(chosen)
        slope[members] -= often * chances
        curvature[np.ix_(members, members)] += often * (np.diag(chances) - np.outer(chances, chances))
        left = left[len(chosen) :]
