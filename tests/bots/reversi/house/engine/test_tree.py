"""Monte Carlo tree search has legal and balanced playouts, counts visits consistently and wins won positions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bots.reversi.house.engine.bitboard import FULL, legal_moves, parse_square, position_after
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.playout import play_out
from bots.reversi.house.engine.table import TranspositionTable
from bots.reversi.house.engine.tree import Node, TreeSearch
from tests.bots.reversi.positions import START, random_position


def ticking_clock() -> Callable[[], float]:
    """Return a clock that advances by a second whenever the search reads it."""
    now = iter(range(10**9))
    return lambda: float(next(now))


def test_final_position_is_scored_as_is() -> None:
    chance = random.Random(1)
    assert play_out(0b111, 0, chance) == 64
    assert play_out(0, 0b111, chance) == -64
    assert play_out(FULL ^ 0xFF, 0xFF, chance) == 48


def test_playouts_handle_passes_to_a_forced_end() -> None:
    own, other = parse_square("A1"), parse_square("B1")  # C1 takes all discs
    assert {play_out(own, other, random.Random(seed)) for seed in range(20)} == {64}
    assert {play_out(other, own, random.Random(seed)) for seed in range(20)} == {-64}


def test_random_playouts_are_balanced() -> None:
    leads = [play_out(*START, random.Random(seed)) for seed in range(400)]
    assert abs(sum(leads) / 400) < 4
    assert len(set(leads)) > 20


@pytest.mark.parametrize("plies", [0, 20, 45, 56])
def test_visit_counts_are_consistent(plies: int) -> None:
    chance = random.Random(3)
    search = TreeSearch(chance, clock=ticking_clock())
    root = Node(*random_position(1, plies), 0, chance)
    for _ in range(300):
        path = search._descend(root, 0.1)
        search._back_propagate(path, play_out(path[-1].own, path[-1].other, chance))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        assert 0 <= node.reward <= node.visits
        if node.children:
            below = sum(child.visits for child in node.children)
            assert below == node.visits - (0 if node is root else 1)
            rewards = sum(child.reward for child in node.children)
            assert node is not root or rewards == pytest.approx(root.visits - root.reward)
    assert root.visits == 300


def test_every_move_is_visited_even_without_time() -> None:
    found = TreeSearch(random.Random(1), clock=ticking_clock()).think(*START, 0.0)
    assert found.playouts == 4
    assert legal_moves(*START) & found.move


def test_only_legal_move_needs_no_time() -> None:
    assert (
        TreeSearch(random.Random(1), clock=ticking_clock()).think(parse_square("A1"), parse_square("B1"), 600).playouts
        == 1
    )


@pytest.mark.long
def test_player_wins_solved_wins() -> None:
    """In won positions close to the end of the match, the player's move also wins; the endgame solver verifies this."""
    judged = 0
    for seed in range(40):
        own, other = random_position(seed, 54)
        if legal_moves(own, other).bit_count() < 2 or Endgame(TranspositionTable()).solve(own, other)[0] <= 0:
            continue
        found = TreeSearch(random.Random(seed), clock=ticking_clock()).think(own, other, 600)
        assert Endgame(TranspositionTable()).value(*position_after(own, other, found.move), -64, 64) < 0
        judged += 1
    assert judged > 5
