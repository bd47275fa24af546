"""Read-only queries about ids used from other network addresses, for the owner of a room."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from arena.games.golden_point.rooms.models import AddressChange, AddressOutcome, Room

MAX_CHANGES_LISTED = 30
# How long a room's page shows a warning to the room's owner.
RECENT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AddressChangeRow:
    """The last time that a use of a player's id from another address had this ``outcome``."""

    name: str
    outcome: str
    outcome_label: str
    at: datetime


@dataclass(frozen=True, slots=True)
class IdBinding:
    """A room's setting for binding ids to network addresses, and its address changes, newest first."""

    binds: bool
    changes: list[AddressChangeRow]


def has_recent_address_change(number: int, *, now: datetime) -> bool:
    return AddressChange.objects.filter(room__number=number, at__gt=now - RECENT).exists()


def id_binding(number: int) -> IdBinding:
    rows = (
        AddressChange.objects.filter(room__number=number).select_related("player").order_by("-at")[:MAX_CHANGES_LISTED]
    )
    return IdBinding(
        binds=Room.objects.values_list("binds_ids", flat=True).get(number=number),
        changes=[
            AddressChangeRow(row.player.nickname, row.outcome, str(AddressOutcome(row.outcome).label), row.at)
            for row in rows
        ],
    )
