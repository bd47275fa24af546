"""Lost matches of people's bots, whose authors want to know why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from arena.matches.models import MatchStatus, Purpose, Seat

_PURPOSES: Final = (Purpose.SCRIMMAGE, Purpose.TOURNAMENT, Purpose.LADDER)


@dataclass(frozen=True, slots=True)
class Loss:
    """A match that somebody's bot lost by its play; a fault has its own report."""

    match_id: int
    owner_id: int


def recent_losses(game: str, *, since: datetime, most: int) -> list[Loss]:
    """The newest losses, the newest first; matches with withheld results, and those that do not count, are left out."""
    rows = Seat.objects.filter(
        match__game=game,
        match__status=MatchStatus.FINISHED,
        match__finished_at__gte=since,
        match__purpose__in=_PURPOSES,
        match__withheld=False,
        match__replaced_by=None,
        rank__gt=1,
        fault="",
        submission__bot__is_house=False,
    )
    found = rows.order_by("-match_id", "index").values_list("match_id", "submission__bot__owner_id")
    return [Loss(match_id, owner_id) for match_id, owner_id in found[:most] if owner_id is not None]
