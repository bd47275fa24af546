"""The solver finds the known totals and the values in the shipped table, and answers every line of input."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.fib2584.values import RESOURCE, write_values
from bots.fib2584.house.engine.board import board_code, canonical_code, slide, symmetries
from bots.fib2584.house.engine.solver import Solution, canonical_codes, solve
from bots.fib2584.solve import IMPOSSIBLE, Solver
from tests.games.fib2584 import plain_recursion


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve()


@pytest.fixture(scope="module")
def solver(solution: Solution) -> Solver:
    return Solver(solution)


def all_symmetric(boards: np.ndarray[tuple[int], np.dtype[np.int32]]) -> set[int]:
    """Return these boards and all their symmetric images."""
    found: set[int] = set()
    for code in boards.tolist():
        tiles = tuple(code >> 4 * cell & 15 for cell in range(6))
        found.update(map(board_code, symmetries(tiles)))
    return found


@pytest.mark.long
def test_number_of_reachable_boards_is_the_known_total(solution: Solution) -> None:
    before, after = all_symmetric(solution.before), all_symmetric(solution.after)
    assert (len(before), len(after), len(before | after)) == (815_828, 525_758, 1_135_664)


def test_shipped_table_equals_the_solution(solution: Solution) -> None:
    shipped = files("arena.games.fib2584").joinpath(RESOURCE).read_bytes()
    assert write_values(solution.after.tolist(), solution.after_values.tolist()) == shipped


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("b 2 2 0 0 0 0", 1422.339233),
        ("b 0 0 0 0 2 2", 1422.339233),
        ("a 0 0 0 0 2 2", 1422.339233),
        ("a 2 0 2 0 0 0", 1422.339233),
        ("a 10 0 0 0 0 1", -1),
        ("a 0 0 0 0 1 2", 1424.364258),
        ("b 1 1 0 0 0 1", 1426.366089),
        ("b 33 32 31 30 29 28", -1),
        ("a 2 2 2 2 2 2", -1),
    ],
)
def test_published_values_are_reproduced(solver: Solver, question: str, answer: float) -> None:
    mark, value = solver.answer(question).split()
    assert mark == "="
    assert float(value) == pytest.approx(answer, abs=1e-3)


def test_board_without_a_legal_move_is_worth_nothing(solver: Solver, solution: Solution) -> None:
    over = solution.before[solution.before_values == 0][0]
    tiles = " ".join(str(int(over) >> 4 * cell & 15) for cell in range(6))
    assert solver.answer(f"b {tiles}") == "= 0.000000"


def test_every_direction_agrees_with_plain_slides(solution: Solution) -> None:
    for code in solution.before[:: len(solution.before) // 500].tolist():
        tiles = tuple(code >> 4 * cell & 15 for cell in range(6))
        for direction, name in enumerate(("up", "right", "down", "left")):
            assert slide(tiles, direction) == plain_recursion.slide(tiles, name)
        assert canonical_codes(np.array([code], np.int32))[0] == canonical_code(tiles)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", '? a query must begin with "b" or "a", not \'\''),
        ("value 1 2", '? a query must begin with "b" or "a", not \'value\''),
        ("b 1 2 3", "? a board must have 6 tiles, not 3"),
        ("a 1 2 3 4 5 6 7", "? a board must have 6 tiles, not 7"),
        ("b 1 2 3 x 5 6", "? a tile must be a whole number, not 'x'"),
        ("b 1 2 3 4.0 5 6", "? a tile must be a whole number, not '4.0'"),
        ("b 1 2 3 1_0 5 6", "? a tile must be a whole number, not '1_0'"),
        ("b 13 0 0 0 0 1", IMPOSSIBLE),
        ("b -1 0 0 0 0 1", IMPOSSIBLE),
        ("b 0 0 0 0 0 0", IMPOSSIBLE),
    ],
)
def test_malformed_lines_get_an_error_and_impossible_boards_minus_one(solver: Solver, line: str, answer: str) -> None:
    assert solver.answer(line) == answer


@given(st.text(max_size=200))
def test_no_input_line_crashes_the_solver(solver: Solver, line: str) -> None:
    answer = solver.answer(line)
    assert answer[:2] in ("= ", "? ")
    assert "\n" not in answer


@given(st.sampled_from("ab"), st.lists(st.integers(-3, 40), min_size=6, max_size=6))
def test_any_six_numbers_get_a_value_or_minus_one(solver: Solver, kind: str, tiles: list[int]) -> None:
    assert solver.answer(f"{kind} {' '.join(map(str, tiles))}").startswith("= ")
