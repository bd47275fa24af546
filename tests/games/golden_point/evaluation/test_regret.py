"""Regret is the sum of the missed gains; no other fixed number would have scored more than the one found to be best."""

from __future__ import annotations

import random

import pytest

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.regret import (
    best_single_numbers,
    mean_regret,
    regret_against_mean,
    regret_curve,
)
from arena.games.golden_point.rules import score_round
from tests.games.golden_point.evaluation.matches import match_of, random_match, recorded_match


def test_regret_sums_the_missed_gains_of_best_replies() -> None:
    played = match_of(
        [(20.0,), (30.0,), (90.0,)],  # golden 28.84: B wins 3, C loses 2
        [(20.0,), (30.0,), None],  # golden 15.45: A wins 2, B loses 2
        [None, (30.0,), None],  # only B plays, so there is nothing to win
    )
    assert [regret_curve(played, player) for player in range(3)] == [[3, 3, 3], [0, 4, 4], [5, 5, 5]]


def test_regret_plus_score_equals_what_could_be_won() -> None:
    played = recorded_match()
    totals = played.totals()
    for player in range(len(played.players)):
        could_win = sum(each.player_count for each in played.rounds if each.numbers[player] is not None)
        assert regret_curve(played, player)[-1] == could_win - totals[player]


def test_regrets_against_the_mean_sum_to_zero() -> None:
    played = recorded_match()
    mean = mean_regret(played)
    curves = [regret_against_mean(played, player, mean) for player in range(len(played.players))]
    assert [sum(values) for values in zip(*curves, strict=True)] == pytest.approx([0.0] * 400, abs=1e-6)
    best = played.totals().index(max(played.totals()))
    assert curves[best][-1] == min(curve[-1] for curve in curves) < 0


def single_number_score(played: GoldenMatch, player: int, number: float) -> int:
    """Return what a player would have scored with the same number in every round, according to the rules."""
    total = 0
    for each in played.rounds:
        own = each.numbers[player]
        if own is not None:
            named = list(each.numbers)
            named[player] = (number,) * len(own)
            total += score_round(named).gains[player]
    return total


@pytest.mark.parametrize("numbers", [1, 2])
def test_no_single_number_scores_more_than_the_best(numbers: int) -> None:
    rng = random.Random(numbers)
    for _ in range(3):
        played = random_match(rng, players=5, rounds=6, numbers=numbers)
        for player, best in enumerate(best_single_numbers(played)):
            assert best is not None
            assert best.low < best.number < best.high
            assert single_number_score(played, player, best.number) == best.score
            assert max(single_number_score(played, player, step / 2) for step in range(1, 200)) <= best.score


def test_player_without_opponents_has_no_best_number() -> None:
    assert best_single_numbers(match_of([(5.0,), None])) == [None, None]
