"""Describe a match of 2584 for the dataset: directions, drops, rewards, and regret from the table of exact values."""

from __future__ import annotations

from typing import Final

from arena.core.referee.record import Record
from arena.games.fib2584.board import DIRECTIONS, TILES, drop, slide, unpack
from arena.games.fib2584.reports import initial_state, replay_turns
from arena.games.fib2584.rules import State, drop_random_numbers
from arena.games.fib2584.values import exact_values
from arena.games.transcript import MoveNote, Transcript

SOURCE: Final = "exact table"


def transcribe(match_id: int, record: Record) -> Transcript:
    """Describe the match.

    ``chance``: for a move, the drop after it as "tile@cell", with cells counted from 0, row by row; for the start of a
    game, its first board.
    """
    chance = {0: _board(initial_state(record))}
    moves: dict[tuple[int, int], MoveNote] = {}
    for number, before, after, played in replay_turns(record):
        for seat, direction in played.items():
            moves[number, seat] = _note(before, seat, direction)
        if after.game != before.game:
            chance[number] = _board(after)
    return Transcript(moves, chance)


def _note(before: State, seat: int, direction: int) -> MoveNote:
    board = before.boards[seat]
    worth = exact_values().direction_values(board.tiles)
    best = max(worth, key=worth.__getitem__)
    slid, reward = slide(board.tiles, direction)
    _, cell, tile = drop(slid, *drop_random_numbers(before.seed, before.game, board.drops))
    return MoveNote(
        notation=DIRECTIONS[direction],
        chance=f"{TILES[tile]}@{cell}",
        reward=reward,
        value=worth[best],
        regret=worth[best] - worth[direction],
        best=DIRECTIONS[best],
        exact=True,
        source=SOURCE,
    )


def _board(state: State) -> str:
    """Return the initial board of a game, shared by all seats."""
    in_play = next((board for seat, board in enumerate(state.boards) if seat not in state.out), state.boards[0])
    return "board " + " ".join(str(TILES[index]) for index in unpack(in_play.tiles))
