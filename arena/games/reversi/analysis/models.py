"""Requested and finished analyses of Reversi matches by the engine.

Invariants: a match, or a line that a person set up, has one analysis per version of the engine; only the worker that
holds the lease writes findings, which never change once the analysis is done.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes


class AnalysisStatus(models.TextChoices):
    """The state of an analysis; a failed one can be requested again."""

    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Being analysed")
    DONE = "done", _("Analysed")
    FAILED = "failed", _("Failed")  # the arena failed three times


class Analysis(Job):
    """A line of moves and an engine's findings.

    The analysis of a match is visible to everybody who may see the match.
    """

    match = models.ForeignKey("matches.Match", models.CASCADE, null=True, blank=True, related_name="analyses")
    board = models.CharField(max_length=64)  # see arena.games.reversi.lines
    side = models.CharField(max_length=1)
    moves = models.CharField(max_length=128, blank=True)
    digest = models.CharField(max_length=64)  # digest of the three fields above
    engine = models.CharField(max_length=40)  # version and time limits of the engine
    status = models.CharField(max_length=8, choices=AnalysisStatus, default=AnalysisStatus.WAITING)
    requested_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    requested_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    positions = models.PositiveSmallIntegerField()  # number of positions to evaluate
    findings = models.JSONField(default=list)  # in order of computation; see arena.games.reversi.move_grades

    class Meta:
        verbose_name_plural = "analyses"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "engine"], condition=models.Q(match__isnull=False), name="match_analysed_once"
            ),
            models.UniqueConstraint(
                fields=["digest", "engine"], condition=models.Q(match__isnull=True), name="line_analysed_once"
            ),
        ]
        indexes = [
            *fair_share_indexes(),
            models.Index(fields=["status", "id"]),
            models.Index(fields=["requested_by", "-requested_at"]),
        ]

    def __str__(self) -> str:
        return f"analysis {self.pk}"
