"""Tiebreaks between entries with equal points (FIDE Handbook C.07, version of 1 August 2024).

Invariants: every criterion is a function of the counted results, independent of their order. Buchholz and
Sonneborn-Berger count encounters: an encounter of several matches counts once, with the mean of its scores. At a table
of n seats all others are opponents, scored pair by pair.

Unplayed encounters: an entry's own bye or walkover counts as an encounter with a dummy opponent who has as many points
as the entry (article 16.4). Opponents' points are taken from the standings; article 16.3, which would count their
unplayed rounds as draws, does not apply, because here nobody requests a bye.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from arena.core.ranking.direct_encounter import mutual_scores
from arena.core.ranking.results import Result, restrict_to_seats, scores


class Tiebreak(StrEnum):
    """The criteria an organizer can choose and order, with FIDE's names."""

    BUCHHOLZ = "buchholz"  # points of the opponents
    BUCHHOLZ_CUT_1 = "buchholz_cut_1"  # points of the opponents, excluding the lowest-scoring one
    SONNEBORN_BERGER = "sonneborn_berger"  # points of beaten opponents, plus half the points of opponents drawn with
    DIRECT_ENCOUNTER = "direct_encounter"  # points from the matches among the tied entries
    WINS = "wins"  # matches won, including unplayed ones
    MARGIN = "margin"  # margin of the wins, or the score: the game's own measure, not FIDE's


DEFAULT_TIEBREAKS: Final = (Tiebreak.DIRECT_ENCOUNTER, Tiebreak.WINS, Tiebreak.MARGIN)


@dataclass(frozen=True, slots=True)
class TiebreakEncounter:
    """One encounter of an entry.

    ``opponent``: None if the encounter was not played. ``share``: the entry's mean score in the encounter, from 0 to 1.
    """

    opponent: int | None
    share: float


@dataclass(frozen=True, slots=True)
class TiebreakInput:
    """The input for computing tiebreaks: figures for each entry, and the results that they were computed from."""

    points: Mapping[int, float]
    wins: Mapping[int, int]
    margins: Mapping[int, float]
    results: Sequence[Result]
    met: Mapping[int, Sequence[TiebreakEncounter]]


Values = Mapping[int, float]


def tiebreak_values(tiebreak: Tiebreak, groups: Sequence[Sequence[int]], tables: TiebreakInput) -> dict[int, Values]:
    """Return the criterion's values for each tied group, keyed by the group's first entry.

    Groups to which the criterion does not apply are omitted.
    """
    if tiebreak == Tiebreak.DIRECT_ENCOUNTER:
        return dict(mutual_scores(groups, tables.results))
    of_entry = _OF_ENTRY[tiebreak]
    return {group[0]: {entry: of_entry(entry, tables) for entry in group} for group in groups}


def needs_opponents(tiebreaks: Iterable[Tiebreak]) -> bool:
    """Return whether any of these tiebreaks needs ``TiebreakInput.met``, which is expensive to compute."""
    return any(tiebreak in _OF_OPPONENTS for tiebreak in tiebreaks)


def opponents_met(results: Iterable[Result]) -> dict[int, list[TiebreakEncounter]]:
    """Return the opponents of every entry, encounter by encounter, in a canonical order."""
    sums: dict[tuple[int, int], dict[tuple[int, int | None], list[float]]] = {}
    for number, result in enumerate(results):
        encounter = (1, result.encounter) if result.encounter is not None else (0, number)
        found = sums.setdefault(encounter, defaultdict(list))
        for entry, opponent, share in _pairs(result):
            found[entry, opponent].append(share)
    met: dict[int, list[TiebreakEncounter]] = defaultdict(list)
    for found in sums.values():
        for (entry, opponent), shares in found.items():
            met[entry].append(TiebreakEncounter(opponent, sum(shares) / len(shares)))
    return {entry: sorted(own, key=lambda one: (one.opponent or 0, one.share)) for entry, own in met.items()}


def _pairs(result: Result) -> Iterable[tuple[int, int | None, float]]:
    if not result.played:
        yield from ((entry, None, share) for entry, share in zip(result.entries, scores(result), strict=True))
        return
    for seats in combinations(range(len(result.entries)), 2):
        pair = result if len(result.entries) == 2 else restrict_to_seats(result, seats)
        (one, other), (share, other_share) = pair.entries, scores(pair)
        yield one, other, share
        yield other, one, other_share


def _buchholz(entry: int, tables: TiebreakInput) -> float:
    """Return the Buchholz score (BH; FIDE Handbook C.07, 8.1)."""
    return sum(_opponents_points(entry, tables))


def _buchholz_cut_1(entry: int, tables: TiebreakInput) -> float:
    """Return the Buchholz cut 1 score (BH-C1; FIDE Handbook C.07, 8.1 and 14.1).

    This is the Buchholz score without the lowest-scoring opponent.
    """
    return sum(sorted(_opponents_points(entry, tables))[1:])


def _sonneborn_berger(entry: int, tables: TiebreakInput) -> float:
    """Return the Sonneborn-Berger score (SB; FIDE Handbook C.07, 9.1)."""
    shares = [met.share for met in tables.met.get(entry, ())]
    return sum(points * share for points, share in zip(_opponents_points(entry, tables), shares, strict=True))


def _wins(entry: int, tables: TiebreakInput) -> float:
    """Return the number of wins (WIN; FIDE Handbook C.07, 7.1)."""
    return float(tables.wins[entry])


def _margin(entry: int, tables: TiebreakInput) -> float:
    return tables.margins[entry]


def _opponents_points(entry: int, tables: TiebreakInput) -> list[float]:
    """Return the points of all opponents of the entry."""
    own = tables.points[entry]
    return [own if met.opponent is None else tables.points[met.opponent] for met in tables.met.get(entry, ())]


_OF_ENTRY: Final[Mapping[Tiebreak, Callable[[int, TiebreakInput], float]]] = {
    Tiebreak.BUCHHOLZ: _buchholz,
    Tiebreak.BUCHHOLZ_CUT_1: _buchholz_cut_1,
    Tiebreak.SONNEBORN_BERGER: _sonneborn_berger,
    Tiebreak.WINS: _wins,
    Tiebreak.MARGIN: _margin,
}
_OF_OPPONENTS: Final = (Tiebreak.BUCHHOLZ, Tiebreak.BUCHHOLZ_CUT_1, Tiebreak.SONNEBORN_BERGER)
