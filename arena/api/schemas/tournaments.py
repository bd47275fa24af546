"""Schemas for tournaments: the responses, and the request body for creating a tournament."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from arena.api.paging import Id


class TournamentLine(Schema):
    """A tournament in a list; `matches` and `finished` are 0 while its results are withheld."""

    id: int
    name: str
    game: str
    status: str = Field(description="open, frozen, running, paused, finished or cancelled")
    organizer: str
    course: str = Field(description="The class that the tournament is for; empty if there is none.")
    members_only: bool
    deadline: datetime | None
    starts_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    entries: int
    matches: int
    finished: int = Field(description="The number of finished matches.")


class TournamentPage(Schema):
    items: list[TournamentLine]
    next: str | None


class Tournament(TournamentLine):
    description: str
    format: str
    settings: dict[str, Any]
    limits: dict[str, Any]
    entry_policy: str = Field(description="open, members or invited")
    entries_per_person: int
    withheld: bool = Field(description="Whether the results are withheld until the organizer releases them.")
    end_reason: str
    record_retention: str = Field(
        description="What happens to the moves and logs of the matches: site (site default), keep or reduce"
    )
    record_days: int | None = Field(
        description="If `record_retention` is `reduce`: number of days after the end of the tournament."
    )


class Entry(Schema):
    """A bot that entered; its results are in the standings."""

    id: int
    bot: int = Field(alias="bot_id")
    name: str
    owner: str
    version: int | None
    status: str = Field(description="entered, withdrawn or excluded")
    reason: str = Field("", alias="reason_label")


class EntryPage(Schema):
    items: list[Entry]
    next: str | None


class NewEntry(Schema, extra="forbid"):
    bot: Id


class StandingsRow(Schema):
    """A row of the standings. Until a bracket is decided, `rank` is the best place that is still possible."""

    entry: int
    rank: int | None
    name: str
    owner: str
    version: int | None
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    margin: float
    tiebreaks: list[float | None]
    mean_rank: float | None
    best_place: int | None = Field(description="The best place still possible; null if unknown.")
    worst_place: int | None = Field(description="The worst place still possible; null if unknown.")
    status: str
    reason: str


class Standings(Schema):
    """The rows in standings order; while results are `withheld`, ranks are null, and points and counts are 0."""

    status: str
    withheld: bool
    by_rank: bool
    columns: list[str] = Field(description="Labels of the tiebreaks in each row.")
    items: list[StandingsRow]
    next: str | None


class Side(Schema):
    entry: int
    seed: int | None
    name: str
    points: float | None
    margin: float
    leads: bool
    is_out: bool


class Leg(Schema):
    match: int = Field(alias="match_id")
    status: str


class Encounter(Schema):
    number: int
    name: str = Field(description='Name on the pages of the tournament, such as "Semifinal, encounter 1".')
    state: str = Field(description="open, running, done, void or walkover")
    bracket: str
    slot: int = Field(
        description="Index of the encounter in its round of the bracket, counted from 0 at the top, including byes."
    )
    group: int
    sides: list[Side]
    legs: list[Leg]


class Round(Schema):
    number: int
    stage: str
    encounters: list[Encounter]
    byes: list[str]


class RoundPage(Schema):
    items: list[Round]
    next: str | None


class TournamentDraft(Schema, extra="forbid"):
    """A tournament to create; omitted values get the defaults of the site's form."""

    name: str = Field(max_length=80)
    game: str = Field(max_length=32)
    description: str = Field("", max_length=2000)
    format: str | None = Field(None, max_length=20)
    format_options: dict[str, str | int | bool] = Field(
        {}, description="Format options, named as in the site's form: rounds, group_size, ..."
    )
    settings: dict[str, str | int] = Field({}, description="Game settings.")
    start: str = Field(
        "hand",
        description="hand, deadline or time; now is also allowed if the tournament has house bots",
        max_length=10,
    )
    deadline: datetime | None = None
    starts_at: datetime | None = None
    move_seconds: float | None = None
    start_seconds: float | None = None
    entry_policy: str = Field("open", max_length=10)
    entries_per_person: int = Field(1, ge=1, le=20)
    course: Id | None = Field(None, description="The id of a class that you teach.")
    members_only: bool = False
    withheld: bool = False
    house_bots: list[Id] = Field([], max_length=100)
    invited: list[str] = Field([], max_length=500)
    record_retention: str = Field("site", max_length=10, description="site, keep or reduce")
    record_days: int | None = Field(
        None,
        description="If `record_retention` is `reduce`: number of days after the end of the tournament, 1 to 3650.",
    )
