"""Rules of rooms: pure functions, with the time passed in.

    WAITING --start--> RUNNING --its last round closes, or it is closed early--> FINISHED
    RUNNING --pause--> PAUSED --resume--> RUNNING
    PAUSED --its last round closes, or it is closed early--> FINISHED
    WAITING --it is closed early--> FINISHED

Invariants: a running room counts down to one deadline; in a paused room the countdown stops, and picks for its open
round still count; a round that nobody played does not count towards the room's rounds; the formula is defined only in
``arena.games.golden_point.rules``.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus
from typing import Final

from arena.accounts.permissions import OWNER, SIGNED_IN, STAFF, Rules
from arena.games.golden_point.rules import MAX_NUMBERS
from arena.platform.refusal import Refused


class RoomAction(StrEnum):
    """The restricted actions in rooms."""

    CREATE_ROOM = "create_room"  # on the site; programs create rooms without an account
    # Rename, start, pause and close a room; manage its rounds, their length, its players and house bots.
    RUN_ROOM = "run_room"
    SEAT_BOT = "seat_bot"  # seat a bot, which then plays on a worker; OWNER means the bot's owner, not the room's


RULES: Final[Rules] = {
    RoomAction.CREATE_ROOM: SIGNED_IN,
    RoomAction.RUN_ROOM: OWNER | STAFF,
    RoomAction.SEAT_BOT: OWNER | STAFF,
}

MIN_ROUND_SECONDS, MAX_ROUND_SECONDS, DEFAULT_ROUND_SECONDS = 3, 200, 60  # length of a round in seconds
MAX_PLAYERS: Final = 200
# Far more than the game's ``MAX_ROUNDS``, which bounds the record of a match and the time that it occupies a worker. A
# room stores its rounds one by one and stays open for as long as people play, and programs may request any number.
MAX_ROOM_ROUNDS: Final = 1_000_000
MAX_LOBBY_ENTRIES: Final = 200  # people who have not picked yet
NAME_LENGTH: Final = 20  # maximum length of a player's name
ROOM_NAME_LENGTH: Final = 60
TOKEN_LENGTH: Final = 64
# The permanent rooms: the first is played with one number, the second with two.
ALWAYS_OPEN: Final = (0, 1)
# A room in which no person or program has played within this time is closed; bots in seats do not count.
GIVEN_UP_AFTER: Final = timedelta(hours=6)
# A room that is not started within this time is also closed.
NEVER_STARTED: Final = timedelta(days=7)
# A program's id may be used from another network address after being idle this long.
IDLE_BEFORE_MOVE: Final = timedelta(minutes=10)


class PlayerKind(StrEnum):
    """The kind of a player; it determines who sees the player's id and who may use it."""

    PROGRAM = "program"  # looks itself up in lists by its id, which is public and therefore bound to a network address
    BROWSER = "browser"  # a person on a room's page, whose browser stores the id: others see an alias
    BOT = "bot"  # run by the arena: others see an alias, and the id cannot be used from outside


class RoomState(StrEnum):
    """The state of a room."""

    WAITING = "waiting"  # not started yet: its owner, or the program that created it, starts it
    RUNNING = "running"  # a round is counting down
    PAUSED = "paused"  # paused by its owner: the round keeps its remaining time
    FINISHED = "finished"  # no more rounds


# The states in which a round can be played.
PLAYED_STATES: Final = (RoomState.RUNNING, RoomState.PAUSED)


class Refusal(StrEnum):
    """The refusals with the exact wording that client programs receive; pages identify them by ``code``."""

    INVALID_UID = "Invalid uid"  # client programs depend on this text
    INVALID_ROOM = "No room has this roomid. Check it, or create a room with NewRoom."
    INVALID_ROUND = "This round is over or does not exist. Request State for the current roundId."
    OVER = "This round is over. Request State for the current roundId."
    TWICE = "You have already submitted in this round. Wait for the next round."
    NOT_STARTED = "The room has not started. Wait until State returns state 0."
    FINISHED = "The room has closed. Play in another room."
    FULL = "The room is full. Play in another room."
    REMOVED = "The owner of the room has removed this uid. Play in another room."
    INVALID_NUMBER = "Enter numbers greater than 0 and less than 100, such as 12.5 or 1e-05."
    MISSING_NUMBER = "This room requires two numbers, but n2 is missing. Send n1 and n2."
    WRONG_TOKEN = "Wrong token. Send Base64(SHA-256(uid + roundId + roomToken))."  # noqa: S105 - not a secret
    NOT_CREATOR = "Only the creator of the room can start it. Wait until State returns state 0."
    INVALID_NAME = "Invalid nickName: it must not be empty."
    RESERVED_NAME = "Invalid nickName: this name is reserved for the arena's own players. Choose another name."
    INVALID_NUMBERS = f"Invalid numbers: must be 1 or {MAX_NUMBERS}."
    INVALID_DURATION = f"Invalid duration: must be {MIN_ROUND_SECONDS} to {MAX_ROUND_SECONDS} seconds."
    INVALID_USER_COUNT = f"Invalid userCount: must be 0 (no limit) to {MAX_PLAYERS}."
    INVALID_ROUND_COUNT = f"Invalid roundCount: must be 0 (no limit) to {MAX_ROOM_ROUNDS}."
    ELSEWHERE = (
        "This uid is in use from another network address. It can move to another address after ten minutes of "
        "inactivity."
    )
    PLAYERS_OF_NETWORK = (
        "Too many players came from your network in the past hour. Keep playing with the uid that you have."
    )
    IDS_OF_NETWORK = "Too many users were created from your network. Reuse the uid that you were given."
    ROOMS_OF_NETWORK = "Too many rooms were created from your network in the past hour. Try again later."
    OPEN_ROOMS_OF_NETWORK = "Too many rooms created from your network are open. Play in one of them."
    TOO_MANY_ROOMS = "Too many rooms are running. Try again later."

    @property
    def code(self) -> str:
        return self.name.lower()

    def error(self, *, retry_after: int = 0) -> Refused:
        """Return the exception for this refusal.

        ``retry_after``: seconds until the request may be granted, 0 if that is unknown.
        """
        return Refused(self.value, code=self.code, status=HTTPStatus.BAD_REQUEST, retry_after=retry_after)

    @classmethod
    def from_error(cls, refused: Refused) -> Refusal | None:
        """Return the member for a raised refusal; None for a refusal that is not listed here.

        The message of an unlisted refusal is already in the reader's language.
        """
        return next((one for one in cls if one.code == refused.code), None)


@dataclass(frozen=True, slots=True)
class RoomTerms:
    """The terms of a room; ``most_players`` and ``rounds`` are 0 for no limit."""

    numbers: int = 1
    seconds: int = DEFAULT_ROUND_SECONDS
    most_players: int = 0
    rounds: int = 0

    def check(self) -> None:
        """Raise Refused for the first value out of range."""
        for good, refusal in (
            (1 <= self.numbers <= MAX_NUMBERS, Refusal.INVALID_NUMBERS),
            (MIN_ROUND_SECONDS <= self.seconds <= MAX_ROUND_SECONDS, Refusal.INVALID_DURATION),
            (0 <= self.most_players <= MAX_PLAYERS, Refusal.INVALID_USER_COUNT),
            (0 <= self.rounds <= MAX_ROOM_ROUNDS, Refusal.INVALID_ROUND_COUNT),
        ):
            if not good:
                raise refusal.error()


@dataclass(frozen=True, slots=True)
class PickContext:
    """The data that determines whether a pick counts.

    ``ends_at``: the deadline, None unless the room is running. ``players``: number of players who have ever submitted
    in the room. ``is_removed``: whether the owner of the room removed the sender.
    """

    state: RoomState
    ends_at: datetime | None
    players: int
    is_player: bool  # whether the sender is one of the players
    has_submitted: bool  # whether the sender has submitted in this round
    is_removed: bool = False


def refusal_of_pick(terms: RoomTerms, standing: PickContext, now: datetime) -> Refusal | None:
    """Return why a pick would be refused, whatever its numbers are; None if a valid pick would be accepted.

    A pick exactly at the deadline is too late.
    """
    if standing.state is RoomState.WAITING:
        return Refusal.NOT_STARTED
    if standing.state is RoomState.FINISHED:
        return Refusal.FINISHED
    if standing.is_removed:
        return Refusal.REMOVED
    if standing.state is RoomState.RUNNING and (standing.ends_at is None or now >= standing.ends_at):
        return Refusal.OVER
    if standing.has_submitted:
        return Refusal.TWICE
    if terms.most_players and not standing.is_player and standing.players >= terms.most_players:
        return Refusal.FULL
    return None


def is_complete(terms: RoomTerms, submitted: int, *, gone: int = 0) -> bool:
    """Return whether a round closes before its deadline because everybody who may play has submitted.

    ``gone``: number of players who were removed before submitting; the round does not wait for them, but their places
    remain occupied.
    """
    return terms.most_players > 0 and submitted >= max(1, terms.most_players - gone)


def state_after(terms: RoomTerms, finished_rounds: int, state: RoomState = RoomState.RUNNING) -> RoomState:
    """Return the state after this many rounds: FINISHED if the room has no more rounds, otherwise ``state``."""
    return RoomState.FINISHED if terms.rounds and finished_rounds >= terms.rounds else state


def seconds_left(ends_at: datetime | None, now: datetime) -> int:
    """Return the whole seconds to the deadline, rounded up; 0 if there is no deadline."""
    if ends_at is None or now >= ends_at:
        return 0
    return -((now - ends_at) // timedelta(seconds=1))


def pick_token(uid: str, round_id: str, room_token: str) -> str:
    """Return the token for a pick in a room that has a secret."""
    return b64encode(sha256(f"{uid}{round_id}{room_token}".encode()).digest()).decode()


def is_valid_token(received: str, *, uids: tuple[str, ...], round_id: str, room_token: str) -> bool:
    """Return whether ``received`` is Base64(SHA-256(uid + roundId + roomToken)) for any notation of the uid.

    A space counts as a ``+``, because a ``+`` that a program does not escape in a URL arrives as a space.
    """
    token = received.strip("\r\n").replace(" ", "+").encode()
    return any(compare_digest(token, pick_token(uid, round_id, room_token).encode()) for uid in uids)
