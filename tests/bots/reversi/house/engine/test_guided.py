"""Tree search with the learned evaluation has consistent visit counts and normalized priors, and wins won positions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.reversi.house.engine.bitboard import legal_moves, parse_square, position_after, square_name
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.guided import GuidedSearch
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.table import TranspositionTable
from tests.bots.reversi.positions import MIDDLE_GAMES, START, position_after_line, random_position


def ticking_clock() -> Callable[[], float]:
    """Return a clock that advances by a second whenever the search reads it."""
    now = iter(range(10**9))
    return lambda: float(next(now))


@pytest.mark.parametrize("plies", [0, 20, 45, 56])
def test_visit_counts_are_consistent(plies: int) -> None:
    search = GuidedSearch(learned_evaluation(), clock=ticking_clock())
    found = search.think(*random_position(1, plies), 200)
    root = search._root
    assert found.playouts == root.visits >= 200
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        assert 0 <= node.reward <= node.visits + 1e-9
        if node.children:
            assert sum(child.visits for child in node.children) == node.visits - 1
            assert sum(child.prior for child in node.children) == pytest.approx(1)


def test_legal_move_is_played_without_time() -> None:
    own, other = position_after_line(MIDDLE_GAMES[0])
    found = GuidedSearch(learned_evaluation(), clock=ticking_clock()).think(own, other, 0.0)
    assert legal_moves(own, other) & found.move


def test_subtree_is_reused_for_the_next_move() -> None:
    search = GuidedSearch(learned_evaluation(), clock=ticking_clock())
    mine = search.think(*START, 300).move
    answered = position_after(*START, mine)
    reply = max(
        (child for child in search._root.children if child.move == mine), key=lambda child: child.visits
    ).children[0]
    known = reply.visits
    position = position_after(*answered, reply.move)
    assert search.think(*position, 10).playouts >= known + 10


def test_only_legal_move_needs_no_time() -> None:
    found = GuidedSearch(learned_evaluation(), clock=ticking_clock()).think(parse_square("A1"), parse_square("B1"), 600)
    assert (square_name(found.move), found.playouts) == ("C1", 2)


@pytest.mark.long
def test_player_wins_solved_wins() -> None:
    """In positions near the end that the endgame solver rates as won, the player's move keeps the win."""
    judged = 0
    for seed in range(30):
        own, other = random_position(seed, 54)
        if legal_moves(own, other).bit_count() < 2 or Endgame(TranspositionTable()).solve(own, other)[0] <= 0:
            continue
        found = GuidedSearch(learned_evaluation(), clock=ticking_clock()).think(own, other, 1500)
        assert Endgame(TranspositionTable()).value(*position_after(own, other, found.move), -64, 64) < 0
        judged += 1
    assert judged > 5
