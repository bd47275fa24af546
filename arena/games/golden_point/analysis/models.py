"""Stored reports on matches that take too long to analyse within a page request.

Invariants: the source of a report never changes, so a finished report remains valid until a change to the analysis
increments ``version``. Permission to see the source is checked on every page.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes


class ReportStatus(models.TextChoices):
    """The states of a report that a worker computes."""

    WAITING = "waiting", _("Waiting for a worker")
    RUNNING = "running", _("In progress")
    READY = "ready", _("Ready")
    FAILED = "failed", _("Failed")  # the arena failed three times


class StoredReport(Job):
    """The report on one large match or recording. ``data``: the result of ``evaluation.report.pack``."""

    source = models.CharField(max_length=80)  # the source's ``Source.id``
    version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=ReportStatus, default=ReportStatus.WAITING)
    percent = models.PositiveSmallIntegerField(default=0)
    data = models.BinaryField(default=bytes)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["source", "version"], name="report_once")]
        indexes = [
            *fair_share_indexes(),
            models.Index(fields=["status"], condition=~models.Q(status="ready"), name="reports_not_ready"),
        ]

    def __str__(self) -> str:
        return f"report of {self.source}"
