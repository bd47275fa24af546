"""Notes on the moves of a recorded match, which the dataset contains in addition to the move times.

Each game provides its own notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MoveNote:
    """The notes on one move.

    ``notation``: the move in the game's usual notation. ``chance``: the random event that follows the move and affects
    only the seat that moved. ``reward``: points that the move gained. ``value``: value of the position before the move,
    for the seat that moved. ``regret``: the loss compared with ``best``. ``share``: the probability that a policy
    assigned to the move. ``source``: what computed these values, "" if nothing did. ``exact``: whether ``regret`` is
    proven.
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
    """The notes on one match.

    ``moves``: notes by turn and seat. ``chance``: random events that affect all seats, keyed by the preceding turn.
    """

    moves: Mapping[tuple[int, int], MoveNote]
    chance: Mapping[int, str] = field(default_factory=dict)
