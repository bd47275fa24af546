"""The columns of a job; see ``lifecycle``."""

from django.db import models


def fair_share_indexes(*scope: str, running: str = "running") -> list[models.Index]:
    """What the choice of ``fair_share`` needs; ``scope``: columns that say which rows share processes.

    The few running rows have an index of their own, which a database takes whatever it knows of the table: one that
    counts how many rows share a value expects as many running ones as finished ones, and would scan them all.
    """
    return [
        models.Index(fields=[*scope, "party"], condition=models.Q(status=running), name="%(class)s_running"),
        models.Index(fields=["-served"], name="%(class)s_turns"),
        models.Index(fields=[*scope, "party", "-served"], name="%(class)s_shares"),
    ]


class Job(models.Model):
    """A row that exactly one worker works on at a time; the concrete model has a ``status`` besides."""

    fence = models.PositiveIntegerField(default=0, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    worker = models.CharField(max_length=120, blank=True, editable=False)
    # Who asked for it, see ``fair_share``, and the number of its last claim among those of its model; two that were
    # made at one moment may share a number.
    party = models.CharField(max_length=80, blank=True, editable=False)
    served = models.PositiveBigIntegerField(default=0, editable=False)
    # Set anew by every heartbeat, by the worker's own clock: what counts is that it changes, see ``stalled``.
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    # When a worker was last woken for this row: the sweep wakes again only after a while.
    woken_at = models.DateTimeField(null=True, blank=True, editable=False)
    failure = models.CharField(max_length=500, blank=True)  # our own failure of the last attempt, for operators

    class Meta:
        abstract = True
