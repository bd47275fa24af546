"""Columns of a job; see ``lifecycle``."""

from django.db import models


def fair_share_indexes(*scope: str, running: str = "running") -> list[models.Index]:
    """Return the indexes that ``fair_share`` uses to choose a row.

    ``scope``: the columns that identify a group of rows sharing processes.

    The few running rows have a partial index, which the planner uses regardless of its statistics. Judging by the
    number of distinct values, the planner would expect as many running rows as finished rows, and scan the table.
    """
    return [
        models.Index(fields=[*scope, "party"], condition=models.Q(status=running), name="%(class)s_running"),
        models.Index(fields=["-served"], name="%(class)s_turns"),
        models.Index(fields=[*scope, "party", "-served"], name="%(class)s_shares"),
    ]


class Job(models.Model):
    """A row that at most one worker works on at a time; concrete models add ``status``."""

    fence = models.PositiveIntegerField(default=0, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    worker = models.CharField(max_length=120, blank=True, editable=False)
    # The requesting party (see ``fair_share``), and the number of the row's last claim, counted per model; two
    # simultaneous claims may share a number.
    party = models.CharField(max_length=80, blank=True, editable=False)
    served = models.PositiveBigIntegerField(default=0, editable=False)
    # Set by every heartbeat from the worker's own clock; only changes to it matter, see ``stalled``.
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    # When a worker was last woken for this row: the sweep repeats wake-ups at intervals.
    woken_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The arena's failure in the last attempt, as ``Message.to_json("message")``.
    failure = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    @property
    def failure_text(self) -> str:
        """Return the failure in English, for the admin pages and exports."""
        return self.failure["message"] if self.failure else ""
