"""The costliest mistakes account for all regret, and the example names a round that was lost because of them."""

from __future__ import annotations

import random

from arena.games.golden_point.evaluation.best_reply import best_replies
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.mistakes import CostliestMistakes, MistakeKind, costliest_mistakes
from arena.games.golden_point.evaluation.regret import regret_curve
from tests.games.golden_point.evaluation.matches import match_of, random_match


def mistakes_of(match: GoldenMatch, player: int) -> CostliestMistakes | None:
    return costliest_mistakes(match, [player]).get(player)


def test_numbers_above_the_golden_number_cost_the_points_of_the_rounds_that_they_did_not_win() -> None:
    played = match_of(
        [(50.0,), (10.0,), (20.0,)],  # golden 16.48: C wins, A loses 2
        [(30.0,), (10.0,), (99.0,)],  # golden 28.63: A wins, C loses 2
        [(40.0,), (10.0,), (20.0,)],  # golden 14.42: B wins, A loses 2
        [(19.0,), (10.0,), (20.0,)],  # golden 10.09: B wins, C loses 2
    )
    found = mistakes_of(played, 0)
    assert found is not None
    assert (found.kind, found.points, found.count, found.rounds) == (MistakeKind.TOO_HIGH, 9, 3, 4)
    assert (found.example, found.numbers) == (3, (40.0,))
    assert found.replies == best_replies(played.rounds[2], 0)


def test_disruptor_that_wins_rounds_loses_the_most_with_its_farthest_number() -> None:
    played = match_of(*[[(14.9 + at / 10, 90.0), (10.0, 12.0)] for at in range(3)], [(1.0, 2.0), (10.0, 12.0)])
    found = mistakes_of(played, 0)
    assert found is not None
    assert (found.kind, found.points, found.count) == (MistakeKind.FARTHEST, 6, 3)


def test_first_round_is_an_example_only_if_it_is_the_only_mistake() -> None:
    worst_first = [(99.0,), (10.0,), (20.0,)], [(15.0,), (10.0,), (9.0,)], [(15.0,), (10.0,), (9.0,)]
    found = mistakes_of(match_of(*worst_first), 0)
    assert found is not None
    assert (found.count, found.example) == (3, 2)
    alone = mistakes_of(match_of(*worst_first[:1]), 0)
    assert alone is not None
    assert (alone.count, alone.example, alone.points) == (1, 1, 3)


def test_player_without_mistakes_or_opponents_has_no_costliest_mistakes() -> None:
    assert mistakes_of(match_of([(10.0,), (99.0,)]), 0) is None
    assert mistakes_of(match_of([(10.0,), (99.0,)]), 1) is not None
    assert mistakes_of(match_of([(10.0,), None]), 0) is None
    assert mistakes_of(match_of([(10.0,), None]), 1) is None


def test_points_are_part_of_the_regret_and_examples_lost_points() -> None:
    rng = random.Random(5)
    for numbers in (1, 2):
        played = random_match(rng, players=6, rounds=40, numbers=numbers)
        for player in range(6):
            found, regret = mistakes_of(played, player), regret_curve(played, player)[-1]
            assert found is not None
            assert regret / len(MistakeKind) <= found.points <= regret
            example = next(each for each in played.rounds if each.number == found.example)
            assert example.score.gains[player] < example.player_count
            assert found.numbers == example.numbers[player]


def test_numbers_that_round_to_a_golden_number_of_zero_are_compared() -> None:
    found = mistakes_of(match_of(*[[(5e-324,), (5e-324,), (1e-323,), (5e-324,)]] * 2), 2)
    assert found is not None
    assert found.kind is MistakeKind.TOO_HIGH
