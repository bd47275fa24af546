"""The rules of 2584 apply in a match: slides, drops, shared random draws, scores and faults."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.base import Audience, IllegalMove, SettingsError, Termination
from arena.games.fib2584.board import (
    DIRECTIONS,
    DOWN,
    LEFT,
    RIGHT,
    UP,
    drop,
    legal_directions,
    pack,
    slide,
    unpack,
)
from arena.games.fib2584.rules import GAME, State
from arena.games.fib2584.values import exact_values, start_value
from tests.games.fib2584 import plain_recursion


def start(seats: int = 1, games: int = 1, seed: int = 7) -> State:
    return GAME.initial(GAME.settings({"games": games}), seats, random.Random(seed))


def best_direction(state: State, seat: int) -> int:
    worth = exact_values().direction_values(state.boards[seat].tiles)
    return max(worth, key=worth.__getitem__)


def random_direction(state: State, seat: int, rng: random.Random) -> int:
    return rng.choice(legal_directions(state.boards[seat].tiles))


def play_to_end(state: State, rng: random.Random) -> State:
    while state.to_move:
        state = GAME.apply(state, {seat: random_direction(state, seat, rng) for seat in state.to_move})
    return state


@pytest.mark.parametrize(
    ("tiles", "direction", "after", "reward"),
    [
        ((1, 1, 0, 0, 0, 0), LEFT, (2, 0, 0, 0, 0, 0), 2),
        ((1, 1, 0, 0, 0, 0), RIGHT, (0, 0, 2, 0, 0, 0), 2),
        ((1, 0, 0, 1, 0, 0), UP, (2, 0, 0, 0, 0, 0), 2),
        ((1, 0, 0, 2, 0, 0), DOWN, (0, 0, 0, 3, 0, 0), 3),
        ((1, 2, 3, 0, 0, 0), LEFT, (3, 3, 0, 0, 0, 0), 3),  # the leading edge merges first
        ((1, 2, 3, 0, 0, 0), RIGHT, (0, 1, 4, 0, 0, 0), 5),
        ((1, 1, 2, 0, 0, 0), LEFT, (2, 2, 0, 0, 0, 0), 2),  # a merged tile does not merge again
        ((2, 2, 0, 0, 0, 0), LEFT, (2, 2, 0, 0, 0, 0), 0),  # two 2s do not merge
        ((3, 0, 5, 0, 0, 0), LEFT, (3, 5, 0, 0, 0, 0), 0),
        ((11, 0, 10, 4, 0, 3), LEFT, (12, 0, 0, 5, 0, 0), 241),
    ],
)
def test_slide_merges_tiles_and_returns_the_reward(
    tiles: tuple[int, ...], direction: int, after: tuple[int, ...], reward: int
) -> None:
    assert slide(pack(tiles), direction) == (pack(after), reward)


@given(st.lists(st.integers(0, 10), min_size=6, max_size=6), st.integers(0, 3))
def test_slides_agree_with_a_plain_implementation_and_keep_the_sum(tiles: list[int], direction: int) -> None:
    board = pack(tiles)
    slid, reward = slide(board, direction)
    assert (unpack(slid), reward) == plain_recursion.slide(tuple(tiles), DIRECTIONS[direction])
    assert plain_recursion.tile_sum(unpack(slid)) == plain_recursion.tile_sum(tuple(tiles))


def test_drops_are_determined_by_two_random_numbers() -> None:
    board = pack((0, 3, 0, 0, 4, 0))
    assert drop(board, 0.0, 0.0) == (pack((1, 3, 0, 0, 4, 0)), 0, 1)
    assert drop(board, 0.95, 0.99) == (pack((0, 3, 0, 0, 4, 2)), 5, 2)


def test_boards_have_six_valid_tile_indices() -> None:
    for wrong in ((1, 2, 3), (0, 0, 0, 0, 0, 13), (-1, 0, 0, 0, 0, 0)):
        with pytest.raises(ValueError, match="six tiles"):
            pack(wrong)


def test_all_seats_get_the_same_luck() -> None:
    state = start(seats=3, games=2)
    rng = random.Random(1)
    while state.to_move:
        moves = {
            seat: best_direction(state, 0) if seat in (0, 1) else random_direction(state, seat, rng)
            for seat in state.to_move
        }
        state = GAME.apply(state, moves)
        assert state.boards[0] == state.boards[1]
    assert state.game == 2


def test_equal_seeds_give_equal_matches_and_different_seeds_do_not() -> None:
    assert play_to_end(start(seed=1), random.Random(3)) == play_to_end(start(seed=1), random.Random(3))
    assert play_to_end(start(seed=1), random.Random(3)) != play_to_end(start(seed=2), random.Random(3))


def test_seat_with_dead_board_waits_for_the_next_game() -> None:
    state = start(seats=2, games=2)
    rng = random.Random(4)
    while state.game == 1:
        alive = set(state.to_move)
        state = GAME.apply(
            state, {seat: best_direction(state, 0) if seat == 0 else random_direction(state, 1, rng) for seat in alive}
        )
    assert state.to_move == (0, 1)
    assert all(board.total == board.best_game > 0 == board.score for board in state.boards)
    assert state.boards[0].tiles == state.boards[1].tiles


def test_best_play_has_no_regret() -> None:
    state = start(games=5)
    while state.to_move:
        state = GAME.apply(state, {0: best_direction(state, 0)})
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.points == (start_value(),)
    assert outcome.termination is Termination.COMPLETED


def test_regret_is_the_value_that_a_move_loses() -> None:
    state = start()
    worth = exact_values().direction_values(state.boards[0].tiles)
    worst = min(worth, key=worth.__getitem__)
    after = GAME.apply(state, {0: worst})
    assert after.boards[0].regret == pytest.approx(max(worth.values()) - worth[worst])
    assert after.boards[0].last == after.boards[0].regret


def test_scores_are_the_sum_of_rewards() -> None:
    state, total, rng = start(), 0, random.Random(9)
    while state.to_move:
        direction = random_direction(state, 0, rng)
        total += slide(state.boards[0].tiles, direction)[1]
        state = GAME.apply(state, {0: direction})
        assert state.boards[0].score == state.boards[0].total == total


def test_faulting_seat_loses_the_rest_and_ranks_last() -> None:
    state = start(seats=2, games=3)
    rng = random.Random(2)
    lost = exact_values().value_before_move(state.boards[0].tiles) + 2 * start_value()
    state = GAME.apply(state, {1: random_direction(state, 1, rng)}, frozenset({0}))
    assert state.boards[0].regret == pytest.approx(lost)
    outcome = GAME.outcome(play_to_end(state, rng))
    assert outcome is not None
    assert outcome.ranks == (2, 1)
    assert outcome.points[0] == pytest.approx(start_value() - lost / 3)
    assert outcome.termination is Termination.COMPLETED


def test_match_is_forfeit_when_all_seats_are_out() -> None:
    outcome = GAME.outcome(GAME.apply(start(seats=2), {}, frozenset({0, 1})))
    assert outcome is not None
    assert (outcome.ranks, outcome.termination) == ((1, 1), Termination.FORFEIT)


@pytest.mark.parametrize("answer", [0, 3, "up", "left"])
def test_directions_have_numbers_and_names(answer: Any) -> None:
    state = start()
    board = pack((0, 0, 0, 0, 3, 0))
    state = State(state.settings, state.seed, (type(state.boards[0])(board),))
    assert GAME.parse(state, 0, answer) in (UP, LEFT)


def test_slide_without_effect_is_rejected_with_legal_directions() -> None:
    state = start()
    state = State(state.settings, state.seed, (type(state.boards[0])(pack((3, 5, 0, 0, 0, 0))),))
    with pytest.raises(IllegalMove, match="right, down") as refused:
        GAME.parse(state, 0, "up")
    assert refused.value.message.code == "fib2584.changes_nothing"


@pytest.mark.parametrize("answer", [None, True, 4, -1, 1.0, "UP", "north", [0], {}, "", "\x00", 10**30, float("nan")])
def test_other_illegal_answers_are_rejected(answer: Any) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(start(), 0, answer)
    assert refused.value.message.code == "fib2584.no_direction"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(DIRECTIONS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.long
@settings(max_examples=300)
@given(
    st.lists(st.integers(0, 11), min_size=6, max_size=6),  # with index 12, tiles that never meet could merge
    st.integers(-2, 5) | st.sampled_from([*DIRECTIONS, "UP", "up "]) | JSON,
)
def test_any_answer_is_a_legal_direction_or_rejected(cells: list[int], answer: Any) -> None:
    """For any board and JSON value, ``parse`` returns an applicable move or raises IllegalMove with a message."""
    fresh = start()
    state = State(fresh.settings, fresh.seed, (type(fresh.boards[0])(pack(tuple(cells))),))
    legal = legal_directions(state.boards[0].tiles)
    named = isinstance(answer, str) and answer in DIRECTIONS
    numbered = type(answer) is int and answer in range(4)
    meant = DIRECTIONS.index(answer) if named else answer if numbered else None
    if meant in legal:
        move = GAME.parse(state, 0, answer)
        assert move == meant
        assert GAME.decode(json.loads(json.dumps(GAME.encode(move)))) == move
    else:
        with pytest.raises(IllegalMove) as refused:
            GAME.parse(state, 0, answer)
        assert refused.value.message.code in ("fib2584.no_direction", "fib2584.changes_nothing")


@pytest.mark.parametrize("raw", [{"games": 0}, {"games": 101}, {"games": "5"}, {"games": True}, {"rounds": 5}])
def test_settings_out_of_bounds_are_rejected(raw: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        GAME.settings(raw)


@pytest.mark.long
@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_whole_matches_have_json_views_and_end(seed: int, seats: int) -> None:
    state = start(seats=seats, games=2, seed=seed)
    rng = random.Random(seed)
    while state.to_move:
        json.dumps([GAME.view(state, Audience.PUBLIC), GAME.shared(state), GAME.own(state, 0)], allow_nan=False)
        state = GAME.apply(state, {seat: random_direction(state, seat, rng) for seat in state.to_move})
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.figures == {name: tuple(board.total / 2 for board in state.boards) for name in GAME.figures}
    # Compared unrounded: pages show both with one decimal place, and rounding twice would make some of them differ.
    assert GAME.view(state, Audience.PUBLIC)["adjusted"] == pytest.approx(outcome.points, abs=1e-6)
    assert state.turn <= GAME.max_turns(state.settings)
    views = GAME.view(state, Audience.EVERYBODY)
    assert views["totals"] == [board.total for board in state.boards]
    assert views["best_games"] == [max(board.best_game, board.score) for board in state.boards]


def test_view_of_a_long_match_is_small() -> None:
    state = play_to_end(start(seats=50, games=1), random.Random(6))
    assert len(json.dumps(GAME.view(state, Audience.PUBLIC), separators=(",", ":"))) < 50 * 60
