"""Open and close rounds: the transitions of a room, each exactly once.

Invariants: everything here runs in a transaction that holds the lock on the room's row (``locked``); a round is closed
by one conditional UPDATE on its id, and its successor opens in the same transaction, so nobody ever sees the one
without the other. Two who close the same round close it once, and those who watch are told of it once.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F

from arena.games.golden_point.rooms.identity import Purpose, new_guid
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.models import Pick, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rounds import built_in_players
from arena.games.golden_point.rooms.rules import RoomState, state_after
from arena.games.golden_point.rules import RoundScore, score_round


def locked(pk: int) -> Room:
    """The room, with nobody else changing it until the transaction ends; raises Room.DoesNotExist."""
    return Room.objects.select_for_update().get(pk=pk)


def open_round(room: Room, index: int, now: datetime) -> RoomRound:
    """The next round of a room that has no open one; the built_in_players play at once."""
    opened = RoomRound.objects.create(
        room=room, guid=new_guid(Purpose.ROUND), index=index, opened_at=now, ends_at=_deadline(room, now)
    )
    _let_built_in_players_play(room, opened)
    return opened


def begin(room: Room, now: datetime) -> None:
    """WAITING to RUNNING: the round that was open so far gets an id and a deadline."""
    room.state = RoomState.RUNNING
    _touch(room)
    current = RoomRound.objects.get(room=room, closed_at=None)
    _renew(room, current, now)
    _let_built_in_players_play(room, current)
    broadcast.publish_state(room, current, now)


def give_up(room: Room, now: datetime) -> None:
    """WAITING or RUNNING to FINISHED without another round."""
    room.state = RoomState.FINISHED
    _touch(room)
    current = RoomRound.objects.get(room=room, closed_at=None)
    _renew(room, current, now)
    broadcast.publish_state(room, current, now)


def close(room: Room, guid: UUID, now: datetime) -> bool:
    """Close the open round of this id and open the next; False where somebody else did."""
    current = RoomRound.objects.filter(room=room, guid=guid, closed_at=None).first()
    if current is None or room.state != RoomState.RUNNING:
        return False
    found = Pick.objects.filter(round=current).select_related("room_player")
    picks = list(found.order_by("room_player__index"))
    if not picks:
        _touch(room)
        renewed = _renew(room, current, now)
        broadcast.publish_state(room, current, now)
        return renewed
    score = score_round([(p.number1,) if p.number2 is None else (p.number1, p.number2) for p in picks])
    if not RoomRound.objects.filter(pk=current.pk, guid=guid, closed_at=None).update(
        closed_at=now, golden=score.golden
    ):
        return False
    current.closed_at = now
    _store_gains(picks, score)
    room.finished_rounds += 1
    room.state = state_after(room.terms, room.finished_rounds)
    _touch(room)
    open_round(room, current.index + 1, now)
    broadcast.publish_closed_round(room, current, picks, score, now)
    return True


def _store_gains(picks: list[Pick], score: RoundScore) -> None:
    """A round has few different gains, however many players: one UPDATE for each."""
    for gain in set(score.gains) - {0}:
        pks = [pick.pk for pick, its in zip(picks, score.gains, strict=True) if its == gain]
        Pick.objects.filter(pk__in=pks).update(gain=gain)


def _renew(room: Room, current: RoomRound, now: datetime) -> bool:
    """Let the open round begin anew under another id; False where it is not that round any more."""
    found = RoomRound.objects.filter(pk=current.pk, guid=current.guid, closed_at=None)
    current.guid, current.opened_at, current.ends_at = new_guid(Purpose.ROUND), now, _deadline(room, now)
    return bool(found.update(guid=current.guid, opened_at=current.opened_at, ends_at=current.ends_at))


def _deadline(room: Room, now: datetime) -> datetime | None:
    return now + timedelta(seconds=room.seconds) if room.state == RoomState.RUNNING else None


def _touch(room: Room) -> None:
    """Store the room's state under the next version."""
    Room.objects.filter(pk=room.pk).update(
        state=room.state, finished_rounds=room.finished_rounds, version=F("version") + 1
    )


def _let_built_in_players_play(room: Room, current: RoomRound) -> None:
    house = list(RoomPlayer.objects.filter(room=room, rests=False).exclude(strategy=""))
    if not house or room.state != RoomState.RUNNING:
        return
    closed = RoomRound.objects.filter(room=room, closed_at__isnull=False).order_by("-index")
    goldens = list(closed.values_list("golden", flat=True)[: built_in_players.REMEMBERED])[::-1]
    known = [golden for golden in goldens if golden is not None]
    rng = random.Random(current.guid.int)  # noqa: S311 - a game; who knows the id plays no better for it
    picks = []
    for each in house:
        first, second = built_in_players.play(each.strategy, known, rng, numbers=room.numbers)
        picks.append(Pick(round=current, room_player=each, number1=first, number2=second))
    Pick.objects.bulk_create(picks)
