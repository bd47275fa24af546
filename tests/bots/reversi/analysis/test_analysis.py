"""Matches are analysed backwards from the end: exact values agree with minimax, and estimates are marked as such."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from arena.games.reversi.lines import Line, board_text, final_lead
from arena.games.reversi.move_grades import DISC, EngineFinding, Grade, grade_moves
from arena.games.reversi.notation import read_moves
from bots.reversi.analysis.analyst import Analyst, SearchBudget
from bots.reversi.house.engine.evaluation import WON, Weights, create_evaluation
from tests.bots.reversi.minimax import Minimax
from tests.bots.reversi.positions import MIDDLE_GAMES

ESTIMATE = create_evaluation(Weights())


def ticking_clock(step: float) -> Callable[[], float]:
    now = iter(range(10**9))
    return lambda: next(now) * step


def ending(seed: int, empties: int) -> Line:
    """Return the end of a match that was continued at random, from the position with this many empty squares."""
    chance = random.Random(seed)
    line = read_moves(MIDDLE_GAMES[0])
    while (state := line.states()[-1]).to_move is not None:
        legal = [square for square in range(64) if state.legal >> square & 1]
        move = chance.choice(legal)
        line = Line(moves=(*line.moves, f"{'ABCDEFGH'[move % 8]}{move // 8 + 1}"))
    states = line.states()
    begin = next(at for at, state in enumerate(states) if 64 - sum(d.bit_count() for d in state.discs) == empties)
    return Line(board_text(states[begin]), "XO"[states[begin].to_move or 0], line.moves[begin:])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_end_of_game_is_solved_exactly_as_by_minimax(seed: int) -> None:
    line = ending(seed, 8)
    states = line.states()
    found = list(Analyst(clock=lambda: 0.0).analyse(line))
    assert [finding.ply for finding in found] == list(reversed(range(len(states))))
    assert all(finding.exact for finding in found)
    assert found[0].value == final_lead(states[-1]) * DISC
    for later, finding in pairwise(found):
        state = states[finding.ply]
        seat = state.to_move
        assert seat is not None
        value = Minimax(ESTIMATE).value(state.discs[seat], state.discs[1 - seat], 9)
        assert (1 - 2 * seat) * finding.value == value - WON * ((value > 0) - (value < 0))
        assert finding.played == later.value
        ended = read_moves("".join(finding.line), Line(board_text(state), "XO"[seat])).states()[-1]
        assert ended.to_move is not None or final_lead(ended) * DISC == finding.value
    assert all(one.loss >= 0 for one in grade_moves(line, found))


def test_opening_moves_are_estimated_with_legal_lines() -> None:
    line = read_moves("F5D6C3D3C4F4")
    found = list(Analyst(SearchBudget(0.02, 0.01), clock=ticking_clock(0.001)).analyse(line))
    assert len(found) == 7
    for finding in found:
        assert not finding.exact
        assert finding.depth > 0
        assert finding.line[0] == finding.best
        read_moves("".join((*line.moves[: finding.ply], *finding.line)))


@pytest.mark.long
def test_a_blunder_is_found() -> None:
    """White's last move in the shortest possible match is graded a blunder, because it lets black take every disc."""
    line = read_moves("E6F4E3F6G5D6E7F5C5")
    found = list(Analyst(SearchBudget(0.05, 0.01), clock=ticking_clock(0.001)).analyse(line))
    last = grade_moves(line, found)[-2]
    assert (last.move, last.grade) == ("F5", Grade.BLUNDER)
    assert last.finding.best != "F5"


def test_positions_not_solved_in_time_are_estimated() -> None:
    line = ending(0, 14)
    calls = []

    def clock() -> float:
        calls.append(None)
        return len(calls) * 0.01

    found = list(Analyst(SearchBudget(0.05, 0.2), clock=clock).analyse(line))
    proven = [finding.exact for finding in found]
    assert True in proven
    assert False in proven
    assert proven == sorted(proven, reverse=True), "exact from some position on, to the end"


def test_legal_move_is_found_without_any_time() -> None:
    found = list(Analyst(SearchBudget(0.0, 0.0), clock=ticking_clock(1.0)).analyse(Line()))
    assert [(finding.ply, finding.exact) for finding in found] == [(0, False)]
    assert isinstance(found[0], EngineFinding)
    read_moves(found[0].best or "")
