"""The network and search of self_taught find winning moves; with JAX installed, the training code agrees with them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bots.reversi.house.engine.bitboard import legal_moves, parse_square, position_after, square_name
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.network import shipped_network
from bots.reversi.house.engine.network_player import NetworkPlayer
from bots.reversi.house.engine.puct import NetworkSearch
from bots.reversi.house.engine.table import TranspositionTable
from bots.reversi.house.self_taught import AIPlayer
from bots.reversi.sdk.board import Board
from tests.bots.reversi.positions import MIDDLE_GAMES, START, position_after_line, random_position


def ticking_clock() -> Callable[[], float]:
    """Return a clock that advances by a second whenever it is read."""
    now = iter(range(10**9))
    return lambda: float(next(now))


def evaluate_position(own: int, other: int) -> tuple[list[float], float]:
    return shipped_network()(own, other, legal_moves(own, other), legal_moves(other, own))


def test_shipped_network_evaluates_positions() -> None:
    logits, value = evaluate_position(*START)
    assert len(logits) == 64
    assert value == pytest.approx(0, abs=0.3)
    # Black holds a whole edge including both corners, which white can never flip.
    assert evaluate_position(0xFF | 0x3C << 24, 0x18 << 32)[1] > 0.8
    assert evaluate_position(0x18 << 32, 0xFF | 0x3C << 24)[1] < -0.8


def test_policy_prefers_legal_moves_that_win() -> None:
    """The logit of the most likely legal move is above the mean logit of all squares."""
    own, other = position_after_line(MIDDLE_GAMES[0])
    logits, _ = evaluate_position(own, other)
    legal = legal_moves(own, other)
    assert max(logits[index] for index in range(64) if legal >> index & 1) > sum(logits) / 64


@pytest.mark.parametrize("plies", [0, 20, 45, 56])
def test_visit_counts_are_consistent(plies: int) -> None:
    search = NetworkSearch(shipped_network(), clock=ticking_clock())
    found = search.think(*random_position(1, plies), 200)
    root = search._root
    assert root is not None
    assert found.playouts == sum(root.visits) >= 199
    waiting = [root]
    while waiting:
        node = waiting.pop()
        assert -1 <= node.value <= 1
        assert sum(node.priors) == pytest.approx(1 if node.moves else 0)
        for child, visits, reward in zip(node.children, node.visits, node.rewards, strict=True):
            assert abs(reward) <= visits + 1e-9
            assert (child is None) == (visits == 0)
            if child:
                assert not child.moves or sum(child.visits) == visits - (len(child.moves) > 1)
                waiting.append(child)


def test_search_avoids_losing_its_last_disc() -> None:
    """The search finds one of the only two moves that keep white from flipping every disc.

    The network's favourite, E2, lost a match from here.
    """
    own, other = 0x0000_0000_1000_0000, 0x0008_1C3E_0C18_2000
    found = NetworkSearch(shipped_network(), clock=ticking_clock()).think(own, other, 500)
    assert square_name(found.move) in {"B4", "B7"}


def test_subtree_is_reused_for_the_next_move() -> None:
    search = NetworkSearch(shipped_network(), clock=ticking_clock())
    mine = search.think(*START, 300).move
    root = search._root
    assert root is not None
    answered = root.children[root.moves.index(mine)]
    assert answered is not None
    known, reply = max(zip(answered.visits, answered.moves, strict=True))
    assert search.think(*position_after(answered.own, answered.other, reply), 10).playouts >= known + 8


def test_only_legal_move_needs_no_time() -> None:
    found = NetworkSearch(shipped_network(), clock=ticking_clock()).think(parse_square("A1"), parse_square("B1"), 600)
    assert (square_name(found.move), found.playouts) == ("C1", 0)


def test_most_likely_move_is_played_without_time() -> None:
    own, other = position_after_line(MIDDLE_GAMES[0])
    found = NetworkSearch(shipped_network(), clock=ticking_clock()).think(own, other, 0.0)
    logits, _ = evaluate_position(own, other)
    legal = [index for index in range(64) if legal_moves(own, other) >> index & 1]
    assert found.move == 1 << max(legal, key=logits.__getitem__)


@pytest.mark.long
@pytest.mark.parametrize("solve", [True, False])
def test_player_wins_solved_wins(solve: bool) -> None:
    """In won positions close to the end of the match, the player's move wins too, as the endgame solver verifies."""
    judged = 0
    for seed in range(20):
        own, other = random_position(seed, 54)
        if legal_moves(own, other).bit_count() < 2 or Endgame(TranspositionTable()).solve(own, other)[0] <= 0:
            continue
        found = NetworkPlayer(shipped_network(), solve=solve, clock=ticking_clock()).think(own, other, 1000)
        assert Endgame(TranspositionTable()).value(*position_after(own, other, found.move), -64, 64) < 0
        judged += 1
    assert judged > 3


def test_search_completes_if_time_runs_out_while_solving() -> None:
    own, other = random_position(5, 46)
    found = NetworkPlayer(shipped_network(), clock=ticking_clock()).think(own, other, 3)
    assert legal_moves(own, other) & found.move


def test_any_position_gets_a_legal_answer() -> None:
    chance = random.Random(3)
    for _ in range(60):
        own, other = random_position(chance.randrange(10**6), chance.randrange(59))
        if not legal_moves(own, other):
            continue
        board = Board()
        board._board = [
            ["X" if own >> index & 1 else "O" if other >> index & 1 else "." for index in range(row, row + 8)]
            for row in range(0, 64, 8)
        ]
        player = AIPlayer("X")
        player.seconds_per_move = 0.002
        assert parse_square(player.get_move(board)) & legal_moves(own, other)


@pytest.mark.long
def test_training_code_computes_the_same_network() -> None:
    pytest.importorskip("jax", reason="the extra `training` is not installed: make training")
    import numpy as np

    from bots.reversi.house.engine import network
    from bots.reversi.training.network.files import load_weights
    from bots.training.selfplay.network import evaluate

    positions = [random_position(seed, plies) for seed, plies in enumerate(range(0, 58, 3))]
    seen = [(own, other, legal_moves(own, other), legal_moves(other, own)) for own, other in positions]
    observed = np.array([[float(squares >> index & 1) for squares in one for index in range(64)] for one in seen])
    logits, values = evaluate(load_weights(network._WEIGHTS), observed)
    for one, theirs, value in zip(seen, np.asarray(logits), np.asarray(values), strict=True):
        ours, judged = shipped_network()(*one)
        assert np.abs(np.array(ours) - theirs).max() < 1e-4
        assert judged == pytest.approx(float(np.clip(value, -1, 1)), abs=1e-4)
