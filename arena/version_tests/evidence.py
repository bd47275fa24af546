"""Serialize a sequential test for its database row, and read it back."""

from __future__ import annotations

from typing import Any

from arena.core.ranking.sprt import EloModel, PairCounts, PairDifferences
from arena.core.ranking.version_plan import AnyVersionTest, VersionPlan
from arena.core.ranking.version_test import Gain, OneSidedTest, SequentialTest
from arena.games.base import Scoring
from arena.games.registry import GAMES
from arena.version_tests.models import VersionTest

Json = dict[str, Any]


def is_ranked(game: str) -> bool:
    """Return whether the game's matches have two seats and are won, drawn or lost.

    Only then is a pair scored from 0 to 2 points, which the pentanomial test requires.
    """
    return GAMES[game].max_seats == 2 and GAMES[game].scoring is Scoring.RANKED


def matches_a_pair(game: str) -> int:
    """Return the number of matches per pair: two with swapped seats, or one if seats are independent."""
    rules = GAMES[game]
    return 1 if rules.independent_seats and rules.max_seats > 1 else 2


def plan_of(game: str, gain: Gain, model: EloModel = EloModel.LOGISTIC) -> VersionPlan:
    return VersionPlan(gain, is_ranked(game), model)


def plan_of_test(test: VersionTest) -> VersionPlan:
    return plan_of(test.bot.game, Gain(test.gain), EloModel(test.elo_model))


def test_to_json(test: AnyVersionTest) -> Json:
    found = test.evidence
    if isinstance(found, PairCounts):
        evidence: Json = {"counts": list(found.counts)}
    else:
        evidence = {"pairs": found.pairs, "mean": found.mean, "squares": found.squares}
    sides = {name: [side.ratio, side.found] for name, side in (("better", test.better), ("worse", test.worse))}
    return evidence | sides


def test_from_json(raw: Json, plan: VersionPlan, most_pairs: int) -> AnyVersionTest:
    """Return the test that ``test_to_json`` wrote; an empty value means that no pair has been counted yet."""
    if not raw:
        return plan.start(most_pairs)
    better, worse = OneSidedTest(*raw["better"]), OneSidedTest(*raw["worse"])
    if plan.ranked:
        zero, half, one, more, two = raw["counts"]
        counts = PairCounts((zero, half, one, more, two), plan.model)
        return SequentialTest(counts, plan.gain_size, most_pairs, better=better, worse=worse)
    differences = PairDifferences(raw["pairs"], raw["mean"], raw["squares"])
    return SequentialTest(differences, plan.gain_size, most_pairs, better=better, worse=worse)
