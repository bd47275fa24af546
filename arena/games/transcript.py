"""What the dataset tells of the moves of a recorded match besides their times; each game says it in its own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MoveNote:
    """One move.

    ``notation``: as the game's own literature writes it. ``chance``: what chance did after it, to its seat alone.
    ``reward``: points that the move brought. ``value``: of the position before it, for its seat. ``regret``: what it
    gave away against ``best``. ``share``: the probability that a policy gave to it. ``source``: what found these; ""
    where nobody looked. ``exact``: whether ``regret`` is proven.
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
    """A match. ``moves``: by turn and seat. ``chance``: common to all seats, by the turn after which it happened."""

    moves: Mapping[tuple[int, int], MoveNote]
    chance: Mapping[int, str] = field(default_factory=dict)
