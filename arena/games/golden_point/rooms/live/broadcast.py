"""Publish the live events of a room.

Invariants: an event's number is the room's ``event_seq``, incremented under the lock on the room, in the transaction of
the change; the event is sent after the commit. So whichever process changes a room, numbers have no gaps or duplicates.
``event_version`` is the room version in the newest event: a pick increments the version without an event of its own;
picks are published together, at most a few times a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F

from arena.games.golden_point.rooms.live.serializers import Json, PlayerNumbers, milliseconds, room_json, round_json
from arena.games.golden_point.rooms.models import Pick, Room, RoomRound
from arena.games.golden_point.rules import RoundScore
from arena.platform.live.publisher import publish
from arena.platform.live.topics import Topic

TOPIC: Final = "rooms"
KEPT_EVENTS: Final = 300  # clients that missed more events load a complete snapshot

# Runs a job that uses the broker; called after the commit.
Sender = Callable[[Callable[[], None]], object]


def _run_immediately(job: Callable[[], None]) -> None:
    job()


_senders: list[Sender] = [_run_immediately]


def use_sender(sender: Sender | None) -> None:
    """Make this process send events through ``sender``, which keeps them in order and does not block.

    None restores the default.
    """
    _senders[:] = [sender or _run_immediately]


def topic(number: int) -> str:
    return str(Topic(TOPIC, number))


def may_watch(user: object, number: int) -> bool:
    """Return whether the room with this number exists; anybody may watch it, because rooms are public."""
    return Room.objects.filter(number=number).exists()


def newest_number(number: int) -> int:
    """Return the number of the newest event in the room with this number; 0 if the room does not exist."""
    return Room.objects.filter(number=number).values_list("event_seq", flat=True).first() or 0


def publish_state(room: Room, current: RoomRound, now: datetime) -> None:
    """Publish the state of a locked room; ``current`` is its open round."""
    _publish(room, {"type": "room", "at": milliseconds(now), "room": room_json(room, current)})


def publish_closed_round(
    room: Room, closed: RoomRound, picks: Sequence[Pick], score: RoundScore, now: datetime
) -> None:
    """Publish the round that was closed in a locked room, and the round that opened after it.

    ``picks``: the round's picks, loaded with their players; ``score``: the results of the picks, in the same order.
    """
    named = [
        PlayerNumbers(pick.room_player.index, gain, pick.number1, pick.number2)
        for pick, gain in zip(picks, score.gains, strict=True)
    ]
    event = {
        "type": "closed",
        "at": milliseconds(now),
        "names": {pick.room_player.index: pick.room_player.nickname for pick in picks},
        "closed": round_json(closed, score.golden, named, score),
        "room": room_json(room, RoomRound.objects.get(room=room, closed_at=None)),
    }
    _publish(room, event)


def publish_changes(number: int, now: datetime) -> None:
    """Publish the changes in the room with this number, mostly picks, that have not been published yet."""
    with transaction.atomic():
        room = Room.objects.select_for_update().filter(number=number, version__gt=F("event_version")).first()
        if room is not None:
            publish_state(room, RoomRound.objects.get(room=room, closed_at=None), now)


def _publish(room: Room, event: Json) -> None:
    room.event_seq += 1
    Room.objects.filter(pk=room.pk).update(event_seq=room.event_seq, event_version=F("version"))
    job = partial(publish, topic(room.number), room.event_seq, event, keep=KEPT_EVENTS)
    transaction.on_commit(partial(_send, job), robust=True)


def _send(job: Callable[[], None]) -> None:
    _senders[0](job)
