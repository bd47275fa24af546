"""The operations and their parameters as data, for the Swagger documents and the try-it page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.rooms.rules import (
    MAX_PLAYERS,
    MAX_ROUND_SECONDS,
    MIN_ROUND_SECONDS,
    NAME_LENGTH,
    RoomTerms,
)

Text = str | Promise
MAX_HISTORY_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter. ``default``: None if there is no default."""

    name: str
    text: Text
    kind: str = "string"
    required: bool = False
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the REST interface.

    ``answer``: name of the response's schema in ``schemas``; ``former``: the operation's names in the older documents,
    empty if those do not include it.
    """

    name: str
    text: Text
    answer: str
    parameters: tuple[Parameter, ...] = ()
    method: str = "get"
    former: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return f"/api/{self.name}"


# The bounds and defaults of a room that programs create.
_TERMS: Final = RoomTerms()
_NAME = format_lazy(_("The user's name, at most {most} characters."), most=NAME_LENGTH)
_SECONDS = format_lazy(
    _("Length of a round, from {least} to {most} s."), least=MIN_ROUND_SECONDS, most=MAX_ROUND_SECONDS
)
_PLAYERS = format_lazy(_("Maximum number of players (at most {most}), or 0 for no limit."), most=MAX_PLAYERS)
_HISTORY = format_lazy(_("The number of rounds, at most {most}."), most=MAX_HISTORY_ROUNDS)

_UID = Parameter("uid", _("The user's ID."), required=True)
_ROOM = Parameter("roomid", _("The room's ID."), "integer", default=0)
_ROUND_COUNT = Parameter(
    "roundCount",
    _("How many of the most recent rounds to return; -1 for all of today's rounds."),
    "integer",
    default=100,
)

OPERATIONS: Final = (
    Operation(
        "NewUser",
        _("Create a user."),
        "User",
        (Parameter("nickName", _NAME),),
        former=("NewUser",),
    ),
    Operation("User", _("Look up a user."), "User", (_UID,)),
    Operation(
        "NickName",
        _("Rename a user."),
        "User",
        (_UID, Parameter("nickName", _NAME, required=True)),
        method="post",
        former=("NickName",),
    ),
    Operation(
        "NewRoom",
        _("Create a room."),
        "NewRoom",
        (
            Parameter("uid", _("The creator's ID; only the creator can start the room manually.")),
            Parameter("numbers", _("Numbers per player per round: 1 or 2."), "integer", default=_TERMS.numbers),
            Parameter("duration", _SECONDS, "integer", default=_TERMS.seconds),
            Parameter("userCount", _PLAYERS, "integer", default=_TERMS.most_players),
            Parameter("roundCount", _("Number of rounds; 0 for no limit."), "integer", default=_TERMS.rounds),
            Parameter(
                "manuallyStart",
                _("Use 1 to make the room wait for StartGame, or 0 to start it immediately."),
                "integer",
                default=0,
            ),
        ),
        former=("NewRoom",),
    ),
    Operation(
        "StartGame",
        _("Start a room that is waiting for StartGame."),
        "Empty",
        (_UID, _ROOM),
        former=("StartGame",),
    ),
    Operation(
        "State",
        _("Get the state of a room. If you omit uid, one is assigned to you."),
        "State",
        (Parameter("uid", _("The user's ID.")), _ROOM),
        former=("GetState",),
    ),
    Operation(
        "Submit",
        _("Submit your numbers for a round. You can submit only once in each round."),
        "Empty",
        (
            _UID,
            Parameter("rid", _("The round's ID, from State."), required=True),
            Parameter("n1", _("The first number, greater than 0 and less than 100."), required=True),
            Parameter("n2", _("The second number, in rooms with two numbers per player.")),
            Parameter("token", _("Required in rooms with a token: Base64(SHA-256(uid + roundId + the room's token)).")),
        ),
        method="post",
        former=("Submit",),
    ),
    Operation(
        "TodayGoldenList",
        _("Today's golden numbers, oldest first."),
        "TodayGoldenList",
        (_ROOM, _ROUND_COUNT),
        former=("GetTodayGoldenList", "TodayGoldenList"),
    ),
    Operation(
        "TodayNumbers",
        _("All numbers from today's rounds, oldest first."),
        "TodayNumbers",
        (_ROOM, _ROUND_COUNT),
        former=("GetTodayNumbers", "TodayNumbers"),
    ),
    Operation(
        "TodayScore", _("Today's scores, best first."), "TodayScore", (_ROOM,), former=("GetTodayScore", "TodayScore")
    ),
    Operation(
        "History",
        _("Closed rounds with everyone's numbers and scores."),
        "History",
        (
            _ROOM,
            Parameter("startrid", _("The round to start from; defaults to the current round.")),
            Parameter("count", _HISTORY, "integer", default=10),
            Parameter(
                "direction",
                _("Use 0 to go back from the start round, newest first, or 1 to go forward, oldest first."),
                "integer",
                default=0,
            ),
        ),
        former=("GetHistory", "History"),
    ),
)
