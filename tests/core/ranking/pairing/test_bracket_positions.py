"""The size of a bracket determines the position of each encounter, whatever the results are."""

from __future__ import annotations

import random

import pytest

from arena.core.ranking.pairing.base import Bracket, Encounter, TournamentState
from arena.core.ranking.pairing.bracket_positions import bracket_positions, positions_of_size
from arena.core.ranking.pairing.bracket_tree import bracket_tree
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.knockout import Knockout
from tests.core.ranking.pairing.play import play_tournament


@pytest.mark.parametrize("count", [2, 3, 5, 8, 9, 17])
@pytest.mark.parametrize("system", [Knockout(), Knockout(third_place=False), DoubleElimination()])
@pytest.mark.parametrize("leaves", [False, True])
def test_positions_are_those_of_the_played_bracket(
    system: Knockout | DoubleElimination, count: int, *, leaves: bool
) -> None:
    rng = random.Random(count)

    def decide(encounter: Encounter) -> tuple[int, ...]:
        return rng.choice(((1, 2), (2, 1)))

    leaving = {1: 0, count: 1} if leaves else None
    rounds, over = play_tournament(system, TournamentState(tuple(range(1, count + 1))), decide, leaving)
    expected = positions_of_size(system, count)
    played = bracket_positions(bracket_tree(*system.bracket(over)))
    assert played == {key: expected[key] for key in played}
    assert len(expected) - len(played) <= isinstance(system, DoubleElimination)
    keys = [(number, one.bracket, one.slot) for number, round_ in enumerate(rounds) for one in round_.encounters]
    assert set(keys) <= played.keys()


def test_second_final_has_a_position() -> None:
    """The unbeaten finalist loses, so both play again."""
    found = positions_of_size(DoubleElimination(), 4)
    finals = sorted((key, position) for key, position in found.items() if key[1] == Bracket.FINAL)
    assert [(key[0], position.round, position.encounters) for key, position in finals] == [(3, 1, 1), (4, 2, 1)]
