"""The rules of the golden point, tested case by case and with a recorded match of 23 players."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import Audience, IllegalMove, SettingsError, Termination
from arena.games.golden_point.rules import GoldenPointGame, GoldenPointState, Numbers, pack_numbers, score_round
from tests.games.golden_point.evaluation.matches import RECORDED

GAME = GoldenPointGame()
number = st.floats(0, 100, exclude_min=True, exclude_max=True)


def match(seats: int, numbers: int = 1, rounds: int = 3) -> GoldenPointState:
    return GAME.initial(GAME.settings({"numbers": numbers, "rounds": rounds}), seats, random.Random(0))


def recorded_rounds() -> list[tuple[float, list[Numbers | None]]]:
    rounds = []
    for line in RECORDED.read_text().splitlines()[1:]:
        golden, *numbers = map(float, line.split("\t"))
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        present: list[Numbers | None] = [None if pair == (0, 0) else pair for pair in pairs]
        rounds.append((golden, present))
    return rounds


def test_recorded_match_is_reproduced() -> None:
    totals = [0] * 23
    rounds = recorded_rounds()
    assert len(rounds) == 400
    for golden, numbers in rounds:
        score = score_round(numbers)
        assert score.golden == pytest.approx(golden, abs=1e-9)
        totals = [total + gain for total, gain in zip(totals, score.gains, strict=True)]
    assert sorted(totals, reverse=True)[:3] == [962, 807, 685]


def test_recorded_match_of_always_present_seats_has_equal_totals() -> None:
    """The state machine's totals equal the sums of score_round over all rounds."""
    rounds = recorded_rounds()
    always = [seat for seat in range(23) if all(numbers[seat] for _, numbers in rounds)]
    state = match(len(always), numbers=2, rounds=len(rounds))
    totals = [0] * len(always)
    for _, numbers in rounds:
        present = [numbers[seat] for seat in always]
        totals = [total + gain for total, gain in zip(totals, score_round(present).gains, strict=True)]
        moves = {seat: GAME.parse(state, seat, list(own or ())) for seat, own in enumerate(present)}
        state = GAME.apply(state, moves)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.points == tuple(totals)
    assert [rank for _, rank in sorted(zip(totals, outcome.ranks, strict=True), reverse=True)] == sorted(outcome.ranks)


def test_nearest_gains_n_and_farthest_loses_two() -> None:
    score = score_round([(10.0,), (20.0,), (30.0,)])
    assert score.golden == pytest.approx(0.618 * 20)
    assert (score.nearest, score.farthest, score.gains) == ((0,), (2,), (3, 0, -2))


def test_seat_that_is_nearest_and_farthest_gains_n_minus_two() -> None:
    score = score_round([(10.0, 90.0), (40.0, 41.0), (39.0, 42.0)])
    assert score.golden == pytest.approx(0.618 * 262 / 6)
    assert (score.nearest, score.farthest) == ((2,), (0,))
    assert score_round([(27.0, 90.0), (40.0, 41.0), (39.0, 42.0)]).gains == (1, 0, 0)


def test_equal_numbers_of_a_seat_gain_once_but_count_twice_in_the_mean() -> None:
    score = score_round([(1.0, 1.0), (2.0, 4.0)])
    assert score.golden == pytest.approx(0.618 * 2)
    assert score.gains == (2, -2)


def test_equal_distances_are_all_nearest_and_none_farthest() -> None:
    score = score_round([(5.0,), (5.0,), (5.0,)])
    assert (score.nearest, score.farthest, score.gains) == ((0, 1, 2), (), (3, 3, 3))


@pytest.mark.parametrize("own", [(5.0,), (5.0, 90.0)])
def test_unopposed_seat_scores_nothing(own: Numbers) -> None:
    assert score_round([None, own]).gains == (0, 0)


def test_n_counts_seats_with_a_pick() -> None:
    assert score_round([(10.0,), None, (20.0,), (30.0,), None]).gains == (3, 0, 0, -2, 0)
    with pytest.raises(ValueError, match="pick"):
        score_round([None, None])


@pytest.mark.long
@given(st.lists(st.one_of(st.none(), st.tuples(number, number)), min_size=1, max_size=12), st.randoms())
def test_order_of_seats_does_not_matter(numbers: list[Numbers | None], rng: random.Random) -> None:
    if not any(numbers):
        return
    order = list(range(len(numbers)))
    rng.shuffle(order)
    straight, shuffled = score_round(numbers), score_round([numbers[seat] for seat in order])
    assert straight.golden == shuffled.golden
    assert [straight.gains[seat] for seat in order] == list(shuffled.gains)


@given(st.lists(st.tuples(number), min_size=2, max_size=12))
def test_every_round_has_a_nearest_seat_and_bounded_gains(numbers: list[Numbers]) -> None:
    score = score_round(numbers)
    n = len(numbers)
    assert score.nearest
    assert sum(score.gains) == n * len(score.nearest) - 2 * len(score.farthest)
    assert math.isfinite(score.golden)


def test_match_is_played_from_first_round_to_ranks() -> None:
    state = match(3, rounds=2)
    assert GAME.to_move(state) == (0, 1, 2)
    assert GAME.shared(state) == {"round": 1, "previous": None}
    assert GAME.view(state, Audience.EVERYBODY)["round"] == 0
    state = GAME.apply(state, {0: (10.0,), 1: (20.0,), 2: (30.0,)})
    assert GAME.own(state, 2) == {"score": -2}
    shared = GAME.shared(state)
    assert shared["round"] == 2
    assert shared["previous"] == {
        "golden": pytest.approx(12.36),
        "numbers": pack_numbers([(10.0,), (20.0,), (30.0,)]),
        "silent": [],
    }
    assert GAME.outcome(state) is None
    state = GAME.apply(state, {0: (30.0,), 1: (20.0,), 2: (10.0,)})
    assert GAME.view(state, Audience.EVERYBODY) == {
        "round": 2,
        "rounds": 2,
        "golden": pytest.approx(12.36),
        "numbers": [[30.0], [20.0], [10.0]],
        "gains": [-2, 0, 3],
        "scores": [1, 0, 1],
        "nearest": [2],
        "farthest": [0],
        "out": [],
    }
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.ranks, outcome.margins) == ((1, 0, 1), (1, 3, 1), (1, 0, 1))
    assert outcome.termination is Termination.COMPLETED
    assert GAME.to_move(state) == ()


def test_removed_seat_keeps_points_and_ranks_below_finishers() -> None:
    state = match(3, rounds=2)
    state = GAME.apply(state, {0: (10.0,), 1: (20.0,), 2: (30.0,)})
    state = GAME.apply(state, {1: (20.0,), 2: (30.0,)}, frozenset({0}))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.points == (3, 2, -4)
    assert outcome.ranks == (3, 1, 2)
    assert GAME.view(state, Audience.EVERYBODY)["numbers"] == [None, [20.0], [30.0]]
    assert GAME.view(state, Audience.EVERYBODY)["out"] == [0]


def test_match_continues_with_one_seat_that_scores_nothing() -> None:
    state = GAME.apply(match(2), {1: (20.0,)}, frozenset({0}))
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == (1,)
    assert state.scores == (0, 0)


def test_match_ends_when_all_seats_are_out() -> None:
    state = GAME.apply(match(3), {0: (10.0,), 1: (20.0,), 2: (30.0,)})
    state = GAME.apply(state, {}, frozenset({0, 1, 2}))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.termination is Termination.FORFEIT
    assert outcome.ranks == (1, 2, 3)
    assert GAME.view(state, Audience.EVERYBODY)["golden"] is None
    assert GAME.view(state, Audience.EVERYBODY)["round"] == 1


def test_apply_requires_a_move_from_every_remaining_seat() -> None:
    state = GAME.apply(match(3), {0: (1.0,), 1: (2.0,)}, frozenset({2}))
    for moves in ({0: (1.0,)}, {0: (1.0,), 1: (1.0,), 2: (1.0,)}):
        with pytest.raises(ValueError, match="remaining seat"):
            GAME.apply(state, moves)


@pytest.mark.parametrize(
    "answer",
    [None, True, "5", "", 0, 0.0, -1, 100, 100.0, math.nan, math.inf, 10**400, {}, [], [1, 2], [[1]], [True], [None]],
)
def test_illegal_single_numbers_are_rejected(answer: Any) -> None:
    with pytest.raises(IllegalMove):
        GAME.parse(match(2), 0, answer)


@pytest.mark.parametrize("answer", [5, [5], [1, 2, 3], [1, 100], [0, 1], [1, "2"], [math.nan, 1]])
def test_illegal_pairs_are_rejected(answer: Any) -> None:
    with pytest.raises(IllegalMove):
        GAME.parse(match(2, numbers=2), 0, answer)


def test_legal_answers_are_accepted() -> None:
    assert GAME.parse(match(2), 0, 5) == (5.0,)
    assert GAME.parse(match(2), 0, [5e-324]) == (5e-324,)
    assert GAME.parse(match(2, numbers=2), 0, [1, 99.999]) == (1.0, 99.999)


def test_moves_survive_a_round_trip_through_a_record() -> None:
    move = (0.1, 99.99999999999999)
    assert GAME.decode(json.loads(json.dumps(GAME.encode(move)))) == move
    with pytest.raises(ValueError, match="not a list"):
        GAME.decode("5")


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"numbers": 0}, "numbers"),
        ({"numbers": 3}, "numbers"),
        ({"numbers": True}, "numbers"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 2001}, "rounds"),
        ({"rounds": "5"}, "rounds"),
        ({"turns": 5}, "turns"),
    ],
)
def test_invalid_settings_are_rejected(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(SettingsError) as caught:
        GAME.settings(raw)
    assert caught.value.field == field


def test_settings_defaults_and_seats() -> None:
    assert GAME.settings_json(GAME.settings({})) == {"numbers": 2, "rounds": 100}
    for seats in (1, 501):
        with pytest.raises(ValueError, match="2 to 500"):
            GAME.initial(GAME.settings({}), seats, random.Random(0))
