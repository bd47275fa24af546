"""Get the report on a source: small reports are computed immediately, large ones by a worker.

Invariants: a report is computed outside of any transaction. A report that a page computes is cached by its process for
a while; one that a worker computes is stored in the database, in one row per source.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from arena.games.golden_point.analysis import services
from arena.games.golden_point.analysis.models import ReportStatus, StoredReport
from arena.games.golden_point.analysis.room_windows import MAX_SEAT_ROUNDS
from arena.games.golden_point.analysis.sources import Source
from arena.games.golden_point.evaluation.report import VERSION, MatchReport, create_report, unpack

_CACHE_SIZE: Final = 8  # number of reports, each a few megabytes for at most MAX_SEAT_ROUNDS


@dataclass(frozen=True, slots=True)
class PendingReport:
    """A report that a worker is computing or will compute. ``percent``: its progress."""

    waiting: bool
    percent: int


@dataclass(frozen=True, slots=True)
class FailedReport:
    """A report that the arena failed to compute in three attempts."""


class ReportCache:
    """A cache of the latest reports in this process."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._reports: OrderedDict[str, MatchReport] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> MatchReport | None:
        with self._lock:
            if key in self._reports:
                self._reports.move_to_end(key)
            return self._reports.get(key)

    def put(self, key: str, report: MatchReport) -> None:
        with self._lock:
            self._reports[key] = report
            self._reports.move_to_end(key)
            while len(self._reports) > self._capacity:
                self._reports.popitem(last=False)


_cache = ReportCache(_CACHE_SIZE)


def report_of(source: Source, party: str, *, now: datetime) -> MatchReport | PendingReport | FailedReport:
    """Return the report or its progress; the first call for a large report queues it for a worker.

    A queued report counts towards the fair share of ``party``.
    """
    report = _cache.get(source.id)
    if report is not None:
        return report
    if source.seat_rounds > MAX_SEAT_ROUNDS:
        return _stored_report(source, party, now)
    report = create_report(source.load())
    _cache.put(source.id, report)
    return report


def _stored_report(source: Source, party: str, now: datetime) -> MatchReport | PendingReport | FailedReport:
    row = StoredReport.objects.filter(source=source.id, version=VERSION).first()
    if row is None:
        services.request_report(source.id, party, now=now)
        return PendingReport(waiting=True, percent=0)
    if row.status == ReportStatus.READY:
        return unpack(bytes(row.data))
    if row.status == ReportStatus.FAILED:
        return FailedReport()
    return PendingReport(waiting=row.status == ReportStatus.WAITING, percent=row.percent)
