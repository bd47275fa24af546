"""A game of Reversi looked at by the engine of the alpha-beta bot, position by position from the last to the first.

Backwards, because what is found out about a position helps with the one before it: tables are warm, and at the end of
the game the value of the move that was played is known already, so that the solver only has to ask whether there is a
better one. That proves some three squares more in the same time than solving each position by itself.

Invariants: a value is called exact only where the solver has come to its end; the move that was played and the best
one are compared both exact, or both estimated, as far as time allows at the same depth. Time is counted as this
process's own computing, so that a busy machine makes an analysis slower, not worse.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.games.reversi.lines import Line, lead_of
from arena.games.reversi.move_grades import DISC, MOST, Finding
from arena.games.reversi.rules import ReversiState
from bots.reversi.house.engine.bitboard import FULL, after, each, moves, name, square
from bots.reversi.house.engine.endgame import Endgame
from bots.reversi.house.engine.evaluation import WON
from bots.reversi.house.engine.learned import learned
from bots.reversi.house.engine.search import INFINITE, OutOfTime, Parts, Search
from bots.reversi.house.engine.squares import SQUARE_VALUES
from bots.reversi.house.engine.table import Table, key

# Beyond so many empty squares it is not even tried to solve a position.
MOST_EMPTY: Final = 20
# How far the play from a position is followed, and up to how many empty squares it is solved anew for that.
_LINE_MOVES: Final = 8
_SOLVED_AT_ONCE: Final = 8
# Positions kept: solving asks for many more than searching.
_SEARCHED, _SOLVED = 200_000, 500_000


@dataclass(frozen=True, slots=True)
class Budget:
    """``seconds``: to search a position; ``solving``: to solve one, tried until one takes longer."""

    seconds: float = 1.0
    solving: float = 20.0


class Analyst:
    """Analyses one line; ``clock`` counts seconds of computing."""

    def __init__(self, budget: Budget = Budget(), clock: Callable[[], float] = time.process_time) -> None:
        self._budget, self._clock = budget, clock
        self._evaluate = learned()
        self._searched, self._solved = Table(_SEARCHED), Table(_SOLVED)
        self._solves = True

    def analyse(self, line: Line) -> Iterator[Finding]:
        """What there is to say of every position, the last one first; raises LineError before the first."""
        states = line.states()
        follower: Finding | None = None
        for ply in reversed(range(len(states))):
            move = line.moves[ply] if ply < len(line.moves) else None
            follower = self._find(ply, states[ply], move, follower)
            yield follower

    def _find(self, ply: int, state: ReversiState, move: str | None, follower: Finding | None) -> Finding:
        seat = state.to_move
        if seat is None:
            return Finding(ply, lead_of(state) * DISC, True, 0)
        own, other = state.discs[seat], state.discs[1 - seat]
        sign = 1 if seat == 0 else -1
        played = square(move) if move else 0
        known = sign * follower.value // DISC if follower and follower.exact else None
        then = sign * follower.value if follower else 0
        found = self._solve(own, other, played, known) or self._search(own, other, played, then)
        return Finding(
            ply,
            sign * found.value,
            found.exact,
            found.depth,
            name(found.best),
            tuple(map(name, self._follow(own, other, found))),
            sign * found.played if played else None,
        )

    def _solve(self, own: int, other: int, played: int, known: int | None) -> _Found | None:
        """Exact, or None where it would take too long. ``known``: what the played move is worth, in discs."""
        empties = _empties(own, other)
        if not self._solves or empties > MOST_EMPTY or (played and known is None):
            return None
        endgame = Endgame(self._solved, deadline=self._clock() + self._budget.solving, clock=self._clock)
        low = -64 if known is None else known
        try:
            lead, best = endgame.solve(own, other, low, 64) if low < 64 else (64, played)
        except OutOfTime:
            self._solves = False  # the positions before have more empty squares
            return None
        if played and lead <= low:
            lead, best = low, played
        return _Found(best, lead * DISC, empties, True, low * DISC)

    def _search(self, own: int, other: int, played: int, then: int) -> _Found:
        """An estimate: as deep as time allows, and the played move as deep.

        ``then``: what the position after the played move was found to be worth.
        """
        search = self._searching(self._budget.seconds)
        ranked = sorted(each(moves(own, other)), key=SQUARE_VALUES.__getitem__, reverse=True)
        best, value, depth = ranked[0], -self._evaluate(*after(own, other, ranked[0])), 0
        for ahead in range(1, _empties(own, other) + 1):
            values: dict[int, int] = {}
            with suppress(OutOfTime):
                _look(search, own, other, ahead, ranked, values)
            if values:  # the best move of the depth before is tried first, so that a part of them tells something
                best, depth = max(values, key=values.__getitem__), ahead
                value = values[best]
            if len(values) < len(ranked):
                break
            ranked.remove(best)
            ranked.insert(0, best)
        value = _in_discs(value)
        worth = value if played in (0, best) else self._worth(own, other, played, depth, then)
        # A search of the played move alone may see more than the one of all: no move is worth more than the best.
        if worth > value:
            best, value = played, worth
        return _Found(best, value, depth, False, worth)

    def _worth(self, own: int, other: int, move: int, depth: int, then: int) -> int:
        """What a move is worth that was not found the best, looked at as deep as all; else as in the position after."""
        search = self._searching(self._budget.seconds / 2)
        try:
            return _in_discs(-search.value(*after(own, other, move), max(0, depth - 1)))
        except OutOfTime:
            return then

    def _searching(self, seconds: float) -> Search:
        deadline = self._clock() + seconds
        return Search(self._evaluate, self._searched, Parts(guesses=True), deadline=deadline, clock=self._clock)

    def _follow(self, own: int, other: int, found: _Found) -> Iterator[int]:
        """The best play from a position as far as the tables know it, its first move included."""
        table, move = (self._solved if found.exact else self._searched), found.best
        for _ in range(min(_LINE_MOVES, max(1, found.depth))):
            yield move
            own, other = after(own, other, move)
            if not moves(own, other):
                own, other = other, own
                if not moves(own, other):
                    return
            move = self._next(own, other, table, solve=found.exact)
            if not move:
                return

    def _next(self, own: int, other: int, table: Table, *, solve: bool) -> int:
        if solve and _empties(own, other) <= _SOLVED_AT_ONCE:
            return Endgame(self._solved, clock=self._clock).solve(own, other)[1]
        entry = table.entries.get(key(own, other))
        return entry.move if entry and entry.move & moves(own, other) else 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A position seen by the side to move; ``played`` is what its own move was worth."""

    best: int
    value: int
    depth: int
    exact: bool
    played: int


def _look(search: Search, own: int, other: int, depth: int, ranked: Sequence[int], values: dict[int, int]) -> None:
    """Fill in what each move is worth, a bound but for the best so far. Raises OutOfTime."""
    highest = -INFINITE
    for move in ranked:
        theirs, ours = after(own, other, move)
        value = -search.value(theirs, ours, depth - 1, -highest - 1 if values else -INFINITE, -highest)
        better = bool(values) and value > highest
        values[move] = value
        highest = max(highest, value)
        if better:  # so far only that it is
            highest = values[move] = -search.value(theirs, ours, depth - 1, -INFINITE, -value + 1)


def _empties(own: int, other: int) -> int:
    return (FULL & ~(own | other)).bit_count()


def _in_discs(value: int) -> int:
    """In hundredths of a disc, whether it is an estimate or a game that is over."""
    if value >= WON:
        value -= WON
    elif value <= -WON:
        value += WON
    return max(-MOST, min(MOST, value))
