"""Read-only queries about rooms: lobby rows, deadlines, closed rounds, numbers and scores.

Invariant: ``today`` begins at midnight in the site's time zone; functions about other periods say so in their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils import timezone

from arena.accounts.permissions import Person, may
from arena.games.golden_point.rooms.identity import GuidPurpose, default_name, is_issued
from arena.games.golden_point.rooms.models import (
    LobbyEntry,
    Pick,
    Player,
    Removal,
    Room,
    RoomPlayer,
    RoomRound,
    public_id,
)
from arena.games.golden_point.rooms.rules import PLAYED_STATES, PlayerKind, RoomAction, RoomState


@dataclass(frozen=True, slots=True)
class RoomDeadline:
    """The deadline of a room, which every web process tracks.

    Contains the room's version, the version of its newest event, and the time at which its round ends.
    """

    number: int
    version: int
    event_version: int
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A player's numbers in a round, 0 if missing. ``user``: index of the player; ``round``: index of the round."""

    user: int
    round: int
    number1: float
    number2: float


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A player's score for today. ``index``: the player's index in the room; ``public_id``: the id in public lists."""

    public_id: UUID
    name: str
    score: int
    index: int


@dataclass(frozen=True, slots=True)
class PlayedNumbers:
    """A player's numbers in a round, and the gain."""

    public_id: UUID
    name: str
    number1: float
    number2: float
    score: int


@dataclass(frozen=True, slots=True)
class RoomRoundRow:
    """A closed round."""

    guid: UUID
    index: int
    closed_at: datetime
    golden: float
    numbers: tuple[PlayedNumbers, ...]


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room as pages show it. ``players``: number of players who have submitted at least once.

    ``current_players``: how many of them the owner has not removed. A removed player's seat stays taken.
    ``owner``: name of the person who created it on the site, "" for rooms created by programs. ``is_nobodys``: whether
    it was created neither by a person nor by an identified program.
    """

    number: int
    name: str
    state: RoomState
    numbers: int
    seconds: int
    most_players: int
    rounds: int
    finished_rounds: int
    has_token: bool
    players: int
    current_players: int
    owner: str
    owner_id: int | None
    is_nobodys: bool


def room_row(number: int) -> RoomRow | None:
    """Return the room with this number; None if there is no such room."""
    return next(iter(room_rows(annotate_player_counts(Room.objects.filter(number=number)))), None)


def annotate_player_counts(rooms: QuerySet[Room]) -> QuerySet[Room]:
    """Annotate rooms with the player counts that ``room_rows`` needs."""
    removals = Removal.objects.filter(room=OuterRef("pk"), player=OuterRef("room_players__player"))
    return rooms.select_related("owner").annotate(
        players=Count("room_players"), current_players=Count("room_players", filter=~Exists(removals))
    )


def room_rows(rooms: Iterable[Room]) -> list[RoomRow]:
    """Return the rooms for display, each with its number of ``players``."""
    return [
        RoomRow(
            number=room.number,
            name=room.name,
            state=RoomState(room.state),
            numbers=room.numbers,
            seconds=room.seconds,
            most_players=room.most_players,
            rounds=room.rounds,
            finished_rounds=room.finished_rounds,
            has_token=bool(room.token),
            players=getattr(room, "players", 0),
            current_players=getattr(room, "current_players", 0),
            owner=room.owner.username if room.owner else "",
            owner_id=room.owner_id,
            is_nobodys=room.owner_id is None and room.creator_id is None,
        )
        for room in rooms
    ]


def room_token(number: int) -> str:
    """Return the secret of a room, for its owner only; "" if it has none."""
    return Room.objects.filter(number=number).values_list("token", flat=True).first() or ""


def deadlines(numbers: Sequence[int]) -> list[RoomDeadline]:
    """Return the deadlines of all rooms that are in play, and of the rooms with these ``numbers`` in any state."""
    columns = ("room__number", "room__version", "room__event_version", "ends_at")
    open_rounds = RoomRound.objects.filter(closed_at=None)
    wanted = open_rounds.filter(room__state__in=PLAYED_STATES) | open_rounds.filter(room__number__in=numbers)
    return [RoomDeadline(*row) for row in wanted.values_list(*columns)]


def open_round_id(number: int) -> UUID | None:
    """Return the id of the room's open round; None if there is no such room."""
    return RoomRound.objects.filter(room__number=number, closed_at=None).values_list("guid", flat=True).first()


def player_name(uid: UUID) -> str | None:
    """Return the name of the player with this uid.

    None if the uid was never issued, or belongs to one of the arena's bots.
    """
    row = Player.objects.filter(uid=uid).values_list("nickname", "kind").first()
    if row is None:
        return default_name(uid) if is_issued(uid, GuidPurpose.PLAYER) else None
    return row[0] if row[1] != PlayerKind.BOT else None


@dataclass(frozen=True, slots=True)
class RoomMembership:
    """A person's status in a room.

    Contains the player's index (None before the first pick), lobby name (None outside the lobby) and whether the owner
    removed them.
    """

    player_index: int | None
    lobby_name: str | None
    is_removed: bool


def membership(number: int, uid: UUID) -> RoomMembership:
    """Return the player's membership in the room with this number."""
    entry = LobbyEntry.objects.filter(room__number=number, player__uid=uid)
    index = RoomPlayer.objects.filter(room__number=number, player__uid=uid).values_list("index", flat=True)
    return RoomMembership(
        player_index=index.first(),
        lobby_name=entry.values_list("nickname", flat=True).first(),
        is_removed=Removal.objects.filter(room__number=number, player__uid=uid).exists(),
    )


def golden_numbers_today(number: int, most: int | None, now: datetime) -> list[float]:
    """Return the golden numbers of today's last ``most`` rounds (None: all of them), oldest first."""
    return [golden for _, _, golden in _rounds_today(number, most, now)]


def today_numbers(room_number: int, most: int | None, now: datetime) -> list[NumberRow]:
    """Return the numbers of today's last ``most`` rounds (None: all of them), round by round.

    In a room with a player limit, there is a row for every seat, taken or not.
    """
    rounds = _rounds_today(room_number, most, now)
    seats = Room.objects.values_list("most_players", flat=True).get(number=room_number)
    named: dict[int, dict[int, tuple[float, float]]] = {pk: {} for pk, _, _ in rounds}
    picks = Pick.objects.filter(round__in=named).order_by("room_player__index")
    for pk, user, first, second in picks.values_list("round_id", "room_player__index", "number1", "number2"):
        named[pk][user] = (first, second or 0)
    absent = dict.fromkeys(range(seats), (0.0, 0.0))
    return [
        NumberRow(user, index, first, second)
        for pk, index, _ in rounds
        for user, (first, second) in (absent | named[pk]).items()
    ]


def today_scores(number: int, now: datetime) -> list[ScoreRow]:
    """Return the scores of everybody who has played today, best first; ties in order of joining."""
    of_today = {"picks__round__closed_at__gte": midnight(now)}
    players = RoomPlayer.objects.filter(room__number=number, **of_today).annotate(score=Sum("picks__gain"))
    columns = ("player__uid", "player__kind", "nickname", "score", "index")
    rows = players.order_by("-score", "index").values_list(*columns)
    return [ScoreRow(public_id(uid, kind), name, score, index) for uid, kind, name, score, index in rows]


def local_date(now: datetime) -> date:
    """Return the current date in the site's time zone, to which the Today* operations of the API refer."""
    return timezone.localtime(now).date()


def midnight(now: datetime) -> datetime:
    """Return the start of today in the site's time zone."""
    return timezone.make_aware(datetime.combine(local_date(now), time.min))


def round_history(number: int, start: UUID | None, count: int, *, newer: bool) -> list[RoomRoundRow] | None:
    """Return at most ``count`` closed rounds before ``start``, newest first, or, if ``newer``, after it, oldest first.

    ``start``: None for the open round. The id of a round that was discarded because nobody played it also refers to
    the open round. Returns None if ``start`` is not a round of this room.
    """
    rounds = RoomRound.objects.filter(room__number=number)
    index = rounds.filter(guid=start).values_list("index", flat=True).first() if start else None
    if index is None:
        if start is not None and (
            not is_issued(start, GuidPurpose.ROUND) or RoomRound.objects.filter(guid=start).exists()
        ):
            return None
        index = rounds.values_list("index", flat=True).get(closed_at=None)
    closed = rounds.filter(closed_at__isnull=False)
    closed = closed.filter(index__gt=index).order_by("index") if newer else closed.filter(index__lt=index)
    return _read_rounds(closed if newer else closed.order_by("-index"), count)


def player_names(rounds: Sequence[RoomRoundRow]) -> dict[UUID, str]:
    """Return the names of everybody who played in any of these rounds, by public id."""
    return {each.public_id: each.name for played in rounds for each in played.numbers}


def _read_rounds(closed: QuerySet[RoomRound], count: int) -> list[RoomRoundRow]:
    rows = list(closed[:count])
    numbers: dict[int, list[PlayedNumbers]] = {row.pk: [] for row in rows}
    picks = Pick.objects.filter(round__in=numbers).order_by("room_player__index")
    player = "room_player__player__"
    columns = ("round_id", f"{player}uid", f"{player}kind", "room_player__nickname", "number1", "number2", "gain")
    for pk, uid, kind, name, first, second, gain in picks.values_list(*columns):
        numbers[pk].append(PlayedNumbers(public_id(uid, kind), name, first, second or 0, gain))
    return [
        RoomRoundRow(row.guid, row.index, row.closed_at, row.golden, tuple(numbers[row.pk]))
        for row in rows
        if row.closed_at is not None and row.golden is not None
    ]


def _rounds_today(number: int, most: int | None, now: datetime) -> list[tuple[int, int, float]]:
    """Return the row id, index and golden number of today's latest rounds (at most ``most``), oldest first."""
    closed = RoomRound.objects.filter(room__number=number, closed_at__gte=midnight(now), golden__isnull=False)
    rows = closed.order_by("-index").values_list("pk", "index", "golden")
    return [(pk, index, golden or 0.0) for pk, index, golden in (rows if most is None else rows[:most])][::-1]


class StartPermission(StrEnum):
    """The way in which a reader may start a room that is waiting, if any."""

    NONE = ""  # it is not waiting, or must be started by somebody else
    PRESS = "press"  # the room is the reader's, or has no owner
    PROVE = "prove"  # a program created it: anyone who knows the program's uid can start it, here or with StartGame


def start_permission(reader: Person, room: RoomRow) -> StartPermission:
    """Return how this reader may start the room, if at all."""
    if room.state is not RoomState.WAITING:
        return StartPermission.NONE
    if room.is_nobodys or may(reader, RoomAction.RUN_ROOM, room.owner_id):
        return StartPermission.PRESS
    return StartPermission.PROVE if room.owner_id is None else StartPermission.NONE
