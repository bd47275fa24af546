"""The shipped table matches published values, known totals and plain recursion."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator

import pytest

from arena.games.fib2584.board import (
    boards_after_drop,
    canonical,
    legal_directions,
    pack,
    slide,
    symmetries,
    unpack,
)
from arena.games.fib2584.values import Unreachable, Values, exact_values, read_values, start_value, write_values
from tests.games.fib2584 import plain_recursion

LATE = 280  # the sum of the tiles, which is at most 376
PUBLISHED_BEFORE = {(2, 2, 0, 0, 0, 0): 1422.339233, (0, 0, 0, 0, 2, 2): 1422.339233, (1, 1, 0, 0, 0, 1): 1426.366089}
PUBLISHED_AFTER = {(0, 0, 0, 0, 2, 2): 1422.339233, (2, 0, 2, 0, 0, 0): 1422.339233, (0, 0, 0, 0, 1, 2): 1424.364258}


def random_walk(rng: random.Random, moves: int) -> tuple[int, int]:
    """Play random moves from a start; return the resulting before-state and the afterstate that led to it."""
    board, slid_to = pack((1, 2, 0, 0, 0, 0)), 0
    for _ in range(moves):
        directions = legal_directions(board)
        if not directions:
            break
        slid_to, _ = slide(board, rng.choice(directions))
        board, _ = rng.choice(list(boards_after_drop(slid_to)))
    return board, slid_to


@pytest.mark.parametrize(("tiles", "value"), PUBLISHED_BEFORE.items())
def test_values_before_a_move_match_published_ones(tiles: tuple[int, ...], value: float) -> None:
    assert exact_values().value_before_move(pack(tiles)) == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(("tiles", "value"), PUBLISHED_AFTER.items())
def test_values_before_a_drop_match_published_ones(tiles: tuple[int, ...], value: float) -> None:
    assert exact_values().value_before_drop(pack(tiles)) == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize("tiles", [(10, 0, 0, 0, 0, 1), (2, 2, 2, 2, 2, 2)])
def test_unreachable_boards_have_no_value(tiles: tuple[int, ...]) -> None:
    with pytest.raises(Unreachable):
        exact_values().value_before_drop(pack(tiles))


def test_start_has_the_known_value() -> None:
    assert start_value() == pytest.approx(1425.817561, abs=1e-6)


def late_boards(rng: random.Random, games: int) -> Iterator[tuple[int, int]]:
    """Yield boards late in well-played games, where recursion is short, each with the afterstate before it."""
    for _ in range(games):
        board = pack((1, 2, 0, 0, 0, 0))
        while worth := exact_values().direction_values(board):
            slid_to, _ = slide(board, max(worth, key=worth.__getitem__))
            boards, chances = zip(*boards_after_drop(slid_to), strict=True)
            (board,) = rng.choices(boards, chances)
            if plain_recursion.tile_sum(unpack(board)) >= LATE:
                yield board, slid_to


@pytest.mark.long
def test_values_agree_with_plain_recursion() -> None:
    compared = 0
    for board, slid_to in late_boards(random.Random(2584), games=120):
        assert exact_values().value_before_move(board) == pytest.approx(
            plain_recursion.value_before_move(unpack(board)), abs=1e-9
        )
        assert exact_values().value_before_drop(slid_to) == pytest.approx(
            plain_recursion.value_before_drop(unpack(slid_to)), abs=1e-9
        )
        compared += 1
    assert compared > 200


def test_symmetric_boards_have_equal_values() -> None:
    rng = random.Random(1)
    for moves in range(30):
        board, _ = random_walk(rng, moves)
        assert len({exact_values().value_before_move(one) for one in symmetries(board)}) == 1


def test_best_direction_has_the_value_of_the_board() -> None:
    rng = random.Random(5)
    boards = [random_walk(rng, moves)[0] for moves in range(1, 30)]
    playable = [board for board in boards if legal_directions(board)]
    assert len(playable) > 10
    for board in playable:
        assert max(exact_values().direction_values(board).values()) == exact_values().value_before_move(board)


def test_tile_index_beyond_the_last_is_unreachable() -> None:
    assert not exact_values().is_reachable_before_drop(13)
    assert not exact_values().is_reachable_before_move(13 | 1 << 4)


def test_table_survives_a_file_round_trip() -> None:
    boards = sorted({canonical(pack(tiles)) for tiles in PUBLISHED_AFTER})
    table = read_values(write_values(boards, [1.5, 2.5, 3.5][: len(boards)]))
    assert isinstance(table, Values)
    assert [table.value_before_drop(board) for board in boards] == [1.5, 2.5, 3.5][: len(boards)]


def test_damaged_table_is_rejected() -> None:
    with pytest.raises(ValueError, match="1 boards but 2 values"):
        read_values(zlib.compress(struct.pack("<IIdd", 1, 17, 1.0, 2.0)))
