"""Notes on the moves of a recorded match for the dataset, in addition to their times; each game provides its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MoveNote:
    """One move.

    ``notation``: the usual one of the game. ``chance``: the random event after it that affects only its seat.
    ``reward``: points that the move gained. ``value``: of the position before it, for its seat. ``regret``: the loss
    against ``best``. ``share``: the probability that a policy assigned to it. ``source``: what computed these; "" if
    nothing did. ``exact``: whether ``regret`` is proven.
    """

    notation: str
    chance: str = ""
    reward: float | None = None
    value: float | None = None
    regret: float | None = None
    best: str = ""
    share: float | None = None
    exact: bool | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match. ``moves``: by turn and seat. ``chance``: random events that affect all seats, by the turn before
    them.
    """

    moves: Mapping[tuple[int, int], MoveNote]
    chance: Mapping[int, str] = field(default_factory=dict)
