"""Schemas for matches and leaderboards."""

from __future__ import annotations

from datetime import datetime

from ninja import Field, Schema


class Seat(Schema):
    """A seat in a match: a bot or a person."""

    index: int
    bot: int | None = Field(alias="bot_id")
    name: str
    owner: str
    version: int | None
    points: float | None
    rank: int | None
    fault: str
    seconds: float = Field(description="Total thinking time charged in the match.")


class Match(Schema):
    id: int
    game: str
    status: str = Field(description="queued, running, finished, void or cancelled")
    purpose: str = Field(description="scrimmage, tournament, ladder, duel or version_test")
    name: str = Field(
        alias="match_name",
        description='Name of the match in its tournament, such as "Semifinal, encounter 2", in the language of the '
        "request; empty outside tournaments.",
    )
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    termination: str
    turns: int
    seats: list[Seat]
    replaced_by: int | None = Field(description="Id of the match that counts instead of this one.")


class MatchPage(Schema):
    items: list[Match]
    next: str | None


class LeaderboardLine(Schema):
    """The active version of a bot; its rank is uncertain, between `best` and `worst`."""

    bot: int = Field(alias="bot_id")
    name: str
    owner: str
    is_house: bool
    version: int
    value: float
    low: float = Field(alias="lower_bound")
    high: float = Field(alias="upper_bound")
    matches: int
    wins: int
    draws: int
    losses: int
    mean_rank: float | None
    best: int
    worst: int


class LeaderboardPage(Schema):
    items: list[LeaderboardLine]
    next: str | None
