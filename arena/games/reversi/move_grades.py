"""Grade the moves of a Reversi match using an engine's analysis.

Values are in hundredths of a disc from black's point of view: 600 is "black wins by six". A value is exact if the
engine has proven it by playing every line to its end; all others are estimates.

A move loses the difference between the best move's value and its own. The loss determines its grade:

=============  ================================  ==============
loss of discs  both values exact                 estimates
=============  ================================  ==============
blunder        from 8, or a result given away    from 12
mistake        from 4                            from 6
doubtful       from 2                            from 3
=============  ================================  ==============

A result is given away if a win becomes a draw or a loss, or a draw becomes a loss; that is a blunder, however few discs
it loses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from arena.games.reversi.lines import Line
from arena.games.reversi.rules import SQUARES, ReversiState

DISC: Final = 100
MAX_SCORE: Final = 64 * DISC


class Grade(StrEnum):
    """The quality of a move."""

    BEST = "best"  # no better move was found
    GOOD = "good"  # a slightly better move was found
    DOUBTFUL = "doubtful"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


# Minimum loss in hundredths of a disc.
_EXACT_FROM: Final = ((Grade.BLUNDER, 800), (Grade.MISTAKE, 400), (Grade.DOUBTFUL, 200))
_ESTIMATED_FROM: Final = ((Grade.BLUNDER, 1200), (Grade.MISTAKE, 600), (Grade.DOUBTFUL, 300))


@dataclass(frozen=True, slots=True)
class EngineFinding:
    """An engine's finding in the position after ``ply`` moves of a line.

    ``value``: value of the position, which is that of its best move; ``depth``: search depth in moves; ``best``:
    the best move; ``line``: the principal variation, starting with the best move; ``played``: value of the played move,
    found in the same way, None in the last position.
    """

    ply: int
    value: int
    exact: bool
    depth: int
    best: str | None = None
    line: tuple[str, ...] = ()
    played: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "ply": self.ply,
            "value": self.value,
            "exact": self.exact,
            "depth": self.depth,
            "best": self.best,
            "line": list(self.line),
            "played": self.played,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> EngineFinding:
        """Parse the result of ``to_json``; raises ValueError for anything else."""
        try:
            best, played = raw["best"], raw["played"]
            found = cls(
                _check_integer(raw["ply"]),
                _check_integer(raw["value"]),
                raw["exact"] is True,
                _check_integer(raw["depth"]),
                None if best is None else _check_square(best),
                tuple(_check_square(move) for move in raw["line"]),
                None if played is None else _check_integer(played),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"invalid engine result: {error!r}") from None
        return found


@dataclass(frozen=True, slots=True)
class GradedMove:
    """One move of a line.

    ``seat``: the seat that made it; ``loss``: in hundredths of a disc; ``gives_away``: whether it turned a win or a
    draw into a worse result.
    """

    ply: int  # number of the move, from 1
    seat: int
    move: str
    finding: EngineFinding
    loss: int
    exact: bool  # whether both compared values are exact
    grade: Grade
    gives_away: bool

    @property
    def discs(self) -> int:
        """Return the loss in whole discs, at least one if there is a loss."""
        return max(1, round(self.loss / DISC)) if self.loss else 0


def grade_moves(
    line: Line, findings: Sequence[EngineFinding], states: Sequence[ReversiState] | None = None
) -> list[GradedMove]:
    """Return the graded moves in order; ``findings`` may be in any order. ``states``: those of the line, if known."""
    known = {finding.ply: finding for finding in findings}
    found = []
    for before, (state, move) in enumerate(zip(states or line.states(), line.moves, strict=False)):
        finding = known.get(before)
        if finding is not None and finding.played is not None and state.to_move is not None:
            found.append(_grade_move(before + 1, state.to_move, move, finding))
    return found


def turning_point(judged: Sequence[GradedMove], seat: int) -> GradedMove | None:
    """Return the seat's last move that gave a result away; None if no move did.

    After this move, the match was lost, or no longer won. Proven moves take precedence over estimated ones. Of the
    estimated ones, only mistakes and blunders count, because an evaluation that fluctuates around zero is not a lost
    result.
    """
    own = [one for one in judged if one.seat == seat and one.gives_away]
    proven = [one for one in own if one.exact]
    found = proven or own
    return found[-1] if found else None


def costliest_mistake(judged: Sequence[GradedMove], seat: int) -> GradedMove | None:
    """Return the seat's costliest mistake or blunder; None if the seat made neither."""
    own = [one for one in judged if one.seat == seat and one.grade in (Grade.MISTAKE, Grade.BLUNDER)]
    return max(own, key=lambda one: one.loss, default=None)


def last_lead_change(judged: Sequence[GradedMove], loser: int) -> GradedMove | None:
    """Return the losing seat's last inaccuracy or worse that put the opponent ahead; None if there is none.

    Smaller losses are left out, because an evaluation that fluctuates around zero does not mean that the lead
    has changed.
    """
    sign = 1 if loser == 0 else -1
    found = [
        one
        for one in judged
        if one.seat == loser
        and one.grade not in (Grade.BEST, Grade.GOOD)
        and sign * one.finding.value >= 0 > sign * (one.finding.played or 0)
    ]
    return found[-1] if found else None


def costliest_move(judged: Sequence[GradedMove], seats: Sequence[int]) -> GradedMove | None:
    """Return the move that lost the most among those of these seats; None if no move lost a whole disc."""
    own = [one for one in judged if one.seat in seats and one.loss >= DISC]
    return max(own, key=lambda one: one.loss, default=None)


def _grade_move(ply: int, seat: int, move: str, finding: EngineFinding) -> GradedMove:
    sign = 1 if seat == 0 else -1
    before, after = sign * finding.value, sign * (finding.played or 0)
    loss = 0 if move == finding.best else max(0, before - after)
    worse = _result_sign(after) < _result_sign(before) and loss > 0
    steps = _EXACT_FROM if finding.exact else _ESTIMATED_FROM
    grade = next((grade for grade, least in steps if loss >= least), Grade.GOOD if loss else Grade.BEST)
    if worse and finding.exact:
        grade = Grade.BLUNDER
    gives_away = worse and grade in (Grade.MISTAKE, Grade.BLUNDER)
    return GradedMove(ply, seat, move, finding, loss, finding.exact, grade, gives_away)


def _result_sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _check_integer(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise TypeError(f"{raw!r} is not a whole number")
    return raw


def _check_square(raw: object) -> str:
    if raw not in SQUARES:
        raise TypeError(f"{raw!r} is not a square")
    return str(raw)
