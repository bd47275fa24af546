"""Manage an outbox: rows to send to a server outside the arena, each claimed by one sender at a time.

                claim: attempts + 1                the server's response
      WAITING ──────────────────────> SENDING ──────────────────────────> a state that the model defines
         ^                               │
         ├── postpone: refused for now ──┤  due again after a pause
         └── the sender died ────────────┘  or a state that the model defines, for a message that must not be sent twice

Why such a row is not a job (``jobs.lifecycle``): it waits until it is due, for days and over any number of attempts,
because a server that is down is not a failure of the arena. One wake-up, without an id, covers all rows that are due. A
sender holds each row for one request, which has a time limit, so the claim needs no heartbeat: after ``lost_after``,
several times that limit, the sender is presumed dead. Finally, only the model knows whether to resend a message that
may already have arrived.

Invariant: a row leaves WAITING and SENDING only by a conditional UPDATE, so two senders never send the same row, and a
sender that lost its row changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone


class OutboxRow(models.Model):
    """A row of an outbox; concrete models add ``status``."""

    attempts = models.PositiveSmallIntegerField(default=0)  # since it was last queued
    due_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


@dataclass(frozen=True, slots=True)
class Outbox:
    """The model whose rows are sent, and its states for rows that are waiting or being sent."""

    model: type[OutboxRow]
    waiting: str
    sending: str
    lost_after: timedelta

    def due_rows(self, now: datetime) -> QuerySet[Any]:
        """Select the rows to send now."""
        return self._rows().filter(status=self.waiting, due_at__lte=now)

    def claim(self, pk: int, *, now: datetime, among: Q = Q()) -> bool:  # noqa: B008 - Q is immutable
        """Claim a waiting row that matches ``among``; return False if another sender has it."""
        rows = self._rows().filter(among, pk=pk, status=self.waiting)
        return bool(rows.update(status=self.sending, claimed_at=now, attempts=F("attempts") + 1))

    def claimed_row(self, row: OutboxRow) -> QuerySet[Any]:
        """Return a query that selects a claimed row while its claim lasts; update the row through this query."""
        return self._rows().filter(pk=row.pk, status=self.sending, claimed_at=row.claimed_at)

    def postpone(self, row: OutboxRow, until: datetime, **changes: object) -> None:
        """Return a claimed row to the queue, to be sent no earlier than ``until``."""
        self.claimed_row(row).update(status=self.waiting, due_at=until, **changes)

    def abandoned_rows(self, now: datetime) -> QuerySet[Any]:
        """Select the rows whose sender died."""
        return self._rows().filter(status=self.sending, claimed_at__lt=now - self.lost_after)

    def _rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()
