"""Data classes for the API's responses, with only the fields that the commands use."""

from __future__ import annotations

import msgspec


class Account(msgspec.Struct):
    username: str
    scopes: list[str]


class Bot(msgspec.Struct):
    id: int
    name: str
    game: str
    owner: str
    status: str
    versions: int
    active_version: int | None
    retired: bool


class Version(msgspec.Struct):
    id: int
    number: int
    bot: int
    bot_name: str
    game: str
    status: str


class VersionSummary(msgspec.Struct):
    id: int
    number: int
    status: str
    is_active: bool
    uploaded_at: str


class Step(msgspec.Struct):
    name: str
    label: str
    state: str
    message: str
    seconds: float | None = None
    elapsed: int | None = None


class Fault(msgspec.Struct):
    turn: int
    attempt: int
    kind: str
    message: str
    traceback: str
    file: str | None
    line: int | None
    source_line: str | None
    printed: str
    lost: bool


class Check(msgspec.Struct):
    version: int
    status: str
    finished: bool
    waited: int
    steps: list[Step]
    faults: list[Fault]


class Report(msgspec.Struct):
    match: int
    seat: int
    bot: str
    log: str
    faults: list[Fault]


class Seat(msgspec.Struct):
    index: int
    name: str
    owner: str
    version: int | None
    points: float | None
    rank: int | None
    fault: str


class Match(msgspec.Struct):
    id: int
    game: str
    status: str
    purpose: str
    termination: str
    seats: list[Seat]


class Entry(msgspec.Struct):
    id: int
    bot: int
    name: str
    status: str
