"""How long a match can take, from its rules and limits alone."""

from __future__ import annotations

from typing import Any

from arena.core.referee.fair_time import LIMIT_PLUS, LIMIT_TIMES, wall_cap
from arena.core.referee.spec import MatchLimits
from arena.games.base import Game


def longest_seconds(rules: Game[Any, Any, Any], settings: Any, limits: MatchLimits) -> float:
    """The most wall time, in seconds, that a match can take whose bots have cores of their own to think on.

    Every start and every turn lasts until the hard cap on wall time; in a table all seats think at once.
    """
    turn = max(wall_cap(limits.move_seconds), limits.pace_seconds)
    return _starting(rules, limits) + rules.most_turns(settings) * turn


def longest_move(rules: Game[Any, Any, Any], settings: Any, limits: MatchLimits, most: float) -> float:
    """The ``move_seconds`` for which ``longest_seconds`` is ``most``; negative where the other limits leave no time."""
    turn = (most - _starting(rules, limits)) / rules.most_turns(settings)
    return (turn - LIMIT_PLUS) / LIMIT_TIMES


def _starting(rules: Game[Any, Any, Any], limits: MatchLimits) -> float:
    return rules.min_seats * wall_cap(limits.start_seconds)
