"""Build a bot's observations of a room, so that the room looks like an ordinary match to the bot.

A room may have no last round, players join while it runs, and a bot can start in the middle. To the bot, this looks
like a match that began with the oldest round that it observes; players who joined later have no numbers in earlier
rounds.

Invariants: a bot observes closed rounds only, each once and in order. The size of a message is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max, Sum

from arena.games.base import Json
from arena.games.golden_point.rooms.models import Pick, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rules import MAX_ROOM_ROUNDS, RoomState
from arena.games.golden_point.rules import Numbers, pack_numbers

# Maximum number of rounds that a starting or resuming bot observes; fewer if the rounds hold many numbers.
MAX_OBSERVED = 100
_MAX_NUMBERS = 12_000  # numbers of 11 bytes each, in a message of at most 256 KiB


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The open round of a room with bots.

    ``rounds``: the number of rounds in the room, or ``MAX_ROOM_ROUNDS`` if there is no limit.
    """

    room: int  # the row's id
    guid: UUID
    index: int
    ends_at: datetime | None
    state: RoomState
    numbers: int
    seconds: int
    rounds: int
    token: str
    last_played: datetime  # when anybody except the arena's bots last played, or when the room was created


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """A closed round as the bots of its room observe it."""

    index: int
    golden: float
    numbers: Sequence[Numbers | None]  # by player index

    def to_json(self) -> Json:
        silent = [place for place, own in enumerate(self.numbers) if own is None]
        return {"golden": self.golden, "numbers": pack_numbers(self.numbers), "silent": silent}


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """A bot's own index and points in its room.

    ``players``: number of players, including the bot even before its first pick.
    """

    seat: int
    score: int
    players: int


def open_rounds(rooms: Iterable[int]) -> dict[int, OpenRound]:
    """Return the open round of each of these rooms."""
    rows = RoomRound.objects.filter(room__in=set(rooms), closed_at=None).select_related("room")
    return {
        row.room_id: OpenRound(
            room=row.room_id,
            guid=row.guid,
            index=row.index,
            ends_at=row.ends_at,
            state=RoomState(row.room.state),
            numbers=row.room.numbers,
            seconds=row.seconds,
            rounds=row.room.rounds or MAX_ROOM_ROUNDS,
            token=row.room.token,
            last_played=row.room.played_at or row.room.created_at,
        )
        for row in rows
    }


def rounds_closed_since(room: int, index: int) -> list[ClosedRound]:
    """Return the rounds closed after this index, oldest first; if not all fit in a message, only the newest."""
    rows = RoomRound.objects.filter(room=room, index__gt=index, closed_at__isnull=False, golden__isnull=False)
    newest = list(rows.order_by("-index").values_list("pk", "index", "golden")[:MAX_OBSERVED])
    players = _count_players(room)
    named: dict[int, dict[int, Numbers]] = {pk: {} for pk, _, _ in newest}
    picks = Pick.objects.filter(round__in=named)
    for pk, place, first, second in picks.values_list("round_id", "room_player__index", "number1", "number2"):
        named[pk][place] = (first,) if second is None else (first, second)
    closed: list[ClosedRound] = []
    room_left = _MAX_NUMBERS
    for pk, round_index, golden in newest:
        room_left -= sum(len(own) for own in named[pk].values())
        if room_left < 0 and closed:
            break
        closed.append(ClosedRound(round_index, golden or 0.0, [named[pk].get(place) for place in range(players)]))
    return closed[::-1]


def own_standing(room: int, player: int) -> OwnStanding:
    """Return a seated bot's index and points; before its first pick, the next free index and 0 points."""
    players = _count_players(room)
    mine = RoomPlayer.objects.filter(room=room, player=player).annotate(score=Sum("picks__gain"))
    row = mine.values_list("index", "score").first()
    if row is None:
        return OwnStanding(seat=players, score=0, players=players + 1)
    return OwnStanding(seat=row[0], score=row[1] or 0, players=players)


def _count_players(room: int) -> int:
    last = RoomPlayer.objects.filter(room=room).aggregate(last=Max("index"))["last"]
    return 0 if last is None else last + 1
