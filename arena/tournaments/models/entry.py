"""A tournament's entries and invitations, and the reasons why entries do not play."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.submissions.models import Bot, Submission
from arena.tournaments.models.tournament import Tournament


class EntryStatus(models.TextChoices):
    """The status of an entry: whether it plays."""

    ENTERED = "entered", _("Entered")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    EXCLUDED = "excluded", _("Excluded")  # no submission had passed its check at the deadline


class EntryReason(models.TextChoices):
    """The reason why an entry does not play."""

    NO_UPLOAD = "no_upload", _("No version was uploaded before entries closed.")
    CHECK_FAILED = "check_failed", _("No version had passed its check when entries closed.")
    CHECK_UNFINISHED = "check_unfinished", _("The check had not finished ten minutes after entries closed.")
    CHECK_VOID = "check_void", _("The arena could not run the check; the organizer has been notified.")
    RETIRED = "retired", _("The bot was retired by its author before entries closed.")
    BY_AUTHOR = "by_author", _("Withdrawn by its author.")
    BY_ORGANIZER = "by_organizer", _("Withdrawn by the organizer.")


class Entry(models.Model):
    """A bot in a tournament; freezing pins its submission. The numeric columns are its standing."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="entries")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, blank=True, related_name="entries")
    status = models.CharField(max_length=10, choices=EntryStatus, default=EntryStatus.ENTERED)
    reason = models.CharField(max_length=20, choices=EntryReason, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # from 1, set at the start; required for pairing
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # The line in the standings, from 1: by rank (in a bracket, also by worst place), then by points and tiebreaks.
    # Empty for entries without a rank.
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(default=0)
    played = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    margin = models.FloatField(default=0)
    mean_rank = models.FloatField(null=True, blank=True)  # at tables with more than two seats; empty if there were none
    # The range of places that it can still reach, see arena.core.ranking.possible_places; empty if unknown.
    best_place = models.PositiveSmallIntegerField(null=True, blank=True)
    worst_place = models.PositiveSmallIntegerField(null=True, blank=True)
    places_gained = models.SmallIntegerField(default=0)  # places gained since the last round; negative: lost
    tiebreaks = models.JSONField(default=list)  # a value, or null, for each of the tournament's tiebreaks

    class Meta:
        ordering = ["tournament", "rank", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "bot"], name="entered_once")]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"


class Invitation(models.Model):
    """A person's invitation to enter a tournament."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invitations")
    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="invitations")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "person"], name="invited_once")]
