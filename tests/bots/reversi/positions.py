"""Positions for the engine's tests, from the point of view of the side to move: its discs, then the other side's."""

from __future__ import annotations

import json
import random
from pathlib import Path

from bots.reversi.house.engine.bitboard import iterate_squares, legal_moves, parse_square, position_after

DATA = Path(__file__).parents[2] / "data"
START = (parse_square("E4") | parse_square("D5"), parse_square("D4") | parse_square("E5"))

# Moves up to the middle game in tournament games 3, 11 and 9 of the 1977 WTHOR database.
MIDDLE_GAMES = (
    "F5F6E6F4F3C5G6E3D3G5B6C4C3D6H6G4H3D2E2H5",
    "F5F6E6F4C3D6F3C5F7G5H6F8E7G6B6E8C6H4G4E3D7C4D2A6C7H3D3D8",
    "F5D6C6F6E6F4C3C4C5E7F3D3F7G5F8E3D2C1E1B4H6H4A4C2E2B5G6D8",
)


def position_after_line(line: str) -> tuple[int, int]:
    """Return the position after a line of moves. Raises ValueError for an illegal move."""
    own, other = START
    for begin in range(0, len(line), 2):
        move = parse_square(line[begin : begin + 2])
        if not legal_moves(own, other) & move:
            raise ValueError(f"{line[begin : begin + 2]} is illegal")
        own, other = position_after(own, other, move)
        if not legal_moves(own, other):
            own, other = other, own
    return own, other


def parse_position(cells: str, side: str) -> tuple[int, int]:
    """Read a position from 64 characters (X, O, or any other for empty), from the point of view of ``side``."""
    black, white = (sum(1 << index for index, cell in enumerate(cells) if cell == color) for color in "XO")
    return (black, white) if side == "X" else (white, black)


def endgames(max_empties: int) -> list[dict[str, object]]:
    """Return the FFO positions with at most this many empty squares."""
    positions = json.loads((DATA / "reversi_ffo_endgames.json").read_text())
    return [one for one in positions if one["empties"] <= max_empties]


def random_position(seed: int, plies: int) -> tuple[int, int]:
    """Return the position after this many random moves, or the final one if the match ends earlier."""
    chance = random.Random(seed)
    own, other = START
    for _ in range(plies):
        legal = legal_moves(own, other)
        if not legal:
            own, other = other, own
            legal = legal_moves(own, other)
        if not legal:
            break
        own, other = position_after(own, other, chance.choice(list(iterate_squares(legal))))
    return own, other
