"""Detect stalled jobs: those whose lease nobody extends.

Invariant: a row is called stalled only after this process has looked at it over the whole length of a lease, on its
own monotonic clock, and found it unchanged. So it does not matter what the clocks of machines say, and a process
that starts anew only waits once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from arena.platform.jobs.lifecycle import LEASE, JobQueue, StalledJob

# What a single look adds to a silence at most: while the database was away, workers could not be heard either.
_LONGEST_PAUSE = LEASE.total_seconds() / 2


@dataclass(frozen=True, slots=True)
class _Seen:
    """A row as it was at the last look, and for how many seconds it has been so."""

    row: StalledJob
    silence: float


class StallDetector:
    """One process's memory of the running rows of a jobs. ``clock`` is monotonic, in seconds."""

    def __init__(self, jobs: JobQueue, clock: Callable[[], float] = time.monotonic) -> None:
        self.jobs, self._clock = jobs, clock
        self._seen: dict[int, _Seen] = {}
        self._looked_at = clock()

    def stalled(self) -> list[StalledJob]:
        """Look at all running rows; those whose worker must be dead."""
        now = self._clock()
        pause = min(now - self._looked_at, _LONGEST_PAUSE)
        columns = ("pk", "fence", "lease_until", "worker")
        rows = [StalledJob(*row) for row in self.jobs.rows().filter(status=self.jobs.running).values_list(*columns)]
        self._seen = {row.pk: _Seen(row, self._silence_of(row, pause)) for row in rows}
        self._looked_at = now
        return [seen.row for seen in self._seen.values() if seen.silence >= LEASE.total_seconds()]

    def _silence_of(self, row: StalledJob, pause: float) -> float:
        before = self._seen.get(row.pk)
        return before.silence + pause if before is not None and before.row == row else 0.0
