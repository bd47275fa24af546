"""Snapshots of rooms as values, used to answer polling without the database."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

from arena.games.golden_point.rooms.models import Pick, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rules import PlayerKind, RoomState, RoomTerms

# Maximum number of names, because a room is read again after every pick. Players from years ago are looked up
# when they return.
MAX_NAMES: Final = 500


@dataclass(frozen=True, slots=True)
class RoomSnapshot:
    """A room at one point in time. ``players``: number of players who have ever submitted in the room.

    ``names``: the names of the ``MAX_NAMES`` newest of these players, without bots run by the arena. ``knows_all``:
    whether the room has no more players than that; false only in very old rooms. ``submitted``: the players who have
    submitted in this round.
    """

    number: int
    version: int
    state: RoomState
    terms: RoomTerms
    guid: UUID
    opened_at: datetime
    ends_at: datetime | None
    left_ms: int | None  # time left in the round of a paused room
    seconds: int  # length of this round
    creator: UUID | None
    has_token: bool
    finished_rounds: int
    names: Mapping[UUID, str]
    submitted: Set[UUID]
    players: int
    knows_all: bool

    def with_picks(self, uids: Set[UUID]) -> RoomSnapshot:
        """Return the snapshot with these players' picks added; the next load adds the names of new players."""
        new = 0 if not self.knows_all else len(uids - self.names.keys() - self.submitted)
        return replace(self, submitted=self.submitted | uids, players=self.players + new)


def load(number: int) -> RoomSnapshot | None:
    """Load the room with this number from the database; return None if there is no such room."""
    while True:
        snapshot = _read_room(number)
        if snapshot is None or Room.objects.filter(number=number, version=snapshot.version).exists():
            return snapshot
        # The room changed between two of the queries, so their results are inconsistent.


def _read_room(number: int) -> RoomSnapshot | None:
    room = Room.objects.select_related("creator").filter(number=number).first()
    if room is None:
        return None
    current = RoomRound.objects.get(room=room, closed_at=None)
    players = RoomPlayer.objects.filter(room=room)
    columns = ("player__uid", "player__kind", "nickname")
    newest = list(players.order_by("-index").values_list(*columns)[:MAX_NAMES])
    count = len(newest) if len(newest) < MAX_NAMES else players.count()
    submitted = Pick.objects.filter(round=current).values_list("room_player__player__uid", flat=True)
    return RoomSnapshot(
        number=room.number,
        version=room.version,
        state=RoomState(room.state),
        terms=room.terms,
        guid=current.guid,
        opened_at=current.opened_at,
        ends_at=current.ends_at,
        left_ms=current.left_ms,
        seconds=current.seconds,
        creator=room.creator.uid if room.creator else None,
        has_token=bool(room.token),
        finished_rounds=room.finished_rounds,
        names=MappingProxyType({uid: name for uid, kind, name in newest if kind != PlayerKind.BOT}),
        submitted=frozenset(submitted),
        players=count,
        knows_all=len(newest) == count,
    )
