"""Drafts of bots, and runs that test them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes
from arena.submissions.models import Bot


class Draft(models.Model):
    """The files that a person is editing: one draft per bot and person, and one for a new bot in each game."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="drafts")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="drafts")  # empty: a new bot
    game = models.CharField(max_length=32)
    files = models.JSONField(default=dict)  # contents by path
    # Paths of files that the editor does not show, such as weights, and the hash of the package that contains them.
    kept = models.JSONField(default=list)
    base_sha256 = models.CharField(max_length=64, blank=True)
    opponents = models.JSONField(default=list)  # ids of the bots in the last run
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
    """The status of a run: queued, running, or one of three final states."""

    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Live")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")  # by its author, or because another run was started
    VOID = "void", _("Void")  # the arena failed three times


UNFINISHED = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(Job):
    """One or more matches of a draft against bots in the arena; private to its author and unrated."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="runs")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="runs")
    game = models.CharField(max_length=32)
    package = models.BinaryField()  # an archive of the files as of the request; emptied when the run ends
    sha256 = models.CharField(max_length=64, blank=True)  # hash of these files; "" for runs of older releases
    checksum = models.BigIntegerField(null=True)  # of the files in the editor; None for runs of older releases
    name = models.CharField(max_length=80, blank=True)  # name of the draft's bot, "" before its first submission
    # The other seats in order: "submission", and the bot's data for display.
    opponents = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    seed = models.BigIntegerField()  # seed of the first match, incremented for each further one
    # the draft's seat in the first match; it advances by one in each further match
    first_seat = models.PositiveSmallIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    # for each finished match: "seat", "rank", "points" and "score" (0 to 1) of the draft
    results = models.JSONField(default=list)
    record = models.BinaryField(default=bytes)  # record of the last match
    log = models.BinaryField(default=bytes)  # the draft's output in the last match
    marks = models.JSONField(default=list)  # length of the log in bytes at the end of each turn, starting with turn 0
    faults = models.JSONField(default=list)  # diagnoses of all matches: rejected answers, then a fatal fault
    # number of the live event with the result; None without a result and for runs of older releases
    last_event = models.PositiveBigIntegerField(null=True)
    lost = models.BooleanField(default=False)  # whether the last fault ended the run: in a series, at the bot's start
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
