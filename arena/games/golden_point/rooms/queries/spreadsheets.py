"""Export the rounds of a room for spreadsheets: a line per player per round, oldest first.

Rows are read in batches by key, so that a slow client ties up neither memory nor a database transaction. Headings are
not translated, because the file is data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.games.golden_point.rooms.models import Pick, RoomRound
from arena.platform.downloads import Cell, csv_text

_PORTION: Final = 200  # rounds read from the database at a time
HEADINGS: Final = ("round", "closed at", "golden number", "player", "name", "number 1", "number 2", "gain")


def rounds_text(number: int) -> Iterator[str]:
    """Yield a file with all closed rounds of the room with this number, in chunks."""
    return csv_text(_rows(number))


def _rows(number: int) -> Iterator[list[Cell]]:
    yield list(HEADINGS)
    last = 0
    closed = RoomRound.objects.filter(room__number=number, closed_at__isnull=False)
    while True:
        rows = {row.pk: row for row in closed.filter(index__gt=last).order_by("index")[:_PORTION]}
        if not rows:
            return
        picks = Pick.objects.filter(round__in=rows).order_by("round__index", "room_player__index")
        columns = ("round_id", "room_player__index", "room_player__nickname", "number1", "number2", "gain")
        for pk, index, name, first, second, gain in picks.values_list(*columns):
            row = rows[pk]
            moment = row.closed_at.isoformat() if row.closed_at else None
            yield [row.index, moment, row.golden, index, name, first, second, gain]
        last = max(row.index for row in rows.values())
