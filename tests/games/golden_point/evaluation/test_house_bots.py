"""The analysis recognizes each house bot's documented strategy when all of them play together."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.rules import Rule, SharedData
from arena.games.golden_point.evaluation.strategies import strategies
from arena.games.golden_point.rules import Numbers, score_round
from bots.golden_point.house import (
    calm_disruptor,
    disruptor,
    last_golden,
    last_times_ratio,
    mean_of_ten,
    random_pick,
    steady,
    trend,
)

GetMove = Callable[[Any], list[float]]

# The rules that each bot's two numbers follow.
TABLE: dict[str, tuple[GetMove, Rule, Rule]] = {
    "steady": (steady.get_move, Rule.FIXED, Rule.FIXED),
    "last golden": (last_golden.get_move, Rule.LAST, Rule.LAST),
    "last times ratio": (last_times_ratio.get_move, Rule.LAST_TIMES_RATIO, Rule.LAST),
    "mean_of_ten": (mean_of_ten.get_move, Rule.MEAN_OF_TEN, Rule.MEAN_OF_TEN),
    "trend": (trend.get_move, Rule.LINE, Rule.LAST),
    "calm disruptor": (calm_disruptor.get_move, Rule.CALM, Rule.CALM),
    "disruptor": (disruptor.get_move, Rule.REPLY, Rule.FIXED),
    "random": (random_pick.get_move, Rule.RANDOM, Rule.RANDOM),
}
ROUNDS = 100


@pytest.fixture(scope="module")
def match() -> GoldenMatch:
    random.seed(11)  # the random bot uses the random module, as in its own process
    history: list[list[Numbers | None]] = []
    goldens: list[float] = []
    for number in range(1, ROUNDS + 1):
        named: list[Numbers | None] = []
        for seat, (get_move, _, _) in enumerate(TABLE.values()):
            state = SimpleNamespace(
                players=len(TABLE), numbers=2, round=number, rounds=ROUNDS, seat=seat, golden=goldens, history=history
            )
            named.append(tuple(get_move(state)))
        history.append(named)
        goldens.append(score_round(named).golden)
    return GoldenMatch.from_rounds(list(TABLE), list(enumerate(history, start=1)))


@pytest.mark.parametrize("name", TABLE)
def test_house_bots_are_recognized(match: GoldenMatch, name: str) -> None:
    _, *rules = TABLE[name]
    found = [each.main_phase for each in strategies(match, SharedData.from_match(match), list(TABLE).index(name))]
    assert [phase and phase.rule for phase in found] == rules
    if Rule.RANDOM not in rules:  # random numbers may look like any strategy for a while
        assert all(phase and phase.end - phase.start >= ROUNDS - 12 for phase in found)
        assert all(phase and phase.score > 0.95 for phase in found)
