"""Find the round from which the winner of a match led until the end."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.core.referee.record import Record
from arena.games.golden_point.rules import GAME


@dataclass(frozen=True, slots=True)
class TurnScores:
    """The score of every seat after a turn, and the seats that have left. Turn 0 is the start."""

    turn: int
    scores: tuple[int, ...]
    out: frozenset[int] = frozenset()

    def leaders(self) -> tuple[int, ...]:
        """Return the seats in first place. Seats that have left the match rank last, as in the rules."""
        ranked = [seat for seat in range(len(self.scores)) if seat not in self.out] or range(len(self.scores))
        best = max(self.scores[seat] for seat in ranked)
        return tuple(seat for seat in ranked if self.scores[seat] == best)


@dataclass(frozen=True, slots=True)
class FinalLead:
    """The lead that lasted until the end of the match.

    ``leaders``: the winner, or all seats that share first place; exactly these seats led from ``turn`` on. ``end``: the
    last turn. ``next``: the best of the remaining seats, ``margin`` points behind the leaders; empty if no other seat
    is left. ``removed``: the seats whose removal in ``turn`` gave the winner the lead; empty if the lead was won
    on points.
    """

    leaders: tuple[int, ...]
    turn: int
    end: int
    score: int
    next: tuple[int, ...]
    margin: int
    removed: tuple[int, ...]
    all_out: bool


def standings(record: Record) -> Iterator[TurnScores]:
    """Yield the standing at the start and after each turn."""
    rng = random.Random(record.seed)  # noqa: S311 - a game
    state = GAME.initial(GAME.settings(record.settings), len(record.seats), rng)
    yield TurnScores(0, state.scores)
    for turn in record.turns:
        moves = {move.seat: GAME.decode(move.move) for move in turn.moves if move.fault is None}
        state = GAME.apply(state, moves, frozenset(move.seat for move in turn.moves if move.fault is not None))
        yield TurnScores(turn.number, state.scores, state.out)


def final_lead(found: Iterable[TurnScores]) -> FinalLead:
    """Return the final leaders and the turn in which their lead began. Raises ValueError if ``found`` is empty."""
    before: TurnScores | None = None
    since: TurnScores | None = None
    last: TurnScores | None = None
    leaders: tuple[int, ...] = ()
    for standing in found:
        ahead = standing.leaders()
        if ahead != leaders:
            before, since, leaders = last, standing, ahead
        last = standing
    if since is None or last is None:
        raise ValueError("The standing at the start of the match is missing.")
    score = last.scores[leaders[0]]
    behind = _runners_up(last, leaders)
    return FinalLead(
        leaders=leaders,
        turn=since.turn,
        end=last.turn,
        score=score,
        next=behind,
        margin=score - last.scores[behind[0]] if behind else 0,
        removed=_removed_leaders(before, since, leaders),
        all_out=len(last.out) == len(last.scores),
    )


def _runners_up(last: TurnScores, leaders: tuple[int, ...]) -> tuple[int, ...]:
    others = [seat for seat in range(len(last.scores)) if seat not in last.out and seat not in leaders]
    best = max((last.scores[seat] for seat in others), default=0)
    return tuple(seat for seat in others if last.scores[seat] == best)


def _removed_leaders(before: TurnScores | None, since: TurnScores, leaders: tuple[int, ...]) -> tuple[int, ...]:
    """Return the former leaders who left in this turn and had at least as many points as the new ``leaders``."""
    if before is None:
        return ()
    score = since.scores[leaders[0]]
    left = since.out - before.out
    return tuple(seat for seat in before.leaders() if seat in left and since.scores[seat] >= score)
