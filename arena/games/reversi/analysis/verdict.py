"""Summarize an analysis in one sentence per seat: where the seat lost the match, or lost the most discs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.core.messages import Template
from arena.games.reversi import verdict_messages as messages
from arena.games.reversi.lines import ended_with_empty_squares, final_lead
from arena.games.reversi.move_grades import (
    GradedMove,
    costliest_mistake,
    costliest_move,
    last_lead_change,
    turning_point,
)
from arena.games.reversi.rules import ReversiState
from arena.games.review import Verdict


def verdicts(
    judged: Sequence[GradedMove],
    names: Sequence[str],
    end: ReversiState,
    prescribed: int = 0,
    *,
    complete: bool = False,
) -> list[Verdict]:
    """Return the verdicts in the order of their moves.

    ``names``: names of black and white; ``end``: the last position; ``prescribed``: how many opening moves precede the
    first turn. The move numbers in the verdicts are turn numbers. ``complete``: whether all moves are judged; the loser
    of a match that was played to the end then always has a verdict, however close the match was.
    """
    lead = final_lead(end) if end.to_move is None else None
    ended_early = ended_with_empty_squares(end)

    def verdict(template: Template, move: GradedMove) -> Verdict:
        message = template(
            name=names[move.seat],
            n=move.ply - prescribed,
            move=move.move,
            best=move.finding.best or "",
            discs=messages.discs(move.discs, with_empty=ended_early and move.discs > 1),
        )
        return Verdict(move.seat, move.ply - prescribed, message)

    found = []
    for seat in (0, 1):
        turn = turning_point(judged, seat)
        move = turn or costliest_mistake(judged, seat)
        if move is None:
            continue
        lost = lead is not None and (lead < 0 if seat == 0 else lead > 0)
        found.append(verdict(_loss_template(move, lost=lost) if turn else _mistake_template(move), move))
    losers = [] if lead is None else [0, 1] if lead == 0 else [1 if lead > 0 else 0]
    if complete and losers and not any(one.seat in losers for one in found):
        found.append(_close_verdict(judged, names, losers, verdict))
    return sorted(found, key=lambda one: one.turn)


def _close_verdict(
    judged: Sequence[GradedMove],
    names: Sequence[str],
    losers: Sequence[int],
    verdict: Callable[[Template, GradedMove], Verdict],
) -> Verdict:
    """Return the verdict on a match in which the losers (in a draw, both sides) made no mistake."""
    change = last_lead_change(judged, losers[0]) if len(losers) == 1 else None
    if change is not None:
        return verdict(messages.FELL_BEHIND, change)
    most = costliest_move(judged, losers)
    if most is not None:
        return verdict(_mistake_template(most), most)
    if len(losers) > 1:
        return Verdict(losers[0], 0, messages.NO_TURNING_POINT_IN_DRAW())
    return Verdict(losers[0], 0, messages.NO_TURNING_POINT(name=names[losers[0]]))


def _loss_template(turn: GradedMove, *, lost: bool) -> Template:
    if turn.exact:
        return messages.LOST_PROVEN if lost else messages.GAVE_AWAY
    return messages.LOST_PROBABLY if lost else messages.FELL_BEHIND


def _mistake_template(most: GradedMove) -> Template:
    return messages.WORST_PROVEN if most.exact else messages.WORST_PROBABLY
