"""A finished match as other programs write its game down."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.referee.record import Record
from arena.games.reversi.lines import Line
from arena.games.reversi.notation import write_ggf, write_moves
from arena.games.reversi.recorded_line import GAME, line_of


def moves_text(record: Record) -> str | None:
    """The moves of a game that has such a list, as in "F5D6C3"; None for other games."""
    line = _line(record)
    return None if line is None else write_moves(line) + "\n"


def ggf(record: Record, names: Sequence[str]) -> str | None:
    """Generic Game Format, the names by seat; None for games that are not written so."""
    line = _line(record)
    if line is None:
        return None
    black, white = names
    return write_ggf(line, black, white, int(record.outcome.margins[0])) + "\n"


def _line(record: Record) -> Line | None:
    """From the usual start, the opening of the match included; a resignation or fault ends it."""
    return line_of(record).line if record.game == GAME else None
