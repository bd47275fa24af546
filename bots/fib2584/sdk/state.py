"""The state that a bot of 2584 receives in each turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class State:
    """The board of one seat, as row-major lists of six: 0 1 2 over 3 4 5.

    ``board``: the values of the tiles, 0 where a cell is empty; ``indices``: their places in the sequence of tiles,
    from 0 (empty) to 12 (233). ``legal``: the directions that change something, of 0 up, 1 right, 2 down, 3 left.
    ``score``: the rewards of this board so far; ``game`` of ``games``, from 1; ``turn``: of the match, from 1.
    """

    board: list[int]
    indices: list[int]
    legal: list[int]
    score: int
    game: int
    games: int
    turn: int
