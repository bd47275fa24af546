"""The state that a golden-point bot receives on each turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class GoldenState:
    """The match as one seat sees it before it answers.

    ``players``: the number of seats at the table, which grows in a room as others join. ``numbers``: how many numbers
    to submit, 1 or 2. ``round``: the number of the current round, starting from 1. ``rounds``: the total number of
    rounds, about a million in a room with no round limit. ``golden``: the golden numbers so far, oldest first.
    ``history``: for every round so far, oldest first, what each seat played: a tuple of its numbers, or None if it did
    not play. ``seat``: your index in the list of each round. ``score``: your points.

    In a room, round 1 is the oldest round that you receive, and players who joined later are None in earlier rounds.
    """

    players: int
    numbers: int
    round: int
    rounds: int
    golden: list[float]
    history: list[list[tuple[float, ...] | None]]
    seat: int
    score: int
