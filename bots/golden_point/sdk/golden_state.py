"""The state of a golden-point bot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class GoldenState:
    """The match as one seat sees it before it answers.

    ``players``: seats at the table. ``numbers``: how many numbers to submit: 1 or 2.
    ``round``: the current round, starting from 1; ``rounds``: the total number of rounds.
    ``golden``: the golden numbers so far, oldest first.
    ``history``: for every round so far, oldest first, what each seat played: a tuple of its numbers, or None if it did
    not play. ``seat``: your index in these lists; ``score``: your points.

    In a room, round 1 is the oldest round that you receive. ``players`` grows as others join; in earlier rounds, their
    entry is None. If the room has no end, ``rounds`` is about a million.
    """

    players: int
    numbers: int
    round: int
    rounds: int
    golden: list[float]
    history: list[list[tuple[float, ...] | None]]
    seat: int
    score: int
