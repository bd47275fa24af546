"""Analyse a Reversi match with the engine of the alpha-beta bot, position by position from last to first.

The order is reversed because the results for a position help to analyse the one before it: the tables are already
filled, and towards the end of the match the value of the played move is already known, so the solver only has to check
whether a better one exists. In the same time, this solves positions with about three more empty squares than if
each position were solved separately.

Invariants: a value is called exact only if the solver has finished. The values of the played and the best move are
either both exact or both estimated, at the same depth if time allows. Time is the process's own CPU time, so a busy
machine makes an analysis slower, not worse.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.games.reversi.lines import Line, final_lead
from arena.games.reversi.move_grades import DISC, MAX_SCORE, EngineFinding
from arena.games.reversi.rules import ReversiState
from bots.reversi.house.engine.bitboard import (
    FULL,
    iterate_squares,
    legal_moves,
    parse_square,
    position_after,
    square_name,
)
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.evaluation import WON
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.search import INFINITE, OutOfTime, Search, SearchFeatures
from bots.reversi.house.engine.squares import SQUARE_VALUES
from bots.reversi.house.engine.table import TranspositionTable, zobrist_key

# Positions with more empty squares are not solved.
MAX_EMPTY_SQUARES: Final = 20
# The maximum length of a principal variation, and the maximum number of empty squares at which it is solved again.
_LINE_MOVES: Final = 8
_SOLVED_AT_ONCE: Final = 8
# Maximum number of stored positions: solving needs many more than searching.
_SEARCHED, _SOLVED = 200_000, 500_000


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """The time limits in seconds.

    ``seconds``: limit per search of a position; ``solving``: limit per exact solve. After the first solve that exceeds
    its limit, the remaining positions are only searched.
    """

    seconds: float = 1.0
    solving: float = 20.0


class Analyst:
    """The analyst of one line of moves; ``clock`` measures CPU seconds."""

    def __init__(self, budget: SearchBudget = SearchBudget(), clock: Callable[[], float] = time.process_time) -> None:
        self._budget, self._clock = budget, clock
        self._evaluate = learned_evaluation()
        self._searched, self._solved = TranspositionTable(_SEARCHED), TranspositionTable(_SOLVED)
        self._solves = True

    def analyse(self, line: Line) -> Iterator[EngineFinding]:
        """Yield a finding for every position, starting with the last one. Raises LineError before the first finding."""
        states = line.states()
        follower: EngineFinding | None = None
        for ply in reversed(range(len(states))):
            move = line.moves[ply] if ply < len(line.moves) else None
            follower = self._analyse_position(ply, states[ply], move, follower)
            yield follower

    def _analyse_position(
        self, ply: int, state: ReversiState, move: str | None, follower: EngineFinding | None
    ) -> EngineFinding:
        seat = state.to_move
        if seat is None:
            return EngineFinding(ply, final_lead(state) * DISC, True, 0)
        own, other = state.discs[seat], state.discs[1 - seat]
        sign = 1 if seat == 0 else -1
        played = parse_square(move) if move else 0
        known = sign * follower.value // DISC if follower and follower.exact else None
        then = sign * follower.value if follower else 0
        found = self._solve(own, other, played, known) or self._search(own, other, played, then)
        return EngineFinding(
            ply,
            sign * found.value,
            found.exact,
            found.depth,
            square_name(found.best),
            tuple(map(square_name, self._principal_variation(own, other, found))),
            sign * found.played if played else None,
        )

    def _solve(self, own: int, other: int, played: int, known: int | None) -> _Finding | None:
        """Solve a position; return None if it would take too long.

        ``known``: the value of the played move, in discs.
        """
        empties = _count_empty(own, other)
        if not self._solves or empties > MAX_EMPTY_SQUARES or (played and known is None):
            return None
        endgame = Endgame(self._solved, deadline=self._clock() + self._budget.solving, clock=self._clock)
        low = -64 if known is None else known
        try:
            lead, best = endgame.solve(own, other, low, 64) if low < 64 else (64, played)
        except OutOfTime:
            self._solves = False  # earlier positions have more empty squares
            return None
        if played and lead <= low:
            lead, best = low, played
        return _Finding(best, lead * DISC, empties, True, low * DISC)

    def _search(self, own: int, other: int, played: int, then: int) -> _Finding:
        """Search a position as deeply as time permits, and the played move to the same depth.

        ``then``: the value of the position after the played move.
        """
        search = self._create_search(self._budget.seconds)
        ranked = sorted(iterate_squares(legal_moves(own, other)), key=SQUARE_VALUES.__getitem__, reverse=True)
        best, value, depth = ranked[0], -self._evaluate(*position_after(own, other, ranked[0])), 0
        for ahead in range(1, _count_empty(own, other) + 1):
            values: dict[int, int] = {}
            with suppress(OutOfTime):
                _evaluate_moves(search, own, other, ahead, ranked, values)
            if values:  # the best move of the previous depth is tried first, so even a partial result is useful
                best, depth = max(values, key=values.__getitem__), ahead
                value = values[best]
            if len(values) < len(ranked):
                break
            ranked.remove(best)
            ranked.insert(0, best)
        value = _in_discs(value)
        worth = value if played in (0, best) else self._move_value(own, other, played, depth, then)
        # Searching only the played move may yield a higher value. No move is worth more than the best.
        if worth > value:
            best, value = played, worth
        return _Finding(best, value, depth, False, worth)

    def _move_value(self, own: int, other: int, move: int, depth: int, then: int) -> int:
        """Search a move other than the best one, to the same depth as the best move, and return its value.

        If time runs out, return ``then``, the value of the next position.
        """
        search = self._create_search(self._budget.seconds / 2)
        try:
            return _in_discs(-search.value(*position_after(own, other, move), max(0, depth - 1)))
        except OutOfTime:
            return then

    def _create_search(self, seconds: float) -> Search:
        deadline = self._clock() + seconds
        return Search(
            self._evaluate, self._searched, SearchFeatures(uses_probcut=True), deadline=deadline, clock=self._clock
        )

    def _principal_variation(self, own: int, other: int, found: _Finding) -> Iterator[int]:
        """Yield a position's principal variation from the transposition tables, including its first move."""
        table, move = (self._solved if found.exact else self._searched), found.best
        for _ in range(min(_LINE_MOVES, max(1, found.depth))):
            yield move
            own, other = position_after(own, other, move)
            if not legal_moves(own, other):
                own, other = other, own
                if not legal_moves(own, other):
                    return
            move = self._next(own, other, table, solve=found.exact)
            if not move:
                return

    def _next(self, own: int, other: int, table: TranspositionTable, *, solve: bool) -> int:
        if solve and _count_empty(own, other) <= _SOLVED_AT_ONCE:
            return Endgame(self._solved, clock=self._clock).solve(own, other)[1]
        entry = table.entries.get(zobrist_key(own, other))
        return entry.move if entry and entry.move & legal_moves(own, other) else 0


@dataclass(frozen=True, slots=True)
class _Finding:
    """A position's result from the point of view of the side to move.

    ``played`` is the value of the move that was played.
    """

    best: int
    value: int
    depth: int
    exact: bool
    played: int


def _evaluate_moves(
    search: Search, own: int, other: int, depth: int, ranked: Sequence[int], values: dict[int, int]
) -> None:
    """Store each move's value in ``values``; it is exact for the best move so far, and a bound for the others.

    Raises OutOfTime.
    """
    highest = -INFINITE
    for move in ranked:
        theirs, ours = position_after(own, other, move)
        value = -search.value(theirs, ours, depth - 1, -highest - 1 if values else -INFINITE, -highest)
        better = bool(values) and value > highest
        values[move] = value
        highest = max(highest, value)
        if better:  # only a bound so far
            highest = values[move] = -search.value(theirs, ours, depth - 1, -INFINITE, -value + 1)


def _count_empty(own: int, other: int) -> int:
    return (FULL & ~(own | other)).bit_count()


def _in_discs(value: int) -> int:
    """Convert an estimate, or the value of a final position, to hundredths of a disc."""
    if value >= WON:
        value -= WON
    elif value <= -WON:
        value += WON
    return max(-MAX_SCORE, min(MAX_SCORE, value))
