"""Specify a match (its game, settings, limits and seats), and compute its maximum duration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from arena.core.referee.fair_time import LIMIT_PLUS, LIMIT_TIMES, wall_limit
from arena.games.base import AnyGame, Json

MAX_TURNS: Final = 100_000  # maximum for any game; a test checks the installed games


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """The resource limits for a bot. Times are seconds of fair time (see ``fair_time``).

    ``move_seconds`` covers a whole turn, including retries after illegal answers.
    ``start_seconds`` covers compiling, importing and instantiating together, for each start.
    ``illegal_answers``: the bot loses the match once this many answers for one move have been rejected.
    ``pace_seconds``: the spectator delay: minimum wall time per turn, so that spectators can follow.
    ``match_seconds``: maximum wall time for the whole match, which then ends without a winner; 0 for no limit.
    ``trace_seconds``: time after which the line that the bot is executing is written to its log; if None,
    shortly before the limit.
    """

    move_seconds: float = 60.0
    start_seconds: float = 10.0
    illegal_answers: int = 3
    memory_mb: int = 512
    pace_seconds: float = 0.0
    match_seconds: float = 0.0
    trace_seconds: float | None = None

    def __post_init__(self) -> None:
        if self.move_seconds <= 0 or self.start_seconds <= 0 or min(self.pace_seconds, self.match_seconds) < 0:
            raise ValueError("time limits must be positive")
        if self.illegal_answers < 1 or self.memory_mb < 1:
            raise ValueError("illegal_answers and memory_mb must be at least 1")


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A person's time in seconds: for all turns of the match together, and the maximum for a single turn."""

    match_seconds: float
    turn_seconds: float

    def __post_init__(self) -> None:
        if self.match_seconds <= 0 or self.turn_seconds <= 0:
            raise ValueError("the time on a clock must be positive")


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """The player in a seat; ``sha256`` identifies the bot's files and is "" for a person.

    ``clock``: replaces ``MatchLimits.move_seconds`` if given.
    """

    name: str
    sha256: str
    clock: SeatClock | None = None


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Everything that determines a match besides the bots' answers.

    ``secret``: the secret from which the bots' seeds are derived (see ``bot_seeds``); "" for the system's entropy.
    """

    game: AnyGame
    settings: Mapping[str, Json]
    seed: int
    limits: MatchLimits = field(default_factory=MatchLimits)
    seats: tuple[SeatSpec, ...] = ()
    secret: str = field(default="", repr=False)


def max_match_seconds(rules: AnyGame, settings: Any, limits: MatchLimits) -> float:
    """Return the maximum wall time in seconds of a match whose bots have their own cores.

    Every start and every turn is assumed to last until the hard cap on wall time; at a table, all seats think
    simultaneously.
    """
    turn = max(wall_limit(limits.move_seconds), limits.pace_seconds)
    return _max_start_seconds(rules, settings, limits) + rules.max_turns(settings) * turn


def max_move_seconds(rules: AnyGame, settings: Any, limits: MatchLimits, most: float) -> float:
    """Return the ``move_seconds`` for which ``max_match_seconds`` returns ``most``.

    The result is negative if there is no time left.
    """
    turn = (most - _max_start_seconds(rules, settings, limits)) / rules.max_turns(settings)
    return (turn - LIMIT_PLUS) / LIMIT_TIMES


def _max_start_seconds(rules: AnyGame, settings: Any, limits: MatchLimits) -> float:
    return rules.min_seats * rules.max_starts(settings) * wall_limit(limits.start_seconds)
