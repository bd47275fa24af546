"""Open and close rounds: the transitions of a room, each of which happens exactly once.

Invariants: everything here runs in a transaction that holds the lock on the room's row (``locked_room``); a round is
closed by one conditional UPDATE on its id, and its successor opens in the same transaction, so nobody ever sees only
one of the changes. Two concurrent attempts close the round once and notify viewers once.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import F

from arena.games.golden_point.rooms.identity import GuidPurpose, new_guid
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.models import LobbyEntry, Pick, Removal, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rounds import built_in_players
from arena.games.golden_point.rooms.rules import MIN_ROUND_SECONDS, PLAYED_STATES, RoomState, is_complete, state_after
from arena.games.golden_point.rules import RoundScore, score_round


def locked_room(pk: int) -> Room:
    """Return the room, locked until the transaction ends; raises Room.DoesNotExist."""
    return Room.objects.select_for_update().get(pk=pk)


def open_round(room: Room, index: int, now: datetime) -> RoomRound:
    """Open the next round of a room that has no open round; the built-in players pick immediately."""
    opened = RoomRound(room=room, index=index)
    _reset_round(room, opened, now)
    opened.save(force_insert=True)
    _let_built_in_players_play(room, opened)
    return opened


def begin(room: Room, now: datetime) -> None:
    """Change the room from WAITING to RUNNING: the open round gets an id and a deadline."""
    room.state = RoomState.RUNNING
    _store_state(room)
    current = RoomRound.objects.get(room=room, closed_at=None)
    _restart_with_new_id(room, current, now)
    _let_built_in_players_play(room, current)
    broadcast.publish_state(room, current, now)


def pause(room: Room, now: datetime) -> None:
    """Change the room from RUNNING to PAUSED: the open round keeps its id and remaining time.

    A round past its deadline is closed first.
    """
    current = RoomRound.objects.get(room=room, closed_at=None)
    if current.ends_at is not None and current.ends_at <= now:
        close(room, current.guid, now)
        current = RoomRound.objects.get(room=room, closed_at=None)
    if room.state != RoomState.RUNNING or current.ends_at is None:
        return
    room.state = RoomState.PAUSED
    current.left_ms, current.ends_at = round((current.ends_at - now) / timedelta(milliseconds=1)), None
    current.save(update_fields=["left_ms", "ends_at"])
    _store_state(room)
    broadcast.publish_state(room, current, now)


def resume(room: Room, now: datetime) -> None:
    """Change the room from PAUSED to RUNNING: the open round continues with its remaining time, at least three seconds.

    The round closes immediately if everybody submitted during the pause.
    """
    current = RoomRound.objects.get(room=room, closed_at=None)
    room.state = RoomState.RUNNING
    left = max(timedelta(milliseconds=current.left_ms or 0), timedelta(seconds=MIN_ROUND_SECONDS))
    current.left_ms, current.ends_at = None, now + left
    current.save(update_fields=["left_ms", "ends_at"])
    _store_state(room)
    broadcast.publish_state(room, current, now)
    close_if_complete(room, current, now)


def close_if_complete(room: Room, current: RoomRound, now: datetime) -> bool:
    """Close the open round of a running room if everybody who may play has submitted; return whether it was closed."""
    if room.state != RoomState.RUNNING or not room.most_players:
        return False
    picks = Pick.objects.filter(round=current)
    removed = RoomPlayer.objects.filter(room=room, player__in=Removal.objects.filter(room=room).values("player"))
    gone = removed.exclude(pk__in=picks.values("room_player")).count()
    return is_complete(room.terms, picks.count(), gone=gone) and close(room, current.guid, now)


def give_up(room: Room, now: datetime) -> None:
    """Change the room from WAITING, RUNNING or PAUSED to FINISHED, without another round."""
    _finish(room)
    _store_state(room)
    current = RoomRound.objects.get(room=room, closed_at=None)
    _restart_with_new_id(room, current, now)
    broadcast.publish_state(room, current, now)


def close(room: Room, guid: UUID, now: datetime) -> bool:
    """Close the open round with this id and open the next; return False if it was already closed.

    A paused room remains paused.
    """
    current = RoomRound.objects.filter(room=room, guid=guid, closed_at=None).first()
    if current is None or room.state not in PLAYED_STATES:
        return False
    found = Pick.objects.filter(round=current).select_related("room_player")
    picks = list(found.order_by("room_player__index"))
    if not picks:
        _store_state(room)
        renewed = _restart_with_new_id(room, current, now)
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
    if state_after(room.terms, room.finished_rounds, RoomState(room.state)) is RoomState.FINISHED:
        _finish(room)
    _store_state(room)
    open_round(room, current.index + 1, now)
    broadcast.publish_closed_round(room, current, picks, score, now)
    return True


def _store_gains(picks: list[Pick], score: RoundScore) -> None:
    """Store the gains, with one UPDATE for each distinct gain: there are few, however many players a round has."""
    for gain in set(score.gains) - {0}:
        same = [pick for pick, its in zip(picks, score.gains, strict=True) if its == gain]
        Pick.objects.filter(pk__in=[pick.pk for pick in same]).update(gain=gain)
        players = RoomPlayer.objects.filter(pk__in=[pick.room_player_id for pick in same])
        players.update(points=F("points") + gain)


def _restart_with_new_id(room: Room, current: RoomRound, now: datetime) -> bool:
    """Restart the open round with a new id; return False if it is no longer the open round."""
    found = RoomRound.objects.filter(pk=current.pk, guid=current.guid, closed_at=None)
    _reset_round(room, current, now)
    return bool(found.update(**{name: getattr(current, name) for name in _BEGINNING}))


_BEGINNING: Final = ("guid", "opened_at", "seconds", "ends_at", "left_ms")


def _reset_round(room: Room, current: RoomRound, now: datetime) -> None:
    """Give the round an id and its full length; its countdown runs only while the room is running."""
    current.guid, current.opened_at, current.seconds = new_guid(GuidPurpose.ROUND), now, room.seconds
    current.ends_at = now + timedelta(seconds=room.seconds) if room.state == RoomState.RUNNING else None
    current.left_ms = 1000 * room.seconds if room.state == RoomState.PAUSED else None


def _finish(room: Room) -> None:
    """Set the room to FINISHED and empty its lobby."""
    room.state = RoomState.FINISHED
    LobbyEntry.objects.filter(room=room).delete()


def _store_state(room: Room) -> None:
    """Store the room's state and increment its version."""
    Room.objects.filter(pk=room.pk).update(
        state=room.state, finished_rounds=room.finished_rounds, version=F("version") + 1
    )


def _let_built_in_players_play(room: Room, current: RoomRound) -> None:
    players = list(RoomPlayer.objects.filter(room=room, rests=False).exclude(strategy=""))
    if not players or room.state not in PLAYED_STATES:
        return
    closed = RoomRound.objects.filter(room=room, closed_at__isnull=False).order_by("-index")
    goldens = list(closed.values_list("golden", flat=True)[: built_in_players.REMEMBERED])[::-1]
    known = [golden for golden in goldens if golden is not None]
    rng = random.Random(current.guid.int)  # noqa: S311 - a game; who knows the id plays no better for it
    picks = []
    for player in players:
        first, second = built_in_players.play(player.strategy, known, rng, numbers=room.numbers)
        picks.append(Pick(round=current, room_player=player, number1=first, number2=second))
    Pick.objects.bulk_create(picks)
