"""Drafts of bots, and runs that test them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes
from arena.submissions.models import Bot


class Draft(models.Model):
    """The files that a person is editing: one draft per bot and person, and one for a new bot of each game."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="drafts")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="drafts")  # empty: a new bot
    game = models.CharField(max_length=32)
    files = models.JSONField(default=dict)  # text by path
    # Files that the editor does not show, such as weights, by path; stored in this package.
    kept = models.JSONField(default=list)
    base_sha256 = models.CharField(max_length=64, blank=True)
    opponents = models.JSONField(default=list)  # ids of the last run's bots
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "bot"], name="one_draft_per_bot_and_person"),
            models.UniqueConstraint(
                fields=["person", "game"], condition=models.Q(bot=None), name="one_draft_of_a_new_bot"
            ),
        ]

    def __str__(self) -> str:
        return f"draft {self.pk}"


class RunStatus(models.TextChoices):
    """Status of a run: queued, running, then one of three ends."""

    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Live")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")  # by its author, or by starting another run
    VOID = "void", _("Void")  # because of the arena, three times


UNFINISHED = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(Job):
    """One or more games of a draft against bots of the arena; private to its author and unrated."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="runs")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="runs")
    game = models.CharField(max_length=32)
    package = models.BinaryField()  # an archive of the files at its start; emptied at the end
    name = models.CharField(max_length=80)  # of the draft's bot
    # The other seats in order: "submission", and display data of the bot.
    opponents = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    seed = models.BigIntegerField()  # of the first game, incremented for the others
    first_seat = models.PositiveSmallIntegerField(default=0)  # of the draft in the first game; then it moves on by one
    games = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    results = models.JSONField(default=list)  # of each finished game: "score" of 1, "points" and "rank" of the draft
    record = models.BinaryField(default=bytes)  # of the last game
    log = models.BinaryField(default=bytes)  # the draft's output in it
    marks = models.JSONField(default=list)  # bytes of the log at the end of each turn, turn 0 first
    faults = models.JSONField(default=list)  # diagnoses of the last game: rejected answers, then a fatal fault
    lost = models.BooleanField(default=False)  # whether the last of the faults ended the game for the draft
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            *fair_share_indexes(),
            models.Index(fields=["status", "lease_until"]),
            models.Index(fields=["person", "-created_at"]),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"
