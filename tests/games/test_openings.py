"""All shipped openings are legal and unique, and the generator reproduces them."""

import random

import pytest

from arena.games.openings import draw_opening, has_openings
from arena.games.registry import GAMES
from arena.games.reversi.openings import BALANCED
from bots.reversi.training.openings import DEPTHS, NEAR, _canonical, balanced_openings, list_positions, search_value

REVERSI = GAMES["reversi"]


def discs_after(line: str) -> tuple[int, int]:
    state = REVERSI.initial(REVERSI.settings({"opening": line}), 2, random.Random(0))
    own, other = state.discs[state.to_move], state.discs[1 - state.to_move]
    return own, other


def test_shipped_openings_are_distinct_with_black_to_move() -> None:
    assert len(BALANCED) == 300
    assert {len(line) for line in BALANCED} == {2 * REVERSI.opening_moves}
    assert len({_canonical(discs_after(line)) for line in BALANCED}) == len(BALANCED)
    for line in BALANCED:
        state = REVERSI.initial(REVERSI.settings({"opening": line}), 2, random.Random(0))
        assert REVERSI.to_move(state) == (0,)


@pytest.mark.parametrize("line", random.Random(3).sample(BALANCED, 5))
def test_neither_side_has_an_advantage(line: str) -> None:
    assert abs(sum(search_value(*discs_after(line), depth) for depth in DEPTHS)) <= NEAR * len(DEPTHS)


def test_positions_are_counted_up_to_symmetry() -> None:
    # Published counts of Reversi positions after n plies, unique up to symmetry.
    assert [len(list_positions(plies)) for plies in range(1, 7)] == [1, 3, 14, 60, 322, 1773]


@pytest.mark.long
def test_generator_reproduces_the_shipped_openings() -> None:
    assert next(balanced_openings(1, seed=1)) in BALANCED


def test_opening_is_determined_by_its_seed() -> None:
    assert draw_opening("reversi", "cup 1") == draw_opening("reversi", "cup 1") in BALANCED
    assert len({draw_opening("reversi", number) for number in range(50)}) > 40
    short = draw_opening("reversi", 1, moves=3)
    assert len(short) == 6
    REVERSI.settings({"opening": short})


def test_only_games_with_an_opening_setting_have_openings() -> None:
    assert [game for game in GAMES if has_openings(game)] == ["reversi"]
