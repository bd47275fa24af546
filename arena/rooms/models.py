"""Rooms, their rounds and who played what.

Invariants: every room has exactly one open round, also before its start and after its end, so that there always is a
round id; only a running room's has a deadline. A round that nobody played keeps its row and gets another id. All that
changes in a room happens under a lock on its row and raises its ``version``.
"""

from django.db import models
from django.db.models import Q

from arena.rooms.rules import NAME_LENGTH, ROOM_NAME_LENGTH, TOKEN_LENGTH, RoomState, Terms
from arena.rooms.state_names import STATE_NAMES


class Player(models.Model):
    """Somebody who plays in rooms: known by a GUID, needs no account."""

    uid = models.UUIDField(unique=True)
    nickname = models.CharField(max_length=NAME_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.nickname


class Room(models.Model):
    """A table of the golden point; the limits are 0 where there is none."""

    number = models.PositiveIntegerField(unique=True)  # what programs call it; 0 and 1 always exist
    name = models.CharField(max_length=ROOM_NAME_LENGTH, blank=True)
    creator = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="created_rooms")
    state = models.CharField(max_length=8, choices=[(state.value, STATE_NAMES[state]) for state in RoomState])
    numbers = models.PositiveSmallIntegerField()
    seconds = models.PositiveSmallIntegerField()
    most_players = models.PositiveSmallIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    token = models.CharField(max_length=TOKEN_LENGTH, blank=True)
    finished_rounds = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=1)
    event_seq = models.PositiveBigIntegerField(default=0)  # number of the newest live event
    event_version = models.PositiveBigIntegerField(default=1)  # the version that it told of
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["state", "number"])]

    def __str__(self) -> str:
        return self.name or f"#{self.number}"

    @property
    def terms(self) -> Terms:
        return Terms(self.numbers, self.seconds, self.most_players, self.rounds)


class RoomRound(models.Model):
    """A round: open until ``closed_at`` is set, once. ``index`` counts from 1 in its room."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="room_rounds")
    guid = models.UUIDField(unique=True)
    index = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
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
    """A player of a room from the first submission on, for ever; ``index`` counts from 0 in the room.

    ``strategy`` names what a house bot plays by; empty for everybody else.
    """

    room = models.ForeignKey(Room, models.CASCADE, related_name="room_players")
    player = models.ForeignKey(Player, models.CASCADE, related_name="room_players")
    index = models.PositiveIntegerField()
    strategy = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["room", "index"]
        constraints = [
            models.UniqueConstraint(fields=["room", "player"], name="player_once_a_room"),
            models.UniqueConstraint(fields=["room", "index"], name="player_index_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.room}"


class Pick(models.Model):
    """What a player named in a round, and what it scored once the round closed."""

    round = models.ForeignKey(RoomRound, models.CASCADE, related_name="picks")
    room_player = models.ForeignKey(RoomPlayer, models.CASCADE, related_name="picks")
    number1 = models.FloatField()
    number2 = models.FloatField(null=True, blank=True)
    gain = models.SmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "room_player"], name="pick_once_a_round")]

    def __str__(self) -> str:
        return f"{self.number1}" if self.number2 is None else f"{self.number1}, {self.number2}"
