"""The contents of a tournament archive.

The archive is a ZIP file with ``tournament.json``, ``entries.json``, ``rounds.json``, ``standings.json``,
``feed.json``, a record per finished match in ``matches/<number>.json`` (or in ``replaced/`` if it was replaced), and
finally ``manifest.json``, which lists every other file with its SHA-256; a truncated archive has no manifest. The
archive contains everything that is needed to compute the standings, and nothing that only a bot's author may read.
Entries, rounds and matches keep the numbers that they have on the site.

Invariants: ``VERSION`` changes whenever the meaning of any of these files changes; an archive with a different version
is refused. Times are in ISO 8601.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

VERSION: Final = 1
FORMAT: Final = "bot-arena-tournament"
TOURNAMENT, ENTRIES, ROUNDS = "tournament.json", "entries.json", "rounds.json"
STANDINGS, FEED, MANIFEST = "standings.json", "feed.json", "manifest.json"
# The keys in archives of those ``Tournament.options`` that the site has renamed; archives keep the former names.
OPTION_KEYS: Final[Mapping[str, str]] = {"gauntlet_bots": "heroes", "bots_per_match": "together"}


def archive_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tournament's options with the keys that they have in archives."""
    return {OPTION_KEYS.get(key, key): value for key, value in options.items()}


def tournament_options(archived: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an archive with the site's keys: the inverse of ``archive_options``."""
    keys = {archived_key: key for key, archived_key in OPTION_KEYS.items()}
    return {keys.get(key, key): value for key, value in archived.items()}


def match_path(match_id: int, *, replaced: bool = False) -> str:
    return f"{'replaced' if replaced else 'matches'}/{match_id}.json"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["bot-arena-tournament"]
    version: Literal[1]
    written_at: str
    files: dict[str, str]  # the SHA-256 of each file
    thinned: list[int] = []  # matches whose records were deleted by retention; missing in older archives


class ArchivedTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament's columns in an archive.

    ``options`` has the keys of ``OPTION_KEYS``. For a gauntlet, it always contains the actual number of gauntlet bots,
    even if it was not set explicitly.
    """

    id: int
    name: str
    description: str
    organizer: str
    game: str
    settings: dict[str, Any]
    limits: dict[str, Any]
    format: str
    repeats: int
    options: dict[str, Any]
    matches_per_encounter: int = msgspec.field(name="games")
    openings: str
    seeding: str
    tiebreaks: list[str]
    seed: int
    status: str
    end_reason: str
    deadline: str | None
    started_at: str | None
    finished_at: str | None


class ArchivedSubmission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    sha256: str


class ArchivedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry; ``seed``: its seeding, None if it did not start."""

    id: int
    bot: str
    author: str
    is_house: bool
    seed: int | None
    status: str
    reason: str
    submission: ArchivedSubmission | None


class ArchivedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat; ``rank`` is None until the match has been played; ``forfeit``: whether it lost because of a fault."""

    entry: int
    submission: ArchivedSubmission | None
    rank: int | None
    margin: float | None
    points: float | None
    forfeit: bool


class ArchivedPairing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pairing in an archive.

    ``match`` is None for a walkover. ``replaced``: earlier matches of this pairing, which do not count.
    """

    encounter: int
    leg: int
    bracket: str
    slot: int
    group: int
    match: int | None
    status: str | None
    seats: list[ArchivedSeat]
    replaced: list[int]


class ArchivedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    stage: str
    byes: list[int]
    pairings: list[ArchivedPairing]


class ArchivedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The standing of an entry as the site showed it.

    ``losses``: number of matches in which the entry did not finish first; ``mean_rank``: see
    ``core.ranking.standings``; absent from older archives.
    """

    entry: int
    rank: int | None
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    margin: float
    tiebreaks: list[float | None]
    mean_rank: float | msgspec.UnsetType | None = msgspec.UNSET


class ArchivedActivity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: str
    kind: str
    actor: str | None
    entry: int | None
    match: int | None
    text: str
    details: dict[str, Any]
