"""Positions of encounters in a bracket, from which their names are derived.

Invariant: the number of entries determines all positions, whatever the results are, so a match can be named without
loading its bracket.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from arena.core.ranking.pairing.base import Bracket, TournamentState
from arena.core.ranking.pairing.bracket_tree import Key, Node, bracket_tree
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.knockout import Knockout


@dataclass(frozen=True, slots=True)
class BracketPosition:
    """The position of an encounter in a bracket.

    ``round``: the number of its round in this bracket; ``encounter``: its number among the ``encounters`` in that
    round, including byes. Both count from 1. ``is_double``: whether there is a losers' bracket.
    """

    bracket: Bracket
    round: int
    encounter: int
    encounters: int
    is_double: bool


def bracket_positions(tree: Sequence[Sequence[Node]]) -> dict[Key, BracketPosition]:
    """Return the position of each encounter in the tree."""
    rounds: dict[Bracket, list[list[Key]]] = defaultdict(list)
    for nodes in tree:
        keys: dict[Bracket, list[Key]] = defaultdict(list)
        for node in nodes:
            keys[node.key[1]].append(node.key)
        for bracket, own in keys.items():
            rounds[bracket].append(sorted(own))
    is_double = Bracket.LOSERS in rounds
    return {
        key: BracketPosition(bracket, number, encounter, len(own), is_double)
        for bracket, found in rounds.items()
        for number, own in enumerate(found, start=1)
        for encounter, key in enumerate(own, start=1)
    }


@lru_cache(maxsize=128)
def positions_of_size(system: Knockout | DoubleElimination, entries: int) -> Mapping[Key, BracketPosition]:
    """Return the positions in a bracket with this many entries, including a second final that may not be played."""
    found = bracket_positions(bracket_tree(*system.bracket(TournamentState(tuple(range(1, entries + 1))))))
    if found and isinstance(system, DoubleElimination):
        number, bracket, slot = max(found)
        final = found[number, bracket, slot]
        found[number + 1, bracket, slot] = BracketPosition(bracket, final.round + 1, 1, 1, final.is_double)
    return found
