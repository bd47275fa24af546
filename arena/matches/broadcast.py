"""The live events of a match.

Invariant: an event's number is ``fence * 1_000_000 + n``; the worker counts n from 0 and the number
of what ends or restarts an attempt from outside is that attempt's last, 999_999. So numbers only grow,
an older worker's are refused by the stream, and the next attempt's first follows on the former's last.
"""

from __future__ import annotations

from typing import Any

from arena.matches.models import Match, MatchStatus
from arena.platform.live.publisher import supersede

ATTEMPT = 1_000_000
LAST = ATTEMPT - 1


def topic(match_id: int) -> str:
    return f"matches/{match_id}"


def last_number(fence: int) -> int:
    """The number under which an attempt is over."""
    return fence * ATTEMPT + LAST


def first_number(fence: int) -> int:
    return fence * ATTEMPT


def newest_number(match_id: int) -> int:
    """The number of the newest event; 0 for a running match, whose worker sends all of them again."""
    row = Match.objects.filter(pk=match_id).values_list("status", "fence").first()
    return 0 if row is None or row[0] == MatchStatus.RUNNING else last_number(row[1])


def announce(match_id: int, fence: int, event: dict[str, Any]) -> None:
    """Publish what happened to a match outside its worker."""
    supersede(topic(match_id), last_number(fence), event)
