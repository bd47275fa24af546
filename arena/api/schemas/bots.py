"""Schemas for bots, their versions and checks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema


class Bot(Schema):
    """A bot; `status`: the status of its newest version's check."""

    id: int
    name: str
    game: str
    description: str
    owner: str
    is_house: bool
    plays_people: bool
    retired: bool
    active_version: int | None = Field(description="The number of the active version.", alias="active_number")
    versions: int
    status: str
    created_at: datetime


class BotPage(Schema):
    items: list[Bot]
    next: str | None


class VersionLine(Schema):
    """A version of a bot; only its author sees `filename`."""

    id: int
    number: int
    status: str = Field(description="waiting, checking, passed, failed or void")
    size: int
    short_hash: str
    uploaded_at: datetime
    is_active: bool
    filename: str | None = None


class VersionPage(Schema):
    items: list[VersionLine]
    next: str | None


class Version(Schema):
    """A version of one of your own bots."""

    id: int
    number: int
    bot: int = Field(alias="bot_id")
    bot_name: str
    game: str
    status: str = Field(description="waiting, checking, passed, failed or void")
    sha256: str
    filename: str
    size: int
    is_active: bool
    uploaded_at: datetime
    checked_at: datetime | None


class CheckStep(Schema):
    """One step of a check: `state` is pending, running, slow, passed, failed or skipped."""

    name: str
    label: str
    state: str
    message: str
    seconds: float | None
    elapsed: int | None = Field(description="Seconds that a running step has taken so far.")


class Fault(Schema):
    """A bot's fault; `lost`: whether it ended the match or check. If not, the bot was asked again."""

    turn: int = Field(description="Turn number; 0 means before the first turn.")
    attempt: int
    kind: str
    label: str
    message: str
    traceback: str
    file: str | None
    line: int | None
    source_line: str | None
    answer: str
    printed: str = Field(description="What the bot printed on this turn.")
    lost: bool


class Check(Schema):
    """The progress of a version's check; `finished`: whether it is final."""

    version: int = Field(description="The id of the version.")
    status: str
    finished: bool
    waited: int = Field(description="Seconds since the check was requested.")
    steps: list[CheckStep]
    faults: list[Fault]
    output_deleted_at: datetime | None = Field(description="When the log was deleted because of its age.")


class RatingPoint(Schema):
    """The rating of a version at the end of a day (UTC) on which it played."""

    day: str
    version: int
    value: float
    low: float
    high: float
    matches: int


class RatingHistory(Schema):
    bot: int
    points: list[RatingPoint]


class Report(Schema):
    """The private information about a bot's seat in a match, for its author."""

    match: int
    seat: int
    bot: str
    log: str
    faults: list[Fault]


class Account(Schema):
    """The account that the token or session belongs to."""

    username: str
    role: str
    is_staff: bool
    scopes: list[str] = Field(description="The scopes of the token; empty for a session, which has full access.")
    token: str = Field(description="The name of the token; empty for a session.")


class Game(Schema):
    id: str
    name: str
    is_rated: bool
    min_seats: int
    max_seats: int
    trial_settings: dict[str, Any] = Field(description="Settings for the test match in the upload check.")


class GameList(Schema):
    items: list[Game]
