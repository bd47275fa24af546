"""The state of a golden-point bot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class GoldenState:
    """The match as one seat sees it before it answers.

    ``players``: seats at the table. ``numbers``: how many numbers to answer, 1 or 2.
    ``round``: the round now asked for, from 1; ``rounds``: how many are played.
    ``golden``: the golden numbers so far, oldest first.
    ``history``: for every round so far, oldest first, what each seat played: a tuple of its
    numbers, or None where it was out. ``seat``: your place in these lists; ``score``: your points.

    In a room, round 1 is the oldest one that you are told of, ``players`` grows as others come, who are None in the
    rounds before, and ``rounds`` is about a million where the room has no end.
    """

    players: int
    numbers: int
    round: int
    rounds: int
    golden: list[float]
    history: list[list[tuple[float, ...] | None]]
    seat: int
    score: int
