"""Judgements of long matches."""

from __future__ import annotations

from django.db import models

from arena.matches.models import Match
from arena.platform.jobs.models import Job, fair_share_indexes


class JudgementStatus(models.TextChoices):
    """The states of a judgement that a worker computes."""

    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"  # the arena failed three times


class StoredJudgement(Job):
    """The ``Judgement`` of a match, by the newest version of the policy that was asked for a judgement.

    ``data``: the judgement as JSON, compressed with zlib; empty unless ready.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="+")
    version = models.CharField(max_length=16)
    status = models.CharField(max_length=8, choices=JudgementStatus, default=JudgementStatus.WAITING)
    data = models.BinaryField(default=bytes)

    class Meta:
        indexes = [
            *fair_share_indexes(),
            models.Index(fields=["status"], condition=~models.Q(status="ready"), name="judgements_not_ready"),
        ]

    def __str__(self) -> str:
        return f"judgement of match {self.match_id}"
