"""Detect stalled jobs: running rows whose lease is no longer extended.

Invariant: a row counts as stalled only after this process has seen it unchanged for the full length of a lease, on its
own monotonic clock. So clock differences between machines do not matter, and a restarted process only has to wait for
one more lease.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.platform.jobs.lifecycle import LEASE, JobQueue, StalledJob

# One check adds at most this much to the time that a row has been unchanged: while the database is unavailable,
# heartbeats cannot be stored, so a long gap between checks proves nothing.
_MAX_PAUSE = LEASE.total_seconds() / 2


@dataclass(frozen=True, slots=True)
class _ObservedRow:
    """A row as last seen; ``silence``: for how many seconds it has been unchanged."""

    row: StalledJob
    silence: float


class StallDetector:
    """A detector of stalled jobs among the running rows of a job model. ``clock`` is monotonic, in seconds."""

    def __init__(self, jobs: JobQueue, clock: Callable[[], float] = time.monotonic) -> None:
        self.jobs, self._clock = jobs, clock
        self._seen: dict[int, _ObservedRow] = {}
        self._observed_at = clock()

    def find_stalled_jobs(self) -> list[StalledJob]:
        """Check all running rows; return those whose worker must be dead."""
        now = self._clock()
        pause = min(now - self._observed_at, _MAX_PAUSE)
        columns = ("pk", "fence", "lease_until", "worker")
        rows = [StalledJob(*row) for row in self.jobs.rows().filter(status=self.jobs.running).values_list(*columns)]
        self._seen = {row.pk: _ObservedRow(row, self._silent_seconds(row, pause)) for row in rows}
        self._observed_at = now
        return [seen.row for seen in self._seen.values() if seen.silence >= LEASE.total_seconds()]

    def _silent_seconds(self, row: StalledJob, pause: float) -> float:
        before = self._seen.get(row.pk)
        return before.silence + pause if before is not None and before.row == row else 0.0
