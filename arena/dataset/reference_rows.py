"""Rows of the tables to which matches refer: bots, submissions, tournaments, standings and ratings."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from arena.dataset.match_rows import json_text
from arena.dataset.parquet import Row
from arena.dataset.schema import BOTS, ENTRIES, RATING_HISTORY, RATINGS, SUBMISSIONS, TOURNAMENTS, Table
from arena.dataset.selection import ANYBODY
from arena.games.registry import GAMES
from arena.ratings.snapshot import RatingsSnapshot, snapshot_before
from arena.submissions.models import Bot, Submission
from arena.tournaments.models import Entry, Tournament
from arena.tournaments.visibility import FINAL_RESULTS, OPEN_RESULTS, visible

_PORTION: Final = 1000  # rows read from the database at a time


def reference_tables(played: Collection[int], until: datetime) -> Mapping[Table, Iterator[Row]]:
    """Return the rows of each table to which matches refer.

    They cover the tournaments that finished before ``until``, the submissions entered in these tournaments, and those
    in ``played``.
    """
    entered = set(_entries(until).exclude(submission=None).values_list("submission_id", flat=True))
    submissions = sorted({*played, *entered})
    bots = sorted({*_bot_ids(submissions), *_entries(until).values_list("bot_id", flat=True)})
    rated = {game: snapshot_before(game, until.date()) for game in sorted(GAMES)}
    return {
        BOTS: _bot_rows(bots),
        SUBMISSIONS: _submission_rows(submissions),
        TOURNAMENTS: _tournament_rows(until),
        ENTRIES: _entry_rows(until),
        RATINGS: _rating_rows(rated),
        RATING_HISTORY: _history_rows(rated),
    }


def author_name(user_id: int, username: str) -> str:
    """Return a person's name in the dataset: the username or a pseudonym.

    A pseudonym reveals nothing without the site's secret key.
    """
    if settings.DATASET_AUTHORS == "names":
        return username
    key = f"dataset author {settings.SECRET_KEY}".encode()
    return "author-" + hmac.new(key, str(user_id).encode(), hashlib.sha256).hexdigest()[:16]


def _id_batches(ids: Collection[int]) -> Iterator[list[int]]:
    remaining = iter(ids)
    while portion := list(islice(remaining, _PORTION)):
        yield portion


def _bot_ids(submissions: Collection[int]) -> set[int]:
    found: set[int] = set()
    for ids in _id_batches(submissions):
        found.update(Submission.objects.filter(pk__in=ids).order_by().values_list("bot_id", flat=True))
    return found


def _bot_rows(ids: Collection[int]) -> Iterator[Row]:
    for portion in _id_batches(ids):
        for bot in Bot.objects.filter(pk__in=portion).select_related("owner").order_by("pk"):
            author = bot.owner.username if bot.is_house else author_name(bot.owner_id, bot.owner.username)
            yield bot.pk, bot.game, bot.name, author, bot.is_house, bot.retired, bot.created_at


def _submission_rows(ids: Collection[int]) -> Iterator[Row]:
    columns = ("pk", "bot_id", "number", "sha256", "size", "uploaded_at")
    for portion in _id_batches(ids):
        yield from Submission.objects.filter(pk__in=portion).order_by("pk").values_list(*columns)


def _tournament_rows(until: datetime) -> Iterator[Row]:
    begun = Tournament.objects.filter(visible(ANYBODY), OPEN_RESULTS, started_at__lt=until, game__in=list(GAMES))
    for row in begun.order_by("pk"):
        yield (
            *(row.pk, row.game, row.name, row.format, row.status, json_text(row.settings), json_text(row.limits)),
            *(row.repeats, row.matches_per_encounter, row.openings, row.seeding, row.started_at, row.finished_at),
        )


def _entries(until: datetime) -> QuerySet[Entry]:
    over = Tournament.objects.filter(
        visible(ANYBODY), FINAL_RESULTS, finished_at__lt=until, started_at__isnull=False, game__in=list(GAMES)
    )
    return Entry.objects.filter(tournament__in=over.order_by().values("pk")).order_by("tournament_id", "pk")


def _entry_rows(until: datetime) -> Iterator[Row]:
    columns = ("tournament_id", "pk", "bot_id", "submission_id", "status", "seed", "rank")
    figures = ("points", "played", "wins", "draws", "losses", "margin")
    yield from _entries(until).values_list(*columns, *figures).iterator(chunk_size=_PORTION)


def _rating_rows(rated: Mapping[str, RatingsSnapshot]) -> Iterator[Row]:
    for game, snapshot in rated.items():
        for one in snapshot.ratings():
            tally = one.tally
            figures = (tally.matches, tally.wins, tally.draws, tally.losses)
            yield game, one.submission, one.estimate.value, one.estimate.deviation, *figures


def _history_rows(rated: Mapping[str, RatingsSnapshot]) -> Iterator[Row]:
    for game, snapshot in rated.items():
        for row in snapshot.points():
            yield game, *row
