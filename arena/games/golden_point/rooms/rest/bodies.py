"""Response bodies of the REST interface, as dicts that become JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from arena.games.golden_point.rooms.polling.snapshots import RoomSnapshot
from arena.games.golden_point.rooms.queries.rooms import NumberRow, RoomRoundRow, ScoreRow
from arena.games.golden_point.rooms.rules import RoomState, seconds_left

Body = dict[str, Any]

# A paused room accepts picks, so programs see it as running, with a constant leftTime.
STATE_CODES: Final[Mapping[RoomState, int]] = {
    RoomState.RUNNING: 0,
    RoomState.PAUSED: 0,
    RoomState.WAITING: 1,
    RoomState.FINISHED: 2,
}


def message(text: str) -> Body:
    return {"message": text}


def user(uid: UUID, name: str) -> Body:
    return {"userId": str(uid), "nickName": name}


def state(room: RoomSnapshot, uid: UUID, name: str, now: datetime) -> Body:
    """Return the room's state.

    ``leftTime``: the remaining time in whole seconds, rounded up. ``roundEndTime``: in a paused room, when the round
    would end if the room were resumed now; in a waiting or finished room, when that state began.
    """
    ends_at = room.ends_at if room.left_ms is None else now + timedelta(milliseconds=room.left_ms)
    return {
        "userId": str(uid),
        "nickName": name,
        "roomId": room.number,
        "numbers": room.terms.numbers,
        "duration": room.seconds,
        "roundId": str(room.guid),
        "leftTime": seconds_left(ends_at, now),
        "roundEndTime": format_time(ends_at or room.opened_at),
        "state": STATE_CODES[room.state],
        "hasSubmitted": uid in room.submitted,
        "isRoomCreator": uid == room.creator,
        "maxUserCount": room.terms.most_players,
        "currentUserCount": room.players,
        "totalRoundCount": room.terms.rounds,
        "finishedRoundCount": room.finished_rounds,
        "enabledToken": room.has_token,
    }


def golden_list(room: int, goldens: Sequence[float]) -> Body:
    return {"roomId": room, "goldenNumberList": list(goldens)}


def number_list(room: int, numbers: int, rows: Sequence[NumberRow]) -> Body:
    """Return the list of submitted numbers. ``validNumbers``: how many of each row's two numbers are used."""
    listed = [
        {"userIndex": row.user, "roundIndex": row.round, "number1": row.number1, "number2": row.number2} for row in rows
    ]
    return {"roomId": room, "validNumbers": numbers, "numberList": listed}


def score_list(midnight: datetime, rows: Sequence[ScoreRow]) -> Body:
    """Return the scores. ``midnight``: the beginning of today, with the offset of the site's time zone."""
    listed = [
        {"userId": str(row.public_id), "nickName": row.name, "score": row.score, "index": row.index} for row in rows
    ]
    return {"date": midnight.isoformat(), "scoreList": listed}


def history(rounds: Sequence[RoomRoundRow], names: Mapping[UUID, str]) -> Body:
    return {
        "rounds": [_round(played) for played in rounds],
        "nickNames": {str(uid): name for uid, name in names.items()},
    }


def format_time(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _round(played: RoomRoundRow) -> Body:
    return {
        "roundId": str(played.guid),
        "index": played.index,
        "time": format_time(played.closed_at),
        "goldenNumber": played.golden,
        "userNumbers": [
            {
                "userId": str(each.public_id),
                "masterNumber": each.number1,
                "slaveNumber": each.number2,
                "score": each.score,
            }
            for each in played.numbers
        ],
    }
