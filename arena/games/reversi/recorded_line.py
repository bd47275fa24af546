"""Convert a recorded Reversi match to a line of moves, and write its download files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.referee.record import Record
from arena.games.reversi.lines import Line
from arena.games.reversi.notation import write_ggf, write_moves
from arena.games.reversi.rules import RESIGN

GAME: Final = "reversi"


@dataclass(frozen=True, slots=True)
class MatchLine:
    """The line of a match. ``prescribed``: the number of moves in the match's opening, with which the line begins."""

    line: Line
    prescribed: int


def match_line(record: Record) -> MatchLine:
    """Return the line of a match, without resignations and faults.

    Raises ValueError if the record is from another game.
    """
    if record.game != GAME:
        raise ValueError(f"This is a record of {record.game}, not of {GAME}. Choose a record of {GAME}.")
    opening: str = record.settings.get("opening", "")
    forced = tuple(opening[at : at + 2].upper() for at in range(0, len(opening), 2))
    played = (move.move for turn in record.turns for move in turn.moves if move.fault is None)
    return MatchLine(Line(moves=(*forced, *(move for move in played if move != RESIGN))), len(forced))


def moves_text(record: Record, names: Sequence[str]) -> str:
    """Return the moves on one line, such as "F5D6C3", including the opening; a resignation or fault ends the line."""
    return write_moves(match_line(record).line) + "\n"


def ggf_text(record: Record, names: Sequence[str]) -> str:
    """Return the match in the Generic Game Format."""
    black, white = names
    return write_ggf(match_line(record).line, black, white, int(record.outcome.margins[0])) + "\n"
