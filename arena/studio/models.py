"""Drafts of bots, and the runs that try them out."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes
from arena.submissions.models import Bot


class Draft(models.Model):
    """The files that somebody is editing: one draft for each bot and person, and one for a new bot of each game."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="drafts")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="drafts")  # empty: a new bot
    game = models.CharField(max_length=32)
    files = models.JSONField(default=dict)  # text by path
    # Files that the editor does not show, such as weights, by path; they are in this package of the store.
    kept = models.JSONField(default=list)
    base_sha256 = models.CharField(max_length=64, blank=True)
    opponents = models.JSONField(default=list)  # ids of the bots that the last run was against
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
    """The life of a run: queued, running, then one of three ends."""

    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Live")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")  # by its author, or because they started another one
    VOID = "void", _("Void")  # our own failure, three times over


UNFINISHED = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(Job):
    """One or more games of a draft against bots of the arena; private to its author and counted nowhere."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="runs")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="runs")
    game = models.CharField(max_length=32)
    package = models.BinaryField()  # an archive of the files as they were; emptied when the run has ended
    name = models.CharField(max_length=80)  # of the draft's bot
    # The seats beside the draft's own in their order: "submission", and what pages show of the bot.
    opponents = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    seed = models.BigIntegerField()  # of the first game; the others count on from it
    first_seat = models.PositiveSmallIntegerField(default=0)  # of the draft in the first game; then it moves on by one
    games = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    results = models.JSONField(
        default=list
    )  # of each game that has ended: "score" of 1, "points" and "rank" of the draft
    record = models.BinaryField(default=bytes)  # of the last game
    log = models.BinaryField(default=bytes)  # what the draft printed in it
    marks = models.JSONField(default=list)  # bytes of the log at the end of each turn, turn 0 first
    faults = models.JSONField(default=list)  # diagnoses of the last game: refused answers, then the fault that ended it
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
