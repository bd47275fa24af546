"""The bracket tree matches the actual pairings and includes the rounds still to come."""

from __future__ import annotations

import random

import pytest

from arena.core.ranking.pairing.base import Bracket, PlayedEncounter, PlayedRound, TournamentState
from arena.core.ranking.pairing.bracket_tree import Node, Origin, Side, bracket_tree, entry_path, reachable_entries
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.groups import Groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.results import Result
from tests.core.ranking.pairing.play import play_round, play_tournament


def tree_of(system: Knockout | DoubleElimination, field: TournamentState) -> list[list[Node]]:
    return bracket_tree(*system.bracket(field))


def test_tree_shows_all_rounds_and_origins_before_the_first_result() -> None:
    tree = tree_of(Knockout(), TournamentState((1, 2, 3, 4)))
    assert [[node.key for node in nodes] for nodes in tree] == [
        [(0, Bracket.WINNERS, 0), (0, Bracket.WINNERS, 1)],
        [(1, Bracket.FINAL, 0), (1, Bracket.THIRD_PLACE, 0)],
    ]
    assert tree[0][0].sides == (Side(1), Side(4))
    final, third = tree[1]
    assert final.sides == tuple(Side(None, Origin((0, Bracket.WINNERS, slot), won=True)) for slot in (0, 1))
    assert third.sides == tuple(Side(None, Origin((0, Bracket.WINNERS, slot), won=False)) for slot in (0, 1))


def test_bye_winner_is_known_in_the_next_round() -> None:
    tree = tree_of(Knockout(), TournamentState((1, 2, 3)))
    assert [node.is_bye for node in tree[0]] == [True, False]
    assert tree[1][0].sides == (
        Side(1, Origin((0, Bracket.WINNERS, 0), won=True)),
        Side(None, Origin((0, Bracket.WINNERS, 1), won=True)),
    )


def test_half_a_round_decides_half_of_the_next() -> None:
    first = Knockout().next_round(TournamentState((1, 2, 3, 4)))
    assert first is not None
    one, other = first.encounters
    over = PlayedEncounter(one, (Result(one.entries, (2, 1), (0.0, 0.0)),), done=True)
    tree = tree_of(Knockout(), TournamentState((1, 2, 3, 4), (PlayedRound((over, PlayedEncounter(other))),)))
    assert [node.winner for node in tree[0]] == [4, None]
    assert [side.entry for side in tree[1][0].sides] == [4, None]
    assert [side.entry for side in tree[1][1].sides] == [1, None]


@pytest.mark.parametrize("count", [2, 3, 5, 6, 8, 11, 16, 17])
@pytest.mark.parametrize("system", [Knockout(), Knockout(third_place=False), DoubleElimination()])
def test_tree_matches_pairings_after_every_round_and_keeps_its_shape(
    system: Knockout | DoubleElimination, count: int
) -> None:
    rng = random.Random(count)
    field = TournamentState(tuple(range(1, count + 1)))
    shape = [len(nodes) for nodes in tree_of(system, field)]
    while (round_ := system.next_round(field)) is not None:
        field = TournamentState(
            field.entries, (*field.rounds, play_round(round_, lambda _: rng.choice([(1, 2), (2, 1)])))
        )
        tree = tree_of(system, field)
        assert [len(nodes) for nodes in tree[: len(shape)]] == shape
        known = {node.key: tuple(side.entry for side in node.sides) for nodes in tree for node in nodes}
        for number, stored in enumerate(field.rounds):
            for one in stored.encounters:
                assert known[number, one.encounter.bracket, one.encounter.slot] == one.encounter.entries
    assert all(node.winner is not None or not node.sides for nodes in tree_of(system, field) for node in nodes)


def test_path_of_an_entry_runs_through_its_matches_to_the_final() -> None:
    field = TournamentState(tuple(range(1, 9)))
    first = Knockout().next_round(field)
    assert first is not None
    tree = tree_of(Knockout(), TournamentState(field.entries, (play_round(first),)))
    assert [node.key[:2] for node in entry_path(tree, 1)] == [
        (0, Bracket.WINNERS),
        (1, Bracket.WINNERS),
        (2, Bracket.FINAL),
    ]
    assert [node.key[0] for node in entry_path(tree, 8)] == [0]


@pytest.mark.parametrize("system", [Knockout(), DoubleElimination()])
def test_meetings_are_reachable_by_the_entries_whose_path_includes_them(system: Knockout | DoubleElimination) -> None:
    field = TournamentState(tuple(range(1, 7)))
    while (round_ := system.next_round(field)) is not None:
        tree = tree_of(system, field)
        found = reachable_entries(tree)
        for entry in field.entries:
            assert [node.key for node in entry_path(tree, entry)] == [key for key in found if entry in found[key]]
        field = TournamentState(field.entries, (*field.rounds, play_round(round_)))


def test_group_finals_form_a_tree_once_paired() -> None:
    system = Groups(size=3, advance=2)
    assert system.bracket(TournamentState((1, 2, 3, 4, 5, 6))) is None
    _, field = play_tournament(system, TournamentState((1, 2, 3, 4, 5, 6)))
    found = system.bracket(field)
    assert found is not None
    tree = bracket_tree(*found)
    assert [len(nodes) for nodes in tree] == [2, 2]
    assert tree[1][0].winner == 1


@pytest.mark.parametrize("count", [5, 6, 8, 11, 13, 16])
@pytest.mark.parametrize("size", [3, 4])
def test_expected_finals_have_the_shape_of_the_later_bracket(count: int, size: int) -> None:
    system, entries = Groups(size, advance=2), TournamentState(tuple(range(1, count + 1)))
    expected = system.expected_bracket(entries)
    assert expected is not None
    draw, own, places = expected
    _, field = play_tournament(system, entries)
    assert system.expected_bracket(field) is None
    found = system.bracket(field)
    assert found is not None
    tables = system.group_standings(field)
    by_rank = {key: tables[one.group - 1][one.rank - 1].entry for key, one in places.items()}
    seeds = [
        [tuple(by_rank.get(side.entry or 0) for side in node.sides) for node in bracket_tree(draw, own)[0]],
        [tuple(side.entry for side in node.sides) for node in bracket_tree(*found)[0]],
    ]
    assert seeds[0] == seeds[1]
