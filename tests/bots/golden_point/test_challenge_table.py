"""Challenge table: the starter beats the first bosses; bots that repeat an extreme number do not beat the last boss."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.games.golden_point.site import SITE
from bots.golden_point.starter import AIPlayer
from bots.golden_point.training.tables import Mover, Plan, create_player, play_match

ROUNDS = Plan(rounds=40)


def pick_lowest(state: Any) -> tuple[float, float]:
    return 0.001, 0.0011


def is_ahead(challenger: Mover, boss: str) -> bool:
    random.seed(1)
    ranks = play_match(ROUNDS, [challenger, *map(create_player, (boss, *SITE.extra_opponents))]).ranks
    return ranks[0] < ranks[1]


@pytest.mark.parametrize("boss", SITE.bosses[:2])
def test_starter_beats_the_first_bosses(boss: str) -> None:
    assert is_ahead(AIPlayer(0).get_move, boss)


@pytest.mark.long
@pytest.mark.parametrize("boss", SITE.bosses[-3:])
def test_neither_starter_nor_lowest_numbers_beat_the_last_bosses(boss: str) -> None:
    assert not is_ahead(AIPlayer(0).get_move, boss)
    assert not is_ahead(pick_lowest, boss)
