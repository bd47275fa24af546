"""Bots and their numbered, immutable submissions."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.platform.jobs.models import Job, fair_share_indexes
from arena.platform.lookalikes import SKELETON_LENGTH, skeleton

NAME_LENGTH = 40


class SubmissionStatus(models.TextChoices):
    """The state of a submission's check."""

    WAITING = "waiting", _("Waiting for its check")
    CHECKING = "checking", _("Being checked")
    PASSED = "passed", _("Passed")
    FAILED = "failed", _("Failed")
    VOID = "void", _("Check could not run")  # the arena failed three times; the author may request another check


class Bot(models.Model):
    """A long-lived competitor with an owner; plays one game with its active submission."""

    owner = models.ForeignKey("accounts.User", models.CASCADE, related_name="bots")
    game = models.CharField(max_length=32)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    # None if the bot was created before skeletons were compared, and its name resembles that of its owner's other bot.
    skeleton = models.CharField(max_length=SKELETON_LENGTH, null=True, editable=False)
    description = models.CharField(_("description"), max_length=300, blank=True)
    # For a house bot, by language: "name" and "description" if they differ from the columns above, and the paragraphs
    # of its "introduction".
    texts = models.JSONField(default=dict, editable=False)
    active = models.ForeignKey("Submission", models.SET_NULL, null=True, blank=True, related_name="+")
    is_house = models.BooleanField(default=False)
    # For a house bot that people play against: its level (1 is the weakest). These bots are not on the ladder.
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    # Whether people may play against it. They may unless its author forbids it, because any bot can already play a
    # scrimmage against it and observe every move.
    plays_people = models.BooleanField(default=True)
    retired = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint("owner", "game", Lower("name"), name="one_name_per_owner_and_game"),
            models.UniqueConstraint(fields=["owner", "game", "skeleton"], name="no_bot_looks_like_another"),
        ]
        indexes = [models.Index(fields=["game", "retired", "name"])]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the bot, and the skeleton of its name (see ``lookalikes``)."""
        if update_fields is None or "name" in update_fields:
            if self._state.adding or self.skeleton is not None:
                self.skeleton = skeleton(self.name)
            update_fields = None if update_fields is None else {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)


class Submission(Job):
    """One upload of a bot. Only the columns that describe its check ever change."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="submissions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=120)
    size = models.PositiveIntegerField()
    uploaded_at = models.DateTimeField(auto_now_add=True)

    status = models.CharField(max_length=10, choices=SubmissionStatus, default=SubmissionStatus.WAITING)
    asked_at = models.DateTimeField(default=timezone.now)  # when the current check was requested
    steps = models.JSONField(default=list)  # the steps of the check for its page; private to the owner
    log = models.BinaryField(default=bytes)  # the bot's output during the check
    record = models.BinaryField(null=True)  # record of the check's short match
    position = models.JSONField(null=True)  # the position in which it failed, see arena.core.referee.position; private
    event_seq = models.PositiveIntegerField(default=0)  # the last live event sent about the check
    checked_at = models.DateTimeField(null=True, blank=True)
    # When retention deleted the log, the record and the position.
    output_deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["bot", "number"], name="numbered_once_per_bot")]
        indexes = [
            *fair_share_indexes(running="checking"),
            models.Index(fields=["status", "lease_until"]),
            models.Index(fields=["checked_at"], condition=models.Q(output_deleted_at=None), name="checks_with_output"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"
