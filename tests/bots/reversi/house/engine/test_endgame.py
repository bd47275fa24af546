"""The endgame solver solves FFO positions, and agrees with minimax when few squares are empty.

REVERSI_EMPTIES=16 solves the FFO positions with up to 16 empty squares, which take a few seconds each.
"""

from __future__ import annotations

import os

import pytest

from bots.reversi.house.engine.bitboard import FULL, legal_moves, parse_square, square_name
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.evaluation import DISC, WON, Weights, create_evaluation
from bots.reversi.house.engine.search import OutOfTime
from bots.reversi.house.engine.table import TranspositionTable
from bots.reversi.house.engine.thinking import Thinker, solvable_squares
from tests.bots.reversi.minimax import Minimax
from tests.bots.reversi.positions import MIDDLE_GAMES, endgames, parse_position, position_after_line, random_position

ESTIMATE = create_evaluation(Weights())
ASKED_FOR = int(os.environ.get("REVERSI_EMPTIES", "0"))
QUICK = (1, 5, 20)  # numbers of FFO positions that take less than a second each
FFO = endgames(ASKED_FOR) if ASKED_FOR else [one for one in endgames(14) if one["n"] in QUICK]


@pytest.mark.long
@pytest.mark.parametrize("position", FFO, ids=lambda one: f"ffo-{one['n']}")
def test_ffo_positions_are_solved(position: dict[str, object]) -> None:
    own, other = parse_position(str(position["board"]), str(position["side"]))
    value, move = Endgame(TranspositionTable()).solve(own, other)
    assert value == position["best"]
    assert square_name(move).lower() in position["best_moves"]  # type: ignore[operator]


def disc_difference(value: int) -> int:
    return (value - WON if value > 0 else value + WON if value < 0 else 0) // DISC


@pytest.mark.long
@pytest.mark.parametrize("plies", range(52, 61))
def test_last_squares_agree_with_minimax(plies: int) -> None:
    for seed in range(12):
        own, other = random_position(seed, plies)
        empties = (FULL & ~(own | other)).bit_count()
        if empties > 8:  # the match ended early
            continue
        exact = disc_difference(Minimax(ESTIMATE).value(own, other, empties + 1))
        value, move = Endgame(TranspositionTable()).solve(own, other)
        assert value == exact
        assert bool(move) == bool(legal_moves(own, other))
        if move:
            assert legal_moves(own, other) & move


def test_endgame_solver_stops_at_its_deadline() -> None:
    ticks = iter(range(1000))
    with pytest.raises(OutOfTime):
        Endgame(TranspositionTable(), deadline=2, clock=lambda: next(ticks)).solve(
            *position_after_line(MIDDLE_GAMES[1])
        )


@pytest.mark.long
def test_search_deepens_with_time_and_solves_the_end() -> None:
    own, other = position_after_line(MIDDLE_GAMES[1])
    found = [Thinker(ESTIMATE, clock=ticking_clock(0.0001)).think(own, other, seconds) for seconds in (0.001, 0.02)]
    assert found[0].depth < found[1].depth
    ffo = next(one for one in endgames(14) if one["n"] == 5)
    own, other = parse_position(str(ffo["board"]), str(ffo["side"]))
    solved = Thinker(ESTIMATE, clock=lambda: 0.0).think(own, other, 1.0)
    assert (solved.exact, solved.value, square_name(solved.move)) == (True, 32 * DISC, "G8")


def test_legal_move_is_found_without_any_time() -> None:
    own, other = position_after_line(MIDDLE_GAMES[0])
    found = Thinker(ESTIMATE, clock=ticking_clock(1.0)).think(own, other, 0.0)
    assert legal_moves(own, other) & found.move


def test_search_depth_is_limited_by_level() -> None:
    own, other = position_after_line(MIDDLE_GAMES[0])
    found = Thinker(ESTIMATE, max_depth=2, solve=False, clock=lambda: 0.0).think(own, other, 1.0)
    assert (found.depth, found.exact) == (2, False)


def test_more_time_lets_the_solver_start_earlier() -> None:
    assert solvable_squares(0.1) < solvable_squares(0.5) < solvable_squares(5.0) <= 16


def test_only_legal_move_is_played_immediately() -> None:
    own, other = parse_square("A1"), parse_square("B1")
    assert square_name(Thinker(ESTIMATE).think(own, other, 60.0).move) == "C1"


def ticking_clock(step: float):
    now = iter(range(10**9))
    return lambda: next(now) * step
