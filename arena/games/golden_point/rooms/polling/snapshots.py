"""Snapshots of rooms as values, from which polling is answered without the database."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

from arena.games.golden_point.rooms.models import Pick, PlayerKind, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rules import RoomState, Terms

# A room is read again whenever somebody submits: those who played years ago are looked up when they come back.
MAX_NAMES: Final = 500


@dataclass(frozen=True, slots=True)
class RoomSnapshot:
    """``players`` counts everybody who has ever submitted in the room; ``names`` holds the newest of them, all those of
    any room but one that has been open for long, but for bots that the arena runs; ``submitted`` are those who did in
    this round; ``knows_all``: whether nobody is missing in ``names``."""

    number: int
    version: int
    state: RoomState
    terms: Terms
    guid: UUID
    opened_at: datetime
    ends_at: datetime | None
    left_ms: int | None  # of a paused room's round
    seconds: int  # of this round
    creator: UUID | None
    has_token: bool
    finished_rounds: int
    names: Mapping[UUID, str]
    submitted: Set[UUID]
    players: int
    knows_all: bool

    def with_submissions(self, uids: Set[UUID]) -> RoomSnapshot:
        """The same a moment later; the next load brings the names of those who are new."""
        new = 0 if not self.knows_all else len(uids - self.names.keys() - self.submitted)
        return replace(self, submitted=self.submitted | uids, players=self.players + new)


def load(number: int) -> RoomSnapshot | None:
    """The room of this number as the database has it now."""
    while True:
        snapshot = _read(number)
        if snapshot is None or Room.objects.filter(number=number, version=snapshot.version).exists():
            return snapshot
        # It changed between two of the queries: what was read belongs to two moments.


def _read(number: int) -> RoomSnapshot | None:
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
