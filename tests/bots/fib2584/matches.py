"""Recorded matches of 2584 for tests, played under the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from arena.core.referee.record import VERSION, Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn
from arena.games.fib2584.rules import GAME, State
from arena.games.fib2584.values import exact_values

Chooser = Callable[[State, int], int]


def best_direction(state: State, seat: int) -> int:
    worth = exact_values().direction_values(state.boards[seat].tiles)
    return max(worth, key=worth.__getitem__)


def worst_direction(state: State, seat: int) -> int:
    worth = exact_values().direction_values(state.boards[seat].tiles)
    return min(worth, key=worth.__getitem__)


def play_match(choosers: Sequence[Chooser], games: int = 2, seed: int = 5) -> Record:
    """Return the record of a match in which each seat's moves are chosen by one of these functions."""
    settings = {"games": games}
    state = GAME.initial(GAME.settings(settings), len(choosers), random.Random(seed))
    turns = []
    while state.to_move:
        moves = {seat: choosers[seat](state, seat) for seat in state.to_move}
        turns.append(RecordedTurn(len(turns) + 1, [RecordedMove(seat, move) for seat, move in moves.items()]))
        state = GAME.apply(state, moves)
    outcome = GAME.outcome(state)
    assert outcome is not None
    kept = RecordedOutcome.from_outcome(outcome)
    seats = [RecordedSeat(f"bot {seat}", "0" * 64) for seat in range(len(choosers))]
    return Record(VERSION, GAME.name, settings, seed, {"move_seconds": 1.0}, seats, turns, kept)
