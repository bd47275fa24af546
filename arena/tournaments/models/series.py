"""The model of recurring tournaments."""

from datetime import timedelta
from typing import Final

from django.db import models

from arena.tournaments.models.tournament import NAME_LENGTH

NO_ORGANIZER: Final = "no_organizer"  # the organizer may no longer run tournaments


class Series(models.Model):
    """A series of weekly tournaments, called its editions.

    ``plan``: the fields of a TournamentPlan, except its times.
    """

    organizer = models.ForeignKey("accounts.User", models.CASCADE, related_name="series")
    name = models.CharField(max_length=NAME_LENGTH)
    plan = models.JSONField()
    house_bots = models.JSONField(default=list)
    weekday = models.PositiveSmallIntegerField()  # Monday is 0
    at = models.TimeField()  # wall-clock time in the series' time zone
    time_zone = models.CharField(max_length=64)
    closes_before = models.DurationField(default=timedelta)  # from the submission deadline to the start
    next_at = models.DateTimeField()  # start of the next edition to be created
    is_active = models.BooleanField(default=True)
    problem = models.CharField(max_length=40, blank=True)  # NO_ORGANIZER or the code of the refusal that stopped it
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["is_active", "next_at"])]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name
