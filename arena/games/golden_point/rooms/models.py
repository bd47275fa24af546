"""Rooms, their rounds, players and picks.

Invariants: every room has exactly one open round, even before it starts and after it has finished, so that there is
always a round id. Only the open round of a running room has a deadline, and only the open round of a paused room has
``left_ms``. A round that nobody played keeps its row and gets a new id. Every change in a room happens under a lock on
its row and increments its ``version``. A bot has at most one seat in a room at a time. People in the lobby of a room
are not its players yet.
"""

from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.rooms.identity import alias_of
from arena.games.golden_point.rooms.rules import (
    NAME_LENGTH,
    ROOM_NAME_LENGTH,
    TOKEN_LENGTH,
    PlayerKind,
    RoomState,
    RoomTerms,
)
from arena.games.golden_point.rooms.texts import STATE_NAMES
from arena.platform.jobs.models import Job, fair_share_indexes
from arena.platform.lookalikes import SKELETON_LENGTH


class Player(models.Model):
    """A participant in rooms: identified by a GUID, without an account."""

    uid = models.UUIDField(unique=True)
    nickname = models.CharField(max_length=NAME_LENGTH)
    kind = models.CharField(
        max_length=8, choices=[(kind.value, kind.name.title()) for kind in PlayerKind], default=PlayerKind.PROGRAM
    )
    # Digest of the network that last used the id, and when; "" before its first use. See ``rounds/binding``.
    origin = models.CharField(max_length=64, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["origin", "created_at"], name="players_by_origin")]

    def __str__(self) -> str:
        return self.nickname

    @property
    def public_id(self) -> UUID:
        return public_id(self.uid, self.kind)


def public_id(uid: UUID, kind: str) -> UUID:
    """Return the id that stands for this player in public lists: a program's own id, or an alias of any other id."""
    return uid if kind == PlayerKind.PROGRAM else alias_of(uid)


class Room(models.Model):
    """A room in which the golden point is played. Limits of 0 mean no limit."""

    number = models.PositiveIntegerField(unique=True)  # identifies the room to programs; rooms 0 and 1 always exist
    name = models.CharField(max_length=ROOM_NAME_LENGTH, blank=True)
    creator = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="created_rooms")
    # The account that created the room on the site. A room created by a program has no owner, at most a ``creator``.
    owner = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="rooms")
    state = models.CharField(max_length=8, choices=[(state.value, STATE_NAMES[state]) for state in RoomState])
    numbers = models.PositiveSmallIntegerField()
    seconds = models.PositiveSmallIntegerField()  # length of future rounds
    most_players = models.PositiveSmallIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    token = models.CharField(max_length=TOKEN_LENGTH, blank=True)
    # Whether requests with a program's id are rejected if they come from a network address other than the id's own.
    binds_ids = models.BooleanField(default=True)
    origin = models.CharField(max_length=64, blank=True)  # digest of the network of the program that created it
    finished_rounds = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=1)
    event_seq = models.PositiveBigIntegerField(default=0)  # number of the newest live event
    event_version = models.PositiveBigIntegerField(default=1)  # the room version in that event
    created_at = models.DateTimeField()
    # When a person or a program last submitted; the arena's bots do not count.
    played_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["state", "number"]),
            models.Index(fields=["origin", "created_at"], name="rooms_by_origin"),
        ]

    def __str__(self) -> str:
        return self.name or f"#{self.number}"

    @property
    def terms(self) -> RoomTerms:
        return RoomTerms(self.numbers, self.seconds, self.most_players, self.rounds)


class RoomRound(models.Model):
    """A round; it is open until ``closed_at`` is set. ``index``: its number in the room, counted from 1."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="room_rounds")
    guid = models.UUIDField(unique=True)
    index = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    seconds = models.PositiveSmallIntegerField()  # length of the round
    ends_at = models.DateTimeField(null=True, blank=True)
    left_ms = models.PositiveIntegerField(null=True, blank=True)  # time left in the round while the room is paused
    closed_at = models.DateTimeField(null=True, blank=True)
    golden = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["room", "index"]
        constraints = [
            models.UniqueConstraint(fields=["room"], condition=Q(closed_at=None), name="one_open_round_a_room"),
            models.UniqueConstraint(fields=["room", "index"], name="round_index_once"),
        ]
        indexes = [
            models.Index(fields=["ends_at"], condition=Q(closed_at=None), name="open_rounds_by_deadline"),
            models.Index(fields=["room", "closed_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.room} {self.index}"


class RoomPlayer(models.Model):
    """A player in a room.

    Once players have submitted, they stay permanently. ``index``: the player's index in the room, counted from 0.

    ``nickname``: the name in the room, which is the player's own name or a similar one that is unique there (see
    ``rounds/nicknames``); ``is_renamed``: whether the owner of the room chose it. ``strategy``: the strategy of a
    built-in player, empty for all others. A resting player does not play. ``points``: points in all rounds, on any day.
    """

    room = models.ForeignKey(Room, models.CASCADE, related_name="room_players")
    player = models.ForeignKey(Player, models.CASCADE, related_name="room_players")
    index = models.PositiveIntegerField()
    nickname = models.CharField(max_length=NAME_LENGTH)
    # None for old rows whose name looks like another name.
    skeleton = models.CharField(max_length=SKELETON_LENGTH, null=True, editable=False)
    strategy = models.CharField(max_length=20, blank=True)
    rests = models.BooleanField(default=False)
    is_renamed = models.BooleanField(default=False)
    points = models.IntegerField(default=0)

    class Meta:
        ordering = ["room", "index"]
        constraints = [
            models.UniqueConstraint(fields=["room", "player"], name="player_once_a_room"),
            models.UniqueConstraint(fields=["room", "index"], name="player_index_once"),
            models.UniqueConstraint(fields=["room", "skeleton"], name="nobody_looks_like_another_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.room}"


class LobbyEntry(models.Model):
    """A person in a room's lobby, with a nickname but no pick yet. The first pick creates a ``RoomPlayer``."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="lobby_entries")
    player = models.ForeignKey(Player, models.CASCADE, related_name="lobby_entries")
    nickname = models.CharField(max_length=NAME_LENGTH)
    skeleton = models.CharField(max_length=SKELETON_LENGTH, editable=False)
    is_renamed = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["room", "player"], name="in_a_lobby_once"),
            models.UniqueConstraint(fields=["room", "skeleton"], name="nobody_looks_like_another_in_the_lobby"),
        ]

    def __str__(self) -> str:
        return f"{self.nickname} in the lobby of {self.room}"


class Removal(models.Model):
    """The owner's removal of a player from a room, after which the player can neither play in it nor rejoin it."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="removals")
    player = models.ForeignKey(Player, models.CASCADE, related_name="removals")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "player"], name="removed_once")]

    def __str__(self) -> str:
        return f"{self.player} removed from {self.room}"


class AddressOutcome(models.TextChoices):
    """The outcome of using a program's id from another network address."""

    MOVED = "moved", _("The ID had been idle, so it now belongs to the new address.")
    REFUSED = "refused", _("The request was refused.")
    ALLOWED = "allowed", _("The request was allowed, because this room does not bind IDs to addresses.")


class AddressChange(models.Model):
    """A use of a player's id from another network address, shown to the room's owner.

    For each outcome, only the latest use is kept.
    """

    room = models.ForeignKey(Room, models.CASCADE, related_name="address_changes")
    player = models.ForeignKey(Player, models.CASCADE, related_name="address_changes")
    outcome = models.CharField(max_length=8, choices=AddressOutcome)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "player", "outcome"], name="address_change_once_an_outcome")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.room}: {self.outcome}"


class Pick(models.Model):
    """A player's numbers in a round and, once the round has closed, the points that they gained."""

    round = models.ForeignKey(RoomRound, models.CASCADE, related_name="picks")
    room_player = models.ForeignKey(RoomPlayer, models.CASCADE, related_name="picks")
    number1 = models.FloatField()
    number2 = models.FloatField(null=True, blank=True)
    gain = models.SmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "room_player"], name="pick_once_a_round")]

    def __str__(self) -> str:
        return f"{self.number1}" if self.number2 is None else f"{self.number1}, {self.number2}"


class SeatStatus(models.TextChoices):
    """The state of a bot's seat in a room."""

    WAITING = "waiting", _("Waiting for a worker")
    PLAYING = "playing", _("Playing")
    ENDED = "ended", _("Left")


class SeatEnd(models.TextChoices):
    """The reason why a bot left a room."""

    FAULT = "fault", _("Fault")
    TAKEN = "taken", _("Removed from the room")
    OVER = "over", _("The room closed")
    FULL = "full", _("The room was full")
    ALONE = "alone", _("Only bots had played for an hour")
    FAILED = "failed", _("The arena could not run the bot")  # the arena failed three times


# The involuntary reasons, which are announced in the room.
REMOVED_BY_ARENA = (SeatEnd.FAULT, SeatEnd.FAILED)


class BotSeat(Job):
    """The seat of a submission that plays in a room on a worker, from the time it is seated until it leaves.

    ``player``: the bot's identity in the room, the same in all its sessions. ``diagnosis`` (see ``Diagnosis.to_json``)
    and ``log`` are only for its author.
    """

    room = models.ForeignKey(Room, models.CASCADE, related_name="bot_seats")
    player = models.ForeignKey(Player, models.CASCADE, related_name="bot_seats")
    submission = models.ForeignKey("submissions.Submission", models.CASCADE, related_name="room_seats")
    seated_by = models.ForeignKey("accounts.User", models.CASCADE, related_name="room_seats")
    status = models.CharField(max_length=8, choices=SeatStatus, default=SeatStatus.WAITING)
    ended_by = models.CharField(max_length=8, choices=SeatEnd, blank=True)
    diagnosis = models.JSONField(null=True)
    log = models.BinaryField(default=bytes)
    log_deleted_at = models.DateTimeField(null=True, blank=True)  # when retention deleted the log
    # Number of attempts that failed because of the arena since the bot last played without interruption for a while.
    # Unlike ``attempts``, it is not reset by the first numbers that the bot submits.
    failures = models.PositiveSmallIntegerField(default=0)
    seated_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "player"], condition=~Q(status="ended"), name="bot_sits_once_at_a_time"
            ),
        ]
        indexes = [
            *fair_share_indexes(running="playing"),
            models.Index(fields=["status"], condition=~Q(status="ended"), name="seats_in_use"),
            models.Index(fields=["ended_at"], condition=Q(log_deleted_at=None), name="seats_with_log"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.room}"
