"""The state that a 2584 bot receives on each turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class State:
    """The board of one seat, as lists of six cells: 0 1 2 in the upper row, 3 4 5 in the lower row.

    ``board``: the values of the tiles, 0 for an empty cell. ``indices``: the positions of these tiles in the sequence
    of tiles, from 0 (empty) to 12 (233). ``legal``: the directions that change the board: 0 up, 1 right, 2 down, 3
    left. ``score``: the sum of this board's rewards so far. ``game``: the number of the current game, starting
    from 1. ``games``: the number of games in the match. ``turn``: the number of the turn in the match, starting from 1.
    """

    board: list[int]
    indices: list[int]
    legal: list[int]
    score: int
    game: int
    games: int
    turn: int
