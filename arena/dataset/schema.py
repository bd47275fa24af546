"""The tables of the dataset and the meaning of their columns.

Invariant: any change to a table, a column or a meaning increments ``VERSION``; a test compares the schema with a copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VERSION: Final = 1


class ColumnType(StrEnum):
    """The type of a column."""

    INT64 = "int64"
    INT32 = "int32"
    INT16 = "int16"
    FLOAT64 = "float64"
    BOOL = "bool"
    TEXT = "text"
    JSON = "json"  # a string that contains a JSON value
    TIME = "timestamp"  # microseconds since 1970, UTC
    DATE = "date"  # a day, UTC


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``optional``: whether it may be null."""

    name: str
    kind: ColumnType
    description: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``per_game``: whether each game has its own files. Rows are sorted by ``key``, which is unique."""

    name: str
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    per_game: bool = False


_MATCH_ID: Final = Column("match_id", ColumnType.INT64, "The ID of the match, as in its URL on the site.")
_GAME: Final = Column("game", ColumnType.TEXT, "The code of the game.")
_SUBMISSION_ID: Final = Column(
    "submission_id", ColumnType.INT64, "The version of the bot; references the submissions table."
)
_BOT_ID: Final = Column("bot_id", ColumnType.INT64, "The bot; references the bots table.")
_TOURNAMENT_ID: Final = Column("tournament_id", ColumnType.INT64, "The tournament; references the tournaments table.")

MATCHES: Final = Table(
    "matches",
    "Finished public matches.",
    ("match_id",),
    (
        _MATCH_ID,
        _GAME,
        Column(
            "purpose",
            ColumnType.TEXT,
            "Why the match was played: tournament, ladder, scrimmage, or duel (against a person).",
        ),
        Column("rated", ColumnType.BOOL, "Whether the match affects ratings."),
        Column("tournament_id", ColumnType.INT64, "The tournament in which the match counts.", optional=True),
        Column("round", ColumnType.INT32, "Number of the round in the tournament, starting from 1.", optional=True),
        Column("encounter", ColumnType.INT32, "Number of the encounter in the round, starting from 1.", optional=True),
        Column("leg", ColumnType.INT16, "Number of the match in the encounter, starting from 1.", optional=True),
        Column("replaced_by", ColumnType.INT64, "The match that counts instead of this one.", optional=True),
        Column("created_at", ColumnType.TIME, "When the match was requested."),
        Column("started_at", ColumnType.TIME, "When a worker started the match.", optional=True),
        Column("finished_at", ColumnType.TIME, "When the result was stored."),
        Column("termination", ColumnType.TEXT, "Why the match ended: completed, forfeit, resignation or time_limit."),
        Column("seats", ColumnType.INT16, "The number of seats."),
        Column("turns", ColumnType.INT32, "The number of turns played."),
        Column("settings", ColumnType.JSON, "The settings of the game, including openings."),
        Column("limits", ColumnType.JSON, "The limits that differ from the defaults; times in seconds."),
        Column("seed", ColumnType.INT64, "The random seed of the match."),
    ),
    per_game=True,
)

SEATS: Final = Table(
    "seats",
    "The players of each match and their results.",
    ("match_id", "seat"),
    (
        _MATCH_ID,
        _GAME,
        Column("seat", ColumnType.INT16, "Seat number, starting from 0."),
        Column(
            "holder", ColumnType.TEXT, "Who played the seat: bot or person. Nothing else is published about people."
        ),
        Column("submission_id", ColumnType.INT64, "The version of the bot in this seat.", optional=True),
        Column(
            "points",
            ColumnType.FLOAT64,
            "Points as defined by the game's rules; in a scored game, the score.",
            optional=True,
        ),
        Column(
            "rank",
            ColumnType.INT16,
            "Rank: 1 is best. Tied seats share the better rank; null if the match reached its time limit.",
            optional=True,
        ),
        Column(
            "margin",
            ColumnType.FLOAT64,
            "The margin, such as the difference in points; in a scored game, the score.",
            optional=True,
        ),
        Column("fault", ColumnType.TEXT, "The fault that ended the match for this seat.", optional=True),
        Column("fault_turn", ColumnType.INT32, "The turn of the fault; 0 means before the first turn.", optional=True),
        Column("thinking_us", ColumnType.INT64, "Time charged for all moves, in microseconds."),
        Column("slowest_us", ColumnType.INT64, "Time charged for the slowest move, in microseconds."),
        Column("moves", ColumnType.INT32, "The number of moves made; 0 in matches played before moves were counted."),
        Column("figures", ColumnType.JSON, "Other results of the seat, such as a raw score.", optional=True),
    ),
    per_game=True,
)

MOVES: Final = Table(
    "moves",
    "Every move with its time, every fault, and every chance event.",
    ("match_id", "turn", "seat"),
    (
        _MATCH_ID,
        _GAME,
        Column(
            "turn",
            ColumnType.INT32,
            "Turn number, starting from 1. A chance event has the number of the turn before it, or 0 at the start.",
        ),
        Column("seat", ColumnType.INT16, "Seat number; -1 for a chance event shared by all seats."),
        Column(
            "notation", ColumnType.TEXT, "The move in the game's notation; null if the seat faulted.", optional=True
        ),
        Column(
            "chance",
            ColumnType.TEXT,
            "The chance event after the move. If seat is -1, it applies to all seats.",
            optional=True,
        ),
        Column("charged_us", ColumnType.INT64, "Time charged against the limit, in microseconds.", optional=True),
        Column("cpu_us", ColumnType.INT64, "Processor time, in microseconds.", optional=True),
        Column("wall_us", ColumnType.INT64, "Wall-clock time, in microseconds.", optional=True),
        Column(
            "refused",
            ColumnType.INT16,
            "Number of illegal answers on this turn; the request was repeated after each.",
            optional=True,
        ),
        Column("fault", ColumnType.TEXT, "The fault that ended the match for the seat on this turn.", optional=True),
        Column("reward", ColumnType.FLOAT64, "Points gained by the move, in games that count them.", optional=True),
        Column("value", ColumnType.FLOAT64, "The value of the position for the seat before the move.", optional=True),
        Column("regret", ColumnType.FLOAT64, "The value lost compared with the best move.", optional=True),
        Column("best", ColumnType.TEXT, "The best move according to the analysis.", optional=True),
        Column("share", ColumnType.FLOAT64, "The probability that a learned policy assigns to the move.", True),
        Column("exact", ColumnType.BOOL, "Whether the regret is proven rather than estimated.", optional=True),
        Column(
            "source",
            ColumnType.TEXT,
            "The method that computed value, regret and best; null if none did.",
            optional=True,
        ),
    ),
    per_game=True,
)

BOTS: Final = Table(
    "bots",
    "The bots that played these matches.",
    ("bot_id",),
    (
        _BOT_ID,
        _GAME,
        Column("name", ColumnType.TEXT, "The public name at the time of the export."),
        Column("author", ColumnType.TEXT, "A pseudonym, the same for all bots of an author, or the username."),
        Column("is_house", ColumnType.BOOL, "Whether the bot is a house bot."),
        Column("is_retired", ColumnType.BOOL, "Whether the author has retired the bot."),
        Column("created_at", ColumnType.TIME, "When the bot was created."),
    ),
)

SUBMISSIONS: Final = Table(
    "submissions",
    "The bot versions that played these matches.",
    ("submission_id",),
    (
        _SUBMISSION_ID,
        _BOT_ID,
        Column("version", ColumnType.INT32, "Version number, starting from 1."),
        Column(
            "sha256", ColumnType.TEXT, "The hash of the upload, as in match records; the code itself is not published."
        ),
        Column("size", ColumnType.INT64, "The size of the upload in bytes."),
        Column("uploaded_at", ColumnType.TIME, "When the version was uploaded."),
    ),
)

TOURNAMENTS: Final = Table(
    "tournaments",
    "Public tournaments whose results are not withheld.",
    ("tournament_id",),
    (
        _TOURNAMENT_ID,
        _GAME,
        Column("name", ColumnType.TEXT, "The name of the tournament."),
        Column("format", ColumnType.TEXT, "The pairing format."),
        Column("status", ColumnType.TEXT, "Status at the time of the export: running, paused, finished or cancelled."),
        Column("settings", ColumnType.JSON, "The settings of the game."),
        Column("limits", ColumnType.JSON, "The match limits that differ from the defaults; times in seconds."),
        Column("repeats", ColumnType.INT16, "How many times all pairings are played."),
        Column("matches_per_encounter", ColumnType.INT16, "The number of matches in an encounter."),
        Column(
            "openings",
            ColumnType.TEXT,
            "Starting positions: balanced openings, or start (the initial position).",
        ),
        Column("seeding", ColumnType.TEXT, "What determines the seeding: random (a random draw) or rating."),
        Column("started_at", ColumnType.TIME, "When the tournament started."),
        Column("finished_at", ColumnType.TIME, "When the tournament finished.", optional=True),
    ),
)

ENTRIES: Final = Table(
    "entries",
    "The final standings of finished tournaments.",
    ("tournament_id", "entry_id"),
    (
        _TOURNAMENT_ID,
        Column("entry_id", ColumnType.INT64, "The entry of a bot."),
        _BOT_ID,
        Column(
            "submission_id",
            ColumnType.INT64,
            "The version that entered; null if the entry was excluded.",
            optional=True,
        ),
        Column("status", ColumnType.TEXT, "entered, withdrawn or excluded."),
        Column("seed", ColumnType.INT16, "Seed number of the entry, starting from 1.", optional=True),
        Column("rank", ColumnType.INT16, "The final rank, where 1 is best.", optional=True),
        Column("points", ColumnType.FLOAT64, "The points scored in the tournament."),
        Column("played", ColumnType.INT32, "The number of matches that count."),
        Column("wins", ColumnType.INT32, "Wins; at tables with three or more seats, outright first places."),
        Column("draws", ColumnType.INT32, "Draws; at tables with three or more seats, shared first places."),
        Column("losses", ColumnType.INT32, "All other matches."),
        Column("margin", ColumnType.FLOAT64, "The sum of the margins of these matches."),
    ),
)

_VALUE: Final = Column("rating", ColumnType.FLOAT64, "Points on the Elo scale; 1500 is the mean of first versions.")
_DEVIATION: Final = Column("deviation", ColumnType.FLOAT64, "The standard error of the rating.")

RATINGS: Final = Table(
    "ratings",
    "The rating of every bot version with rated matches, computed from these matches.",
    ("game", "submission_id"),
    (
        _GAME,
        _SUBMISSION_ID,
        _VALUE,
        _DEVIATION,
        Column("matches", ColumnType.INT32, "The number of rated matches."),
        Column("wins", ColumnType.INT32, "Wins; at tables with three or more seats, outright first places."),
        Column("draws", ColumnType.INT32, "Draws; at tables with three or more seats, shared first places."),
        Column("losses", ColumnType.INT32, "All other matches."),
    ),
)

RATING_HISTORY: Final = Table(
    "rating_history",
    "The rating of every bot version after each day on which it played rated matches.",
    ("game", "day", "submission_id"),
    (
        _GAME,
        Column("day", ColumnType.DATE, "The day (UTC)."),
        _SUBMISSION_ID,
        _VALUE,
        _DEVIATION,
        Column("matches", ColumnType.INT32, "The number of rated matches up to the end of the day."),
    ),
)

TABLES: Final = (MATCHES, SEATS, MOVES, BOTS, SUBMISSIONS, TOURNAMENTS, ENTRIES, RATINGS, RATING_HISTORY)


def schema_json() -> dict[str, object]:
    """Return the complete schema as plain JSON values, for programs and for the test that detects changes."""
    return {
        "version": VERSION,
        "tables": [
            {
                "name": table.name,
                "description": table.description,
                "key": list(table.key),
                "per_game": table.per_game,
                "columns": [
                    {
                        "name": column.name,
                        "type": column.kind.value,
                        "optional": column.optional,
                        "description": column.description,
                    }
                    for column in table.columns
                ],
            }
            for table in TABLES
        ],
    }
