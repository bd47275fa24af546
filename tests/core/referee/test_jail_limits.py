"""The jail's limits are derived from the limits of the match."""

from __future__ import annotations

import pytest

from arena.core.referee.jailed_player import jail_limits
from arena.core.referee.match import Match
from arena.core.referee.spec import MAX_TURNS, MatchLimits
from arena.games.base import IntegerSetting
from arena.games.registry import GAMES
from tests.core.referee.matches import reversi_spec


@pytest.mark.parametrize("game", GAMES)
def test_longest_match_is_within_the_turn_limit(game: str) -> None:
    rules = GAMES[game]
    largest = {one.name: one.maximum for one in rules.schema if isinstance(one, IntegerSetting)}
    assert 1 <= rules.max_turns(rules.settings(largest)) <= MAX_TURNS


def test_game_above_the_turn_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["reversi"]), "max_turns", lambda *_: MAX_TURNS + 1)
    with pytest.raises(ValueError, match="at most 100000 turns"):
        Match(reversi_spec())


def test_cpu_limit_covers_a_bot_that_uses_its_full_clock() -> None:
    limits = MatchLimits(move_seconds=60.0, start_seconds=10.5, memory_mb=300)
    assert jail_limits(limits).cpu_seconds >= 10.5 + MAX_TURNS * 60.0
    assert jail_limits(limits).memory_mb == 300
    assert jail_limits(MatchLimits(move_seconds=0.001)).cpu_seconds >= 12
