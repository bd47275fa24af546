"""Describe a golden-point match for the dataset: numbers, gains, and regret against the best reply."""

from __future__ import annotations

import math
from typing import Final

from arena.core.referee.record import Record
from arena.games.golden_point.evaluation.best_reply import best_gain, fixed_point_number
from arena.games.golden_point.evaluation.golden_match import GoldenRound, match_from_record
from arena.games.transcript import MoveNote, Transcript

SOURCE: Final = "best reply"


def transcribe(match_id: int, record: Record) -> Transcript:
    """Describe the match.

    ``best``: the number that would itself have been the golden number if the seat had played only this number.
    """
    moves = {}
    for each in match_from_record(record).rounds:
        total = math.fsum(x for own in each.numbers if own for x in own)
        for seat, own in enumerate(each.numbers):
            if own is not None:
                moves[each.number, seat] = _note(each, seat, total)
    return Transcript(moves)


def _note(each: GoldenRound, seat: int, total: float) -> MoveNote:
    own = each.numbers[seat] or ()
    gain = each.score.gains[seat]
    alone = each.player_count < 2
    return MoveNote(
        notation=" ".join(map(repr, own)),
        reward=gain,
        regret=best_gain(each, seat) - gain,
        best="" if alone else repr(fixed_point_number(each.number_count, total, own)),
        exact=True,
        source=SOURCE,
    )
