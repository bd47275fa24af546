"""The activity log of a tournament."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.matches.models import Match
from arena.tournaments.models.entry import Entry
from arena.tournaments.models.tournament import Tournament


class ActivityKind(models.TextChoices):
    """The kinds of activity."""

    CREATED = "created", _("The tournament was created")
    ENTERED = "entered", _("A bot entered")
    WITHDRAWN = "withdrawn", _("A bot was withdrawn")
    EXCLUDED = "excluded", _("A bot was excluded")
    INVITED = "invited", _("People were invited")  # visible only to the organizer
    EXTENDED = "extended", _("The deadline was extended")
    FROZEN = "frozen", _("Entries were frozen")
    ORDERED = "ordered", _("Start requested")  # before the scheduled time, or if there is none
    STARTED = "started", _("The tournament started")
    PAUSED = "paused", _("The tournament was paused")
    RESUMED = "resumed", _("The tournament was resumed")
    FINISHED = "finished", _("The tournament finished")
    CANCELLED = "cancelled", _("The tournament was cancelled")
    CHANGED = "changed", _("The settings were changed")
    MATCH_VOID = "match_void", _("A match could not be played")
    RERUN = "rerun", _("A match is being rerun")  # the match was void
    REPLACED = "replaced", _("A finished match is being rerun")  # ``match`` is the new match
    SUBSTITUTED = "substituted", _("A bot switched to another version")
    ANNOUNCED = "announced", _("The organizer posted an announcement")
    RELEASED = "released", _("The results were released")


class Activity(models.Model):
    """One line of a tournament's activity log; every change to the tournament adds one.

    ``text``: a reason or an announcement, written by the organizer. ``details`` by kind: EXTENDED ``before`` and
    ``after`` (ISO), SUBSTITUTED ``before`` and ``after`` (version numbers), ANNOUNCED ``title``, INVITED ``people``,
    REPLACED ``replaced`` (the old match).
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="activities")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=12, choices=ActivityKind)
    actor = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="+")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="+")
    text = models.TextField(max_length=2000, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
