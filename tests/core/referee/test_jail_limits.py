"""The jail's limits follow from the match's."""

from __future__ import annotations

import pytest

from arena.core.referee.jailed_player import MOST_TURNS, jail_limits
from arena.core.referee.spec import MatchLimits
from arena.games.base import SettingsError
from arena.games.registry import GAMES
from arena.games.reversi.rules import SQUARES


def test_no_game_lasts_longer() -> None:
    golden = GAMES["golden_point"]
    golden.settings({"rounds": MOST_TURNS})
    with pytest.raises(SettingsError):
        golden.settings({"rounds": MOST_TURNS + 1})
    assert len(SQUARES) < MOST_TURNS
    assert set(GAMES) == {"golden_point", "reversi"}, "a new game: how often may it ask one seat?"


def test_a_bot_that_keeps_to_its_clock_never_meets_the_limit_of_its_life() -> None:
    limits = MatchLimits(move_seconds=60.0, start_seconds=10.5, memory_mb=300)
    assert jail_limits(limits).cpu_seconds >= 10.5 + 2000 * 60.0
    assert jail_limits(limits).memory_mb == 300
    assert jail_limits(MatchLimits(move_seconds=0.001)).cpu_seconds >= 12
