"""Distinguish the two ways in which a person can exceed a time limit; the referee stores both as a timeout."""

from __future__ import annotations

from typing import Final

from arena.core.referee.faults import FaultKind
from arena.matches.models import Seat

SILENCE: Final = "silence"  # no move for ``arena.matches.playing.MAX_SILENCE_SECONDS``, with time left on the clock
_TOLERANCE_SECONDS: Final = 1.0


def shown_fault(seat: Seat) -> str:
    """Return the seat's kind of fault for labels; "" if there is none."""
    has_time_left = seat.clock is not None and seat.seconds < seat.clock - _TOLERANCE_SECONDS
    return SILENCE if seat.fault == FaultKind.TIMEOUT and has_time_left else seat.fault
