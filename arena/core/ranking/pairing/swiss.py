"""Pair entries by a Swiss system (based on FIDE Handbook C.04): opponents have similar scores and meet only once.

Invariants: no rematch; at most one bye per entry. No entry's seat counts differ by three or more, and no entry has the
same seat three times in a row, unless every possible round violates this (FIDE Handbook C.04.1, 2, 4, 6 and 7).

A round is a minimum-cost matching. The costs follow the order of the criteria in the Dutch system (FIDE Handbook
C.04.3), which this module approximates:

1. seats: an entry's counts differ by at most two; then no entry has the same seat a third time in a row (C3)
2. the bye goes to an entry with few points (C2, C5)
3. pairs are close in points (C6, C7), by the squares of the differences
4. seat preferences (C10 to C13)
5. no entry is paired down, or up, twice in a row (C14, C15)
6. the upper half of a score group meets its lower half, first against first (3.3); the last entry gets the bye
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.core.ranking.pairing.base import Encounter, Round, TournamentState
from arena.core.ranking.pairing.seats import seat_order, seating_cost
from arena.core.ranking.pairing.swiss_players import SwissPlayer, swiss_players
from arena.core.ranking.standings import StandingsRow

Pair: TypeAlias = tuple[int, int]

_BITS: Final = 40  # bits for the sum of one criterion over a round; with 500 entries the last criterion needs 27
_SEATS: Final = 5 * _BITS  # position of the first criterion
_BYE: Final = -1  # the node of the bye; the others are ranking positions
_NEIGHBOURS: Final = (12, 48)  # how many of each entry's cheapest partners to consider, tried in turn; after these, all


@dataclass(frozen=True, slots=True)
class Swiss:
    """The Swiss system over ``number`` rounds, or as many as are possible without a rematch; a bye counts as a win."""

    number: int

    @property
    def bye_wins(self) -> bool:
        return True

    def can_pair_ahead(self, field: TournamentState) -> bool:
        return not field.rounds

    def next_round(self, field: TournamentState) -> Round | None:
        """Return the next round; None if the tournament is over, or if withdrawals make a rematch unavoidable."""
        if len(field.rounds) >= self.rounds(len(field.entries)) or len(field.active_entries) < 2:
            return None
        ranking = swiss_players(field)
        pairs = _pair_players(ranking)
        if pairs is None:
            return None
        byes = tuple(ranking[index].entry for bye, index in pairs if bye == _BYE)
        seats = [
            seat_order(ranking[one].seat_candidate, ranking[other].seat_candidate)
            for one, other in pairs
            if one != _BYE
        ]
        return Round(tuple(Encounter(pair, slot=slot) for slot, pair in enumerate(seats)), byes)

    def rounds(self, entries: int) -> int:
        """Return the number of rounds: at most half the number of entries, so that a new opponent always exists.

        As long as every entry has met fewer than half of the others, the pairs that have not met contain a perfect
        matching (G. A. Dirac, Proceedings of the London Mathematical Society 2 (1952), theorem 3).
        """
        return min(self.number, (entries + 1) // 2) if entries > 1 else 0

    def encounter_count(self, entries: int) -> int:
        return self.rounds(entries) * (entries // 2)

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        return list(table)


def _pair_players(ranking: Sequence[SwissPlayer]) -> list[Pair] | None:
    """Return pairs of indexes into ``ranking``, the better one first, or None if no complete pairing is permitted.

    In the pair with the bye, the bye comes first.
    """
    costs = _pair_costs(ranking)
    nodes = [*range(len(ranking)), *([_BYE] if len(ranking) % 2 else [])]
    for neighbours in _NEIGHBOURS:
        found = perfect_matching(nodes, _keep_cheapest_pairs(costs, neighbours))
        if found is not None and all(costs[pair] >> _SEATS == 0 for pair in found):
            return found
    return perfect_matching(nodes, costs)


def _keep_cheapest_pairs(costs: dict[Pair, int], neighbours: int) -> dict[Pair, int]:
    """Keep only each entry's ``neighbours`` cheapest pairs."""
    taken: Counter[int] = Counter()
    kept = {}
    for pair in sorted(costs, key=lambda pair: (costs[pair], pair)):
        if taken[pair[0]] < neighbours or taken[pair[1]] < neighbours:
            kept[pair] = costs[pair]
        taken.update(pair)
    return kept


def _pair_costs(ranking: Sequence[SwissPlayer]) -> dict[Pair, int]:
    """Return the cost of every permitted pair."""
    top: dict[int, int] = {}
    for index, player in enumerate(ranking):
        top.setdefault(player.halves, index)
    size = Counter(player.halves for player in ranking)
    levels = {halves: level for level, halves in enumerate(sorted(size))}
    costs = {}
    for index, player in enumerate(ranking):
        if len(ranking) % 2 and not player.had_bye:
            costs[_BYE, index] = _combined_cost(0, 0, levels[player.halves], 0, 0, 0, len(ranking) - index)
        for other in range(index + 1, len(ranking)):
            opponent = ranking[other]
            if opponent.entry in player.met:
                continue
            gap = player.halves - opponent.halves
            if gap:
                ideal = (top[player.halves] + size[player.halves] - index) + (other - top[opponent.halves])
            else:
                ideal = other - index - size[player.halves] // 2
            again = (player.floated > 0) + (opponent.floated < 0) if gap else 0
            imbalance, repetitions, unmet = seating_cost(player.seat_candidate, opponent.seat_candidate)
            costs[index, other] = _combined_cost(imbalance, repetitions, 0, gap * gap, unmet, again, ideal * ideal)
    return costs


def _combined_cost(*criteria: int) -> int:
    """Combine the costs into one number in which each criterion outweighs the sum of all later ones over a round."""
    cost = 0
    for criterion in criteria:
        cost = (cost << _BITS) + criterion
    return cost


def perfect_matching(nodes: Iterable[int], costs: Mapping[Pair, int]) -> list[Pair] | None:
    """Find the minimum-cost perfect matching; return None if there is none.

    In each pair, the smaller node comes first.
    """
    from networkx import Graph, max_weight_matching  # slow to import (a third of a second), and few processes need it

    graph = Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from((one, other, -cost) for (one, other), cost in costs.items())
    found = max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(graph):
        return None
    return sorted((min(pair), max(pair)) for pair in found)
