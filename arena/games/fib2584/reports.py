"""Reports on a recorded match of 2584: raw and luck-adjusted scores, luck, regret, and each seat's worst move."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from arena.core.referee.record import Record, RecordedTurn
from arena.games.fib2584.board import DIRECTIONS, TILES, unpack
from arena.games.fib2584.rules import GAME, State, adjusted_score
from arena.games.fib2584.values import exact_values

_SHOWN: Final = 0.05  # smaller regrets are shown as 0.0


@dataclass(frozen=True, slots=True)
class ReportedMove:
    """A move that a report mentions. ``board``: the board before the move; ``best``: the best direction."""

    turn: int
    game: int
    seat: int
    board: int
    direction: int
    reward: int
    regret: float
    best: int

    @property
    def position(self) -> int:
        """Return the number of the turn whose view shows the board before this move."""
        return self.turn - 1


@dataclass(frozen=True, slots=True)
class SeatScoreReport:
    """The report on one seat.

    ``raw``: mean score per game; ``luck``: ``raw`` minus ``adjusted``; ``regret``: mean regret per game; ``unplayed``:
    the part of the regret caused by leaving rather than by moves.
    """

    seat: int
    raw: float
    adjusted: float
    regret: float
    best_game: int
    best_tile: int
    worst: ReportedMove | None
    unplayed: float = 0.0

    @property
    def luck(self) -> float:
        return self.raw - self.adjusted


def initial_state(record: Record) -> State:
    """Return the state before the first turn. Raises ValueError if the record is from another game."""
    if record.game != GAME.name:
        raise ValueError(f"This is a record of {record.game}, not of {GAME.name}. Choose a record of {GAME.name}.")
    rng = random.Random(record.seed)  # noqa: S311 - a game
    return GAME.initial(GAME.settings(record.settings), len(record.seats), rng)


def replay_turns(record: Record) -> Iterator[tuple[int, State, State, dict[int, int]]]:
    """Yield each turn's number, the states before and after it, and its moves.

    Raises ValueError if the record is from another game.
    """
    state = initial_state(record)
    for turn in record.turns:
        moves = {move.seat: GAME.decode(move.move) for move in turn.moves if not move.fault}
        out = frozenset(move.seat for move in turn.moves if move.fault)
        after = GAME.apply(state, moves, out)
        yield turn.number, state, after, moves
        state = after


def reported_moves(record: Record) -> Iterator[ReportedMove]:
    """Yield every move, turn by turn in seat order."""
    for number, before, after, moves in replay_turns(record):
        yield from _moves_of_turn(number, before, after, moves)


def _moves_of_turn(number: int, before: State, after: State, moves: Mapping[int, int]) -> Iterator[ReportedMove]:
    for seat, direction in sorted(moves.items()):
        worth = exact_values().direction_values(before.boards[seat].tiles)
        best = max(worth, key=worth.__getitem__)
        reward = after.boards[seat].total - before.boards[seat].total
        regret = worth[best] - worth[direction]
        yield ReportedMove(number, before.game, seat, before.boards[seat].tiles, direction, reward, regret, best)


def seat_reports(record: Record) -> list[SeatScoreReport]:
    """Report what each seat scored, and its worst move."""
    end, worst = initial_state(record), dict[int, ReportedMove]()
    for number, before, after, moves in replay_turns(record):
        end = after
        for move in _moves_of_turn(number, before, after, moves):
            if move.regret >= _SHOWN and (move.seat not in worst or move.regret > worst[move.seat].regret):
                worst[move.seat] = move
    return [_seat_report(end, seat, worst.get(seat)) for seat in range(len(end.boards))]


def report_of_seat(record: Record, seat: int) -> SeatScoreReport:
    """Return the report on one seat.

    This is much faster than reporting on all seats of a large table, because seats play independently.
    """
    turns = [
        RecordedTurn(turn.number, [msgspec.structs.replace(move, seat=0)])
        for turn in record.turns
        for move in turn.moves
        if move.seat == seat
    ]
    (found,) = seat_reports(msgspec.structs.replace(record, seats=[record.seats[seat]], turns=turns))
    return replace(found, seat=seat, worst=found.worst and replace(found.worst, seat=seat))


def _seat_report(end: State, seat: int, worst: ReportedMove | None) -> SeatScoreReport:
    board, games = end.boards[seat], end.settings.games
    return SeatScoreReport(
        seat=seat,
        raw=board.total / games,
        adjusted=adjusted_score(board, games),
        regret=board.regret / games,
        best_game=max(board.best_game, board.score),
        best_tile=TILES[board.best_tile],
        worst=worst,
        unplayed=board.unplayed / games,
    )


def score_rows(record: Record, names: Sequence[str]) -> Iterator[tuple[str | float, ...]]:
    """Yield a header and one row per seat, best rank first."""
    yield "rank", "bot", "luck_adjusted", "raw_mean", "luck", "regret_per_game", "best_game", "best_tile"
    ranks = record.outcome.ranks
    for one in sorted(seat_reports(record), key=lambda one: (ranks[one.seat], one.seat)):
        scores = (round(value, 6) for value in (one.adjusted, one.raw, one.luck, one.regret))
        yield ranks[one.seat], names[one.seat], *scores, one.best_game, one.best_tile


def move_rows(record: Record, names: Sequence[str]) -> Iterator[tuple[str | float, ...]]:
    """Yield a header and one row per move; a board is its six tile values."""
    yield "turn", "game", "bot", "board", "move", "reward", "regret", "best"
    for one in reported_moves(record):
        board = " ".join(str(TILES[index]) for index in unpack(one.board))
        move, best = DIRECTIONS[one.direction], DIRECTIONS[one.best]
        yield one.turn, one.game, names[one.seat], board, move, one.reward, round(one.regret, 6), best
