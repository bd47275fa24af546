"""Version tests, their pairs of matches, and the matches of each pair.

Invariant: everything in tests and pairs except the plan is derived from the results of their matches.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_test import Gain, GainVerdict
from arena.matches.models import Match
from arena.submissions.models import Bot, Submission


class VersionTestStatus(models.TextChoices):
    """The status of a test, which alternates between waiting and running until it reaches one of three final states."""

    WAITING = "waiting", _("Waiting for idle workers")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")  # ended with a result
    CANCELLED = "cancelled", _("Cancelled")  # cancelled by a person
    FAILED = "failed", _("Failed")  # the arena could not play its matches


ACTIVE = (VersionTestStatus.WAITING, VersionTestStatus.RUNNING)
_MODELS = [(model.value, model.value) for model in EloModel]
_GAINS = [(gain.value, gain.value) for gain in Gain]
_VERDICTS = [(verdict.value, verdict.value) for verdict in GainVerdict]


class VersionTest(models.Model):
    """A test of whether the version ``new`` of a bot is better than ``old``."""

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="version_tests")
    number = models.PositiveIntegerField()
    author = models.ForeignKey("accounts.User", models.CASCADE, related_name="version_tests")
    new = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    old = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    gain = models.CharField(max_length=8, choices=_GAINS)
    elo_model = models.CharField(max_length=10, choices=_MODELS, default=EloModel.LOGISTIC.value)
    seed = models.BigIntegerField()
    most_pairs = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=VersionTestStatus, default=VersionTestStatus.WAITING)
    verdict = models.CharField(max_length=16, choices=_VERDICTS, default=GainVerdict.RUNNING.value)
    # The state after the first ``folded`` pairs, of which ``skipped`` had no result; see ``evidence.py``.
    folded = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    evidence = models.JSONField(default=dict)
    event_seq = models.PositiveIntegerField(default=0)  # number of the last live event
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="test_numbered_once_per_bot"),
            models.UniqueConstraint(
                fields=["author"], condition=models.Q(status__in=["waiting", "running"]), name="one_test_at_a_time"
            ),
        ]
        indexes = [models.Index(fields=["status"], name="version_tests_status")]

    def __str__(self) -> str:
        return f"test {self.number} of bot {self.bot_id}"


class PairStatus(models.TextChoices):
    """The status of a pair."""

    OPEN = "open", "open"
    COUNTED = "counted", "counted"
    SKIPPED = "skipped", "skipped"  # one of its matches became void


class MatchPair(models.Model):
    """Two matches with the same seed and opening but swapped seats, or one match if seats are independent."""

    test = models.ForeignKey(VersionTest, models.CASCADE, related_name="pairs")
    number = models.PositiveIntegerField()  # from 1, in planning order
    opening = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=8, choices=PairStatus, default=PairStatus.OPEN)
    result = models.FloatField(null=True)  # 0 to 2 points, or the new version's advantage per match
    better = models.FloatField(null=True)  # the log-likelihood ratios after this pair
    worse = models.FloatField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["test", "number"], name="pair_numbered_once")]


class PairMatch(models.Model):
    """A match of a pair; ``match`` is replaced if it had to yield to other work."""

    pair = models.ForeignKey(MatchPair, models.CASCADE, related_name="matches")
    leg = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.PROTECT, related_name="version_test_match")

    class Meta:
        ordering = ["leg"]
        constraints = [models.UniqueConstraint(fields=["pair", "leg"], name="leg_of_pair_once")]
