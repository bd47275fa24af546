"""The tables of the dataset and the meaning of their columns.

Invariant: any change of a table, a column or a meaning increments ``VERSION``; a test compares the schema with a copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VERSION: Final = 1


class Kind(StrEnum):
    """The type of a column."""

    INT64 = "int64"
    INT32 = "int32"
    INT16 = "int16"
    FLOAT64 = "float64"
    BOOL = "bool"
    TEXT = "text"
    JSON = "json"  # a text that holds a JSON value
    TIME = "timestamp"  # microseconds since 1970, UTC
    DATE = "date"  # a day, UTC


@dataclass(frozen=True, slots=True)
class Column:
    """``optional``: whether it may be null."""

    name: str
    kind: Kind
    description: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """``per_game``: whether each game has files of its own. Rows are sorted by ``key``, which is unique."""

    name: str
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    per_game: bool = False


_MATCH_ID: Final = Column("match_id", Kind.INT64, "The match, as in its address on the site.")
_GAME: Final = Column("game", Kind.TEXT, "The code of the game.")
_SUBMISSION_ID: Final = Column("submission_id", Kind.INT64, "The version of a bot; a row of submissions.")
_BOT_ID: Final = Column("bot_id", Kind.INT64, "The bot; a row of bots.")
_TOURNAMENT_ID: Final = Column("tournament_id", Kind.INT64, "The tournament; a row of tournaments.")

MATCHES: Final = Table(
    "matches",
    "Finished matches that everybody may see.",
    ("match_id",),
    (
        _MATCH_ID,
        _GAME,
        Column("purpose", Kind.TEXT, "Why it was played: tournament, ladder, scrimmage, or duel (against a person)."),
        Column("rated", Kind.BOOL, "Whether ratings follow from it."),
        Column("tournament_id", Kind.INT64, "Of a tournament's match that counts: its tournament.", optional=True),
        Column("round", Kind.INT32, "The number of the tournament's round, from 1.", optional=True),
        Column("encounter", Kind.INT32, "The number of the encounter within the round, from 1.", optional=True),
        Column("leg", Kind.INT16, "The number of the match within the encounter, from 1.", optional=True),
        Column("replaced_by", Kind.INT64, "The match that counts instead of this one.", optional=True),
        Column("created_at", Kind.TIME, "When it was asked for."),
        Column("started_at", Kind.TIME, "When a worker began to play it.", optional=True),
        Column("finished_at", Kind.TIME, "When its result was stored."),
        Column("termination", Kind.TEXT, "Why it ended: completed, forfeit, resignation or time_limit."),
        Column("seats", Kind.INT16, "How many seats it has."),
        Column("turns", Kind.INT32, "How many turns were played."),
        Column("settings", Kind.JSON, "The settings of the game, openings included."),
        Column("limits", Kind.JSON, "The limits that differ from the defaults; times in seconds."),
        Column("seed", Kind.INT64, "The seed of all chance in the match."),
    ),
    per_game=True,
)

SEATS: Final = Table(
    "seats",
    "Who sat in each match and what came of it.",
    ("match_id", "seat"),
    (
        _MATCH_ID,
        _GAME,
        Column("seat", Kind.INT16, "The number of the seat, from 0."),
        Column("holder", Kind.TEXT, "bot or person; nothing else is told of people."),
        Column("submission_id", Kind.INT64, "The version of the bot that sat there.", optional=True),
        Column("points", Kind.FLOAT64, "Points by the rules; of a scored game its score.", optional=True),
        Column("rank", Kind.INT16, "1 is best, equals share the better; none at a time limit.", optional=True),
        Column("margin", Kind.FLOAT64, "By how much: a difference of discs or points, or the score.", optional=True),
        Column("fault", Kind.TEXT, "The offence that ended the match for this seat.", optional=True),
        Column("fault_turn", Kind.INT32, "The turn of the offence; 0 is the start.", optional=True),
        Column("thinking_us", Kind.INT64, "Time charged for all moves, in microseconds."),
        Column("slowest_us", Kind.INT64, "Time charged for the slowest move, in microseconds."),
        Column("moves", Kind.INT32, "How many moves the seat made; 0 in matches from before they were counted."),
        Column("figures", Kind.JSON, "What else the seat achieved, such as a raw score.", optional=True),
    ),
    per_game=True,
)

MOVES: Final = Table(
    "moves",
    "Every move with its time, every offence, and what chance did.",
    ("match_id", "turn", "seat"),
    (
        _MATCH_ID,
        _GAME,
        Column("turn", Kind.INT32, "The number of the turn, from 1; of chance, the turn after which it happened."),
        Column("seat", Kind.INT16, "The number of the seat; -1 is chance that all seats share."),
        Column("notation", Kind.TEXT, "The move as the game writes it; none where the seat faulted.", optional=True),
        Column("chance", Kind.TEXT, "What chance did after the move, or where seat is -1, for all.", optional=True),
        Column("charged_us", Kind.INT64, "Time charged against the limit, in microseconds.", optional=True),
        Column("cpu_us", Kind.INT64, "Processor time, in microseconds.", optional=True),
        Column("wall_us", Kind.INT64, "Time on the clock, in microseconds.", optional=True),
        Column("refused", Kind.INT16, "Illegal answers after which the seat was asked again.", optional=True),
        Column("fault", Kind.TEXT, "The offence that ended the match for the seat in this turn.", optional=True),
        Column("reward", Kind.FLOAT64, "Points that the move brought, where a game counts so.", optional=True),
        Column("value", Kind.FLOAT64, "What the position was worth to the seat before the move.", optional=True),
        Column("regret", Kind.FLOAT64, "What the move gave away against the best one.", optional=True),
        Column("best", Kind.TEXT, "The best move by the analysis.", optional=True),
        Column("share", Kind.FLOAT64, "The probability that a learnt policy gives to the move.", True),
        Column("exact", Kind.BOOL, "Whether the regret is proven rather than estimated.", optional=True),
        Column("source", Kind.TEXT, "What found value, regret and best; none where nobody looked.", optional=True),
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
        Column("name", Kind.TEXT, "The name that everybody sees, when the dataset was made."),
        Column("author", Kind.TEXT, "A pseudonym that is the same for all bots of a person, or the user name."),
        Column("is_house", Kind.BOOL, "Whether it is one of the arena's own."),
        Column("is_retired", Kind.BOOL, "Whether its author has retired it."),
        Column("created_at", Kind.TIME, "When it was created."),
    ),
)

SUBMISSIONS: Final = Table(
    "submissions",
    "The versions of bots that played these matches.",
    ("submission_id",),
    (
        _SUBMISSION_ID,
        _BOT_ID,
        Column("version", Kind.INT32, "The number of the version, from 1."),
        Column("sha256", Kind.TEXT, "The hash of the upload, as records name it; the code itself is not published."),
        Column("size", Kind.INT64, "The size of the upload in bytes."),
        Column("uploaded_at", Kind.TIME, "When it was uploaded."),
    ),
)

TOURNAMENTS: Final = Table(
    "tournaments",
    "Tournaments that everybody may see and whose results are not withheld.",
    ("tournament_id",),
    (
        _TOURNAMENT_ID,
        _GAME,
        Column("name", Kind.TEXT, "The name of the tournament."),
        Column("format", Kind.TEXT, "Who meets whom."),
        Column("status", Kind.TEXT, "running, paused, finished or cancelled, when the dataset was made."),
        Column("settings", Kind.JSON, "The settings of the game."),
        Column("limits", Kind.JSON, "The limits of its matches that differ from the defaults; times in seconds."),
        Column("repeats", Kind.INT16, "How often the pairings are repeated."),
        Column("matches_per_encounter", Kind.INT16, "How many matches an encounter has."),
        Column("openings", Kind.TEXT, "balanced, or start: where its matches begin."),
        Column("seeding", Kind.TEXT, "lot or rating: what the order of the entries follows from."),
        Column("started_at", Kind.TIME, "When it started."),
        Column("finished_at", Kind.TIME, "When it finished.", optional=True),
    ),
)

ENTRIES: Final = Table(
    "entries",
    "The final standings of finished tournaments.",
    ("tournament_id", "entry_id"),
    (
        _TOURNAMENT_ID,
        Column("entry_id", Kind.INT64, "The entry of a bot."),
        _BOT_ID,
        Column("submission_id", Kind.INT64, "The version that entered; none where none was admitted.", optional=True),
        Column("status", Kind.TEXT, "entered, withdrawn or excluded."),
        Column("seed", Kind.INT16, "The number of the entry in the order of seeding, from 1.", optional=True),
        Column("rank", Kind.INT16, "Its place, 1 is best.", optional=True),
        Column("points", Kind.FLOAT64, "Its points in the tournament."),
        Column("played", Kind.INT32, "How many of its matches count."),
        Column("wins", Kind.INT32, "Wins; at tables of more than two seats, sole first places."),
        Column("draws", Kind.INT32, "Draws; at tables of more than two seats, shared first places."),
        Column("losses", Kind.INT32, "All other matches."),
        Column("margin", Kind.FLOAT64, "The sum of its margins."),
    ),
)

_VALUE: Final = Column("rating", Kind.FLOAT64, "Points on the Elo scale, 1500 is the mean of first versions.")
_DEVIATION: Final = Column("deviation", Kind.FLOAT64, "The standard error of the rating.")

RATINGS: Final = Table(
    "ratings",
    "The rating of every submission that has rated matches, as these matches give it.",
    ("game", "submission_id"),
    (
        _GAME,
        _SUBMISSION_ID,
        _VALUE,
        _DEVIATION,
        Column("matches", Kind.INT32, "How many rated matches it played."),
        Column("wins", Kind.INT32, "How many it won; of tables, how often it was alone in the first place."),
        Column("draws", Kind.INT32, "How many it drew; of tables, how often it shared the first place."),
        Column("losses", Kind.INT32, "All others."),
    ),
)

RATING_HISTORY: Final = Table(
    "rating_history",
    "The rating of every submission after each day on which it played rated matches.",
    ("game", "day", "submission_id"),
    (
        _GAME,
        Column("day", Kind.DATE, "The day, UTC."),
        _SUBMISSION_ID,
        _VALUE,
        _DEVIATION,
        Column("matches", Kind.INT32, "How many rated matches it had played by the end of the day."),
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
