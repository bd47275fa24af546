"""Summarize an analysis in one sentence per seat: where the seat lost the match, or lost the most discs."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.messages import Template
from arena.games.reversi import verdict_messages as messages
from arena.games.reversi.lines import ended_with_empty_squares, final_lead
from arena.games.reversi.move_grades import GradedMove, costliest_mistake, turning_point
from arena.games.reversi.rules import ReversiState
from arena.games.review import Verdict


def verdicts(
    judged: Sequence[GradedMove], names: Sequence[str], end: ReversiState, prescribed: int = 0
) -> list[Verdict]:
    """Return the verdicts in the order of their moves.

    ``names``: names of black and white; ``end``: the last position; ``prescribed``: how many opening moves precede the
    first turn. The move numbers in the verdicts are turn numbers.
    """
    lead = final_lead(end) if end.to_move is None else None
    ended_early = ended_with_empty_squares(end)
    found = []
    for seat in (0, 1):
        turn = turning_point(judged, seat)
        move = turn or costliest_mistake(judged, seat)
        if move is None:
            continue
        lost = lead is not None and (lead < 0 if seat == 0 else lead > 0)
        template = _loss_template(move, lost=lost) if turn else _mistake_template(move)
        message = template(
            name=names[seat],
            n=move.ply - prescribed,
            move=move.move,
            best=move.finding.best or "",
            discs=messages.discs(move.discs, with_empty=ended_early and move.discs > 1),
        )
        found.append(Verdict(seat, move.ply - prescribed, message))
    return sorted(found, key=lambda one: one.turn)


def _loss_template(turn: GradedMove, *, lost: bool) -> Template:
    if turn.exact:
        return messages.LOST_PROVEN if lost else messages.GAVE_AWAY
    return messages.LOST_PROBABLY if lost else messages.FELL_BEHIND


def _mistake_template(most: GradedMove) -> Template:
    return messages.WORST_PROVEN if most.exact else messages.WORST_PROBABLY
