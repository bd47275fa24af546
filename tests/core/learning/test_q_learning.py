"""Q-learning: the hand-computed steps, and convergence to the true values."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest

from arena.core.learning.q_learning import (
    NOTHING_KNOWN,
    Rates,
    best_actions,
    choose_action,
    episode,
    format_value,
    learn,
    lessons,
    true_values,
)
from arena.core.learning.two_states import RULES, Action, Move, State

A, B, ONE, TWO = State.A, State.B, Action.ONE, Action.TWO
WORKED = (Move(A, ONE, 10, A), Move(A, TWO, -10, B), Move(B, ONE, 40, A))


def test_updates_match_hand_calculation() -> None:
    first, second, third = lessons(WORKED, Rates())
    assert first.value == pytest.approx(1.0)
    assert second.value == pytest.approx(-1.0)
    assert third.value == pytest.approx(4.09)
    assert third.values == pytest.approx({(A, ONE): 1.0, (A, TWO): -1.0, (B, ONE): 4.09, (B, TWO): 0.0})


def test_formulas_show_their_numbers() -> None:
    assert [lesson.calculation for lesson in lessons(WORKED, Rates())] == [
        "0.0 + 0.1 × (10 + 0.9 × 0.0 - 0.0) = 1.0",
        "0.0 + 0.1 × (-10 + 0.9 × 0.0 - 0.0) = -1.0",
        "0.0 + 0.1 × (40 + 0.9 × 1.0 - 0.0) = 4.09",
    ]


def test_negative_values_are_parenthesized() -> None:
    lesson = learn({**NOTHING_KNOWN, (A, TWO): -1.0}, Move(A, TWO, -10, B), Rates())
    assert lesson.calculation == "-1.0 + 0.1 × (-10 + 0.9 × 0.0 - (-1.0)) = -1.9"


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1.0"), (-1, "-1.0"), (4.09, "4.09"), (-0.001, "0.0"), (133.76, "133.76")]
)
def test_values_are_written_with_one_or_two_decimals(value: float, text: str) -> None:
    assert format_value(value) == text


def test_episode_is_reproducible_from_its_seed_and_its_moves_are_consecutive() -> None:
    first, second = (list(islice(episode(random.Random(7), Rates()), 50)) for _ in range(2))
    assert first == second
    assert first[0].move.state is A
    assert all(one.move.after is other.move.state for one, other in pairwise(first))
    assert [lesson.number for lesson in first] == list(range(1, 51))


def test_without_exploration_the_best_known_action_is_chosen() -> None:
    values = {**NOTHING_KNOWN, (A, TWO): 3.0}
    assert all(
        choose_action(values, A, Rates(exploration=0), random.Random(seed)) == (TWO, False) for seed in range(20)
    )
    assert {choose_action(values, A, Rates(exploration=1), random.Random(seed)) for seed in range(20)} == {
        (ONE, True),
        (TWO, True),
    }
    assert best_actions(NOTHING_KNOWN, B) == [ONE, TWO]


def test_true_values_satisfy_the_bellman_equation() -> None:
    truth = true_values(0.9)
    best = {state: max(truth[state, action] for action in Action) for state in State}
    for choice, rule in RULES.items():
        following = rule.likely * best[rule.leads_to] + (1 - rule.likely) * best[rule.leads_to.other]
        assert truth[choice] == pytest.approx(rule.reward + 0.9 * following)
    assert best_actions(truth, A) == [TWO]
    assert best_actions(truth, B) == [ONE]


def test_true_values_require_a_discount_below_one() -> None:
    with pytest.raises(ValueError, match="discount"):
        true_values(1.0)


@pytest.mark.long
def test_small_learning_rate_converges_to_the_true_values() -> None:
    rates = Rates(learning=0.01, exploration=1)
    (lesson,) = islice(episode(random.Random(1), rates), 60_000, 60_001)
    assert lesson.values == pytest.approx(dict(true_values(0.9)), abs=4)
