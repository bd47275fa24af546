"""Judgements of long matches."""

from __future__ import annotations

from django.db import models

from arena.matches.models import Match


class StoredJudgement(models.Model):
    """The policy's ``Judgement`` of a match as JSON, compressed with zlib; one per version."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="+")
    version = models.CharField(max_length=16)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"judgement of match {self.match_id}"
