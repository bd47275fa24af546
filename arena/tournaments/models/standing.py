"""Where a tournament stands, as it was last computed."""

from django.db import models
from django.utils import timezone

from arena.tournaments.models.tournament import Tournament


class Standing(models.Model):
    """What was computed with the figures of the entries: progress and crosstable, as of ``counted`` results.

    ``head_to_head`` is what snapshots show; empty where it would be too large.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="standing")
    counted = models.PositiveBigIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)  # not computed again before
    busy_until = models.DateTimeField(null=True, blank=True)  # somebody computes it
    total = models.PositiveIntegerField(default=0)
    finished = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    mean_seconds = models.FloatField(null=True, blank=True)  # of the finished matches
    head_to_head = models.JSONField(default=dict)

    class Meta:
        ordering = ["tournament"]
