"""Every encounter of a bracket appears on a screen, and no screen shows more encounters than can be read."""

from __future__ import annotations

import pytest

from arena.core.ranking.pairing.base import TournamentState
from arena.core.ranking.pairing.bracket_tree import bracket_tree
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.knockout import Knockout
from arena.tournaments.queries.bracket_screens import MAX_COLUMNS, MAX_ROWS, screens
from arena.tournaments.queries.drawn_bracket import DrawnBracket

SYSTEMS = (Knockout(), Knockout(third_place=False), DoubleElimination())


def drawn_bracket(system: Knockout | DoubleElimination, count: int) -> DrawnBracket:
    entries = tuple(range(1, count + 1))
    return DrawnBracket(bracket_tree(*system.bracket(TournamentState(entries))), entries, 0)


@pytest.mark.parametrize("count", [*range(2, 36), 63, 64, 65, 128, 300, 513])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_encounter_is_on_a_legible_screen(system: Knockout | DoubleElimination, count: int) -> None:
    drawn = drawn_bracket(system, count)
    sections = list(drawn.sections().values())
    shown = set()
    for screen in screens(sections):
        columns = [[len(nodes) for _, nodes in window.cut(sections[window.bracket])] for window in screen]
        main = [lengths for lengths in columns if len(lengths) > 1]
        assert sum(lengths[0] for lengths in main) <= MAX_ROWS
        assert all(0 < len(lengths) <= MAX_COLUMNS and min(lengths) for lengths in columns)
        assert sum(lengths[0] for lengths in columns if lengths not in main) <= 2, "the final, and places"
        cut = [node for window in screen for _, nodes in window.cut(sections[window.bracket]) for node in nodes]
        assert any(not node.is_bye for node in cut)
        shown |= {node.key for node in cut}
    assert {node.key for round_ in drawn.tree for node in round_ if not node.is_bye} <= shown


@pytest.mark.parametrize(("system", "count", "expected"), [
    (Knockout(), 16, 1),
    (Knockout(), 32, 3),  # two halves, then the last sixteen
    (Knockout(), 17, 2),  # only one half has a first round
    (DoubleElimination(), 8, 1),
    (DoubleElimination(), 16, 3),
])  # fmt: skip
def test_number_of_screens(system: Knockout | DoubleElimination, count: int, expected: int) -> None:
    assert len(screens(list(drawn_bracket(system, count).sections().values()))) == expected
