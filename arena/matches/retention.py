"""Reduce old matches: delete the logs and turn pages, and move or delete the records.

Results, seats, ratings and standings are kept permanently. The operator configures the age in days
(``MATCH_RECORD_DAYS``, 0: never) and whether records are deleted or moved to the upload store (``MATCH_RECORD_MOVE``);
higher-level apps can exempt matches, as tournaments do at their organizer's request.

Invariants: a match is reduced as a whole, in one transaction. If its record is to be moved, this happens only after the
record is safe in the store. A pass ends after ``MOST_CHUNKS`` transactions; the remaining matches wait for the next
pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.db.models.functions import Length

from arena.matches.models import Match, MatchHistory, MatchRecord, RetentionPass, SeatReport, ThinnedMatch, TurnPage
from arena.submissions.store import put_blob

CHUNK: Final = 200  # matches in one transaction
MOST_CHUNKS: Final = 50
_exempt: list[Q] = []


@dataclass(frozen=True, slots=True)
class Retention:
    """The operator's configuration.

    ``days``: None for never; ``move``: whether records are moved to the upload store instead of being deleted.
    """

    days: int | None
    move: bool

    @classmethod
    def chosen(cls) -> Retention:
        return cls(settings.MATCH_RECORD_DAYS or None, settings.MATCH_RECORD_MOVE)


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of matches by the state of their records. ``due``: left for the next passes."""

    whole: int
    moved: int
    deleted: int
    due: int
    oldest: datetime | None  # when the oldest complete match ended


def keep(which: Q) -> None:
    """Exempt matches from deletion under the retention policy; called once by a higher-level app."""
    if which not in _exempt:
        _exempt.append(which)


def due(retention: Retention, *, now: datetime) -> QuerySet[MatchRecord]:
    """Return the records of matches that are old enough, oldest first."""
    if retention.days is None:
        return MatchRecord.objects.none()
    rows = MatchRecord.objects.filter(match__finished_at__lt=now - timedelta(days=retention.days))
    for which in _exempt:
        rows = rows.exclude(match__in=Match.objects.filter(which).values("pk"))
    return rows.order_by("match_id")


def thin(retention: Retention, *, now: datetime) -> int:
    """Reduce due matches; return how many. Raises StoreUnavailable, leaving the match unchanged."""
    done, run = 0, None
    for _ in range(MOST_CHUNKS):
        chunk = list(due(retention, now=now).values_list("match_id", "data")[:CHUNK])
        if not chunk or retention.days is None:
            break
        contents = [_moved(bytes(data)) if retention.move else "" for _, data in chunk]
        with transaction.atomic():
            before = now - timedelta(days=retention.days)
            run = run or RetentionPass.objects.create(at=now, before=before, is_moved=retention.move)
            freed = _forget([pk for pk, _ in chunk], contents, now)
            RetentionPass.objects.filter(pk=run.pk).update(matches=F("matches") + len(chunk), freed=F("freed") + freed)
        done += len(chunk)
    return done


def summary(retention: Retention, *, now: datetime) -> Summary:
    whole = MatchRecord.objects.aggregate(n=Count("pk"), oldest=Min("match__finished_at"))
    thinned = ThinnedMatch.objects.aggregate(n=Count("pk"), deleted=Count("pk", filter=Q(content="")))
    moved = thinned["n"] - thinned["deleted"]
    return Summary(whole["n"], moved, thinned["deleted"], due(retention, now=now).count(), whole["oldest"])


def _moved(data: bytes) -> str:
    """Move the record to the store; return its name, which is the hash of its bytes."""
    name = hashlib.sha256(data).hexdigest()
    put_blob(name, data)
    return name


def _forget(match_ids: Sequence[int], contents: Sequence[str], now: datetime) -> int:
    """Delete the data of matches; return how many bytes were freed in the database."""
    ThinnedMatch.objects.bulk_create(
        [ThinnedMatch(match_id=pk, at=now, content=name) for pk, name in zip(match_ids, contents, strict=True)],
        ignore_conflicts=True,
    )
    reports = SeatReport.objects.filter(seat__match__in=match_ids)
    histories = MatchHistory.objects.filter(match__in=match_ids)
    stored = MatchRecord.objects.filter(match__in=match_ids)
    freed = sum(
        rows.aggregate(n=Sum(Length(column)))["n"] or 0
        for rows, column in (
            (stored, "data"),
            (reports, "log"),
            (TurnPage.objects.filter(history__in=histories.values("pk")), "data"),
        )
    )
    for rows in (reports, histories, stored):
        rows.delete()
    return freed
