"""Apply the retention policy: delete old logs and pages of turns, move or delete old records, and delete other outputs.

Other apps register their outputs in ``arena.platform.retention``. Results, seats, ratings and standings are kept
permanently. The operator configures the age in days (``MATCH_RECORD_DAYS``, 0: never) and whether records are deleted
or moved to the upload store (``MATCH_RECORD_MOVE``). Higher-level apps can exempt matches or shorten their retention,
as tournaments do at their organizer's request.

Invariants: the policy is applied to a match as a whole, in one transaction. If the record is to be moved, this happens
only once the record is safe in the store. A pass ends after ``MAX_CHUNKS`` transactions; the remaining matches wait for
the next pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.db.models.functions import Length

from arena.matches.models import Match, MatchHistory, MatchRecord, ReducedMatch, RetentionPass, SeatReport, TurnPage
from arena.platform.retention import DeletionResult, Source, sources
from arena.submissions.store import put_blob

CHUNK: Final = 200  # number of matches per transaction
MAX_CHUNKS: Final = 50
RECOMPUTED_RETENTION: Final = timedelta(days=30)  # for recomputed turn pages if the operator configured no age
Chosen = Callable[[datetime], Sequence[Q]]  # filters for the matches due at this time; each can use an index
_exempt: list[Q] = []
_chosen: list[Chosen] = []


@dataclass(frozen=True, slots=True)
class Retention:
    """The operator's configuration of retention.

    ``days``: the age limit in days, None for no limit; ``move``: whether records are moved to the upload store instead
    of being deleted.
    """

    days: int | None
    move: bool

    @classmethod
    def from_settings(cls) -> Retention:
        return cls(settings.MATCH_RECORD_DAYS or None, settings.MATCH_RECORD_MOVE)


@dataclass(frozen=True, slots=True)
class RetentionSummary:
    """The numbers of matches by the state of their records. ``due``: matches left for the next passes."""

    whole: int
    moved: int
    deleted: int
    due: int
    oldest: datetime | None  # when the oldest complete match ended


def register_exemption(which: Q) -> None:
    """Register a filter for matches that are exempt from the retention policy; called once by a higher-level app."""
    if which not in _exempt:
        _exempt.append(which)


def register_early_reduction(chosen: Chosen) -> None:
    """Register a function that selects matches whose data is deleted or moved regardless of the age limit.

    Called once by a higher-level app.
    """
    if chosen not in _chosen:
        _chosen.append(chosen)


def due_records(retention: Retention, *, now: datetime) -> QuerySet[MatchRecord]:
    """Return the records of matches that exceed the age limit and are not exempt, oldest first."""
    if retention.days is None:
        return MatchRecord.objects.none()
    rows = MatchRecord.objects.filter(match__finished_at__lt=now - timedelta(days=retention.days))
    for which in _exempt:
        rows = rows.exclude(match__in=Match.objects.filter(which).values("pk"))
    return rows.order_by("match_id")


def records_due_by_choice(*, now: datetime) -> Iterator[QuerySet[MatchRecord]]:
    """Yield queries for the records that higher-level apps chose to delete or move, regardless of the age limit."""
    for chosen in _chosen:
        for which in chosen(now):
            rows = MatchRecord.objects.filter(match__in=Match.objects.filter(which).values("pk"))
            yield rows.order_by("match_id")


def reduce_due_matches(retention: Retention, *, now: datetime) -> int:
    """Delete or move the data of matches that are due, and delete other outputs that are due.

    Return the total number of these matches and outputs.

    Raises StoreUnavailable, leaving the current match unchanged.
    """
    by_choice = _RetentionRun(now, None, retention.move)
    done = sum(_reduce_matches(rows, by_choice) for rows in records_due_by_choice(now=now))
    if retention.days is None:
        return done + _delete_outputs(_delete_recomputed_pages, now - RECOMPUTED_RETENTION, by_choice)
    before = now - timedelta(days=retention.days)
    this = _RetentionRun(now, before, retention.move)
    done += sum(_delete_outputs(source, before, this) for source in (_delete_recomputed_pages, *sources()))
    return done + _reduce_matches(due_records(retention, now=now), this)


class _RetentionRun:
    """One retention pass; its row is created together with its first change."""

    def __init__(self, now: datetime, before: datetime | None, is_moved: bool) -> None:
        self.now, self.before, self.is_moved = now, before, is_moved
        self._pk: int | None = None

    def add(self, *, matches: int = 0, outputs: int = 0, freed: int) -> None:
        """Add deleted or moved data to the counts of the run, in the transaction that deleted or moved it."""
        if self._pk is None:
            row = RetentionPass.objects.create(at=self.now, before=self.before, is_moved=self.is_moved)
            self._pk = row.pk
        RetentionPass.objects.filter(pk=self._pk).update(
            matches=F("matches") + matches, outputs=F("outputs") + outputs, freed=F("freed") + freed
        )


def _reduce_matches(rows: QuerySet[MatchRecord], this: _RetentionRun) -> int:
    done = 0
    for _ in range(MAX_CHUNKS):
        chunk = list(rows.values_list("match_id", "data")[:CHUNK])
        if not chunk:
            break
        contents = [_move_to_store(bytes(data)) if this.is_moved else "" for _, data in chunk]
        with transaction.atomic():
            freed = _delete_data([pk for pk, _ in chunk], contents, this.now)
            this.add(matches=len(chunk), freed=freed)
        done += len(chunk)
    return done


def _delete_outputs(source: Source, before: datetime, this: _RetentionRun) -> int:
    done = 0
    for _ in range(MAX_CHUNKS):
        with transaction.atomic():
            deleted = source(before, CHUNK)
            if not deleted.rows:
                break
            this.add(outputs=deleted.rows, freed=deleted.freed)
        done += deleted.rows
    return done


def _delete_recomputed_pages(before: datetime, most: int) -> DeletionResult:
    """Delete the recomputed turn pages of at most ``most`` matches, if they were stored before the given time.

    Such pages were recomputed for a reader after the match's record had been moved.
    """
    due = MatchHistory.objects.filter(created_at__lt=before, match__reduction__isnull=False).order_by("created_at")
    rows = MatchHistory.objects.filter(pk__in=list(due.values_list("pk", flat=True)[:most]))
    freed = TurnPage.objects.filter(history__in=rows.values("pk")).aggregate(n=Sum(Length("data")))["n"] or 0
    return DeletionResult(rows.delete()[1].get("matches.MatchHistory", 0), freed)


def retention_summary(retention: Retention, *, now: datetime) -> RetentionSummary:
    whole = MatchRecord.objects.aggregate(n=Count("pk"), oldest=Min("match__finished_at"))
    reduced = ReducedMatch.objects.aggregate(n=Count("pk"), deleted=Count("pk", filter=Q(content="")))
    moved = reduced["n"] - reduced["deleted"]
    waiting = due_records(retention, now=now).count()
    for rows in records_due_by_choice(now=now):
        if retention.days is not None:  # older ones were already counted
            rows = rows.filter(match__finished_at__gte=now - timedelta(days=retention.days))
        waiting += rows.count()
    return RetentionSummary(whole["n"], moved, reduced["deleted"], waiting, whole["oldest"])


def _move_to_store(data: bytes) -> str:
    """Move the record to the store; return its name, which is the hash of its bytes."""
    name = hashlib.sha256(data).hexdigest()
    put_blob(name, data)
    return name


def _delete_data(match_ids: Sequence[int], contents: Sequence[str], now: datetime) -> int:
    """Delete the data of matches; return how many bytes were freed in the database.

    ``contents``: for each match, the name of its record in the store, "" if the record was not moved there.
    """
    ReducedMatch.objects.bulk_create(
        [ReducedMatch(match_id=pk, at=now, content=name) for pk, name in zip(match_ids, contents, strict=True)],
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
