"""Announce to the viewers of a job that an attempt ended without a result: cancelled, requeued or void.

Invariant: an announcement belongs to an attempt, which its fence identifies, and an attempt has at most one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from django.db import transaction

from arena.platform.jobs.lifecycle import JobQueue, Lease, StalledJob, exhausted_rows


class AttemptEnd(StrEnum):
    """The end of an attempt without a result."""

    CANCELLED = "cancelled"
    REQUEUED = "requeued"  # another attempt follows
    VOID = "void"  # given up after the last attempt


# Sends viewers the end of an attempt; receives the id of the row and the attempt's fence.
PublishEnd = Callable[[int, int, AttemptEnd], None]


@dataclass(frozen=True, slots=True)
class Announcer:
    """An announcer of ended attempts; call its methods in the transaction that ends the attempt.

    ``publish``: called after the commit; None for jobs without viewers, and for jobs whose event numbers do not contain
    the fence.
    """

    jobs: JobQueue
    publish: PublishEnd | None

    def cancelled(self, pk: int, fence: int) -> None:
        self._announce(pk, fence, AttemptEnd.CANCELLED)

    def void(self, pk: int, fence: int) -> None:
        self._announce(pk, fence, AttemptEnd.VOID)

    def requeued(self, attempt: StalledJob | Lease) -> None:
        """Announce that an attempt's row was requeued, unless it was the row's last attempt.

        After the last attempt, the row is given up as well, and both announcements would have the same number.
        """
        if self.publish is not None and not exhausted_rows(self.jobs).filter(pk=attempt.pk).exists():
            self._announce(attempt.pk, attempt.fence, AttemptEnd.REQUEUED)

    def _announce(self, pk: int, fence: int, end: AttemptEnd) -> None:
        if self.publish is not None:
            transaction.on_commit(partial(self.publish, pk, fence, end))
