"""Matches, their seats and records."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.core.referee.bot_seeds import new_secret
from arena.platform.jobs.models import Job, fair_share_indexes
from arena.submissions.models import Submission


class MatchStatus(models.TextChoices):
    """The life of a match: planned or queued, running, then one of three ends."""

    PLANNED = "planned", _("Waiting for its turn")  # its tournament releases it later
    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Live")
    FINISHED = "finished", _("Finished")
    VOID = "void", _("Void")  # cancelled by our own failure: unscored
    CANCELLED = "cancelled", _("Cancelled")  # withdrawn before its end by a person


class Purpose(models.TextChoices):
    """Why a match is played; decides its queue and whether it is rated."""

    SCRIMMAGE = "scrimmage", _("Scrimmage")  # requested by a person, unrated
    TOURNAMENT = "tournament", _("Tournament")  # a pairing of a tournament, rated
    LADDER = "ladder", _("Ladder")  # by the arena itself when workers are idle, rated
    DUEL = "duel", _("Person against bot")  # a person plays in the browser, unrated
    VERSION_TEST = "version_test", _("Version test")  # two versions of a bot when workers are idle, unrated


RATED: Final = (Purpose.TOURNAMENT, Purpose.LADDER)
# The matches that ratings count: finished, rated, for everybody to see and not replaced by another one.
_COUNTED: Final = models.Q(
    status=MatchStatus.FINISHED, purpose__in=RATED, audience=None, withheld=False, replaced_by=None
)


class Match(Job):
    """One refereed play, pinned to submissions and a seed."""

    game = models.CharField(max_length=32)
    settings = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    # What the seeds of the bots follow from: nobody may learn it before the end, when the record tells it.
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    purpose = models.CharField(max_length=12, choices=Purpose)
    status = models.CharField(max_length=10, choices=MatchStatus, default=MatchStatus.QUEUED)
    # Of a tournament's match: its organizer.
    requested_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    # The class whose members alone may see it; empty: everybody. Without an index, which SQLite would take for the
    # shortest way to the newest matches and then sort all of them.
    audience = models.ForeignKey(
        "classes.Course", models.PROTECT, null=True, blank=True, db_index=False, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    withheld = models.BooleanField(default=False)  # nobody but its organizer and staff sees it yet
    # The match that counts instead, where an organizer had it played again; its own record is kept.
    replaced_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, db_index=False, related_name="replaced"
    )
    play_digest = models.CharField(max_length=64, blank=True)  # of settings, submissions and moves: repeats are equal
    termination = models.CharField(max_length=16, blank=True)
    turns = models.PositiveIntegerField(default=0)
    # Computed by the database, so that one column says it and an index can hold these matches alone.
    is_counted = models.GeneratedField(
        expression=models.ExpressionWrapper(_COUNTED, output_field=models.BooleanField()),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [
            *fair_share_indexes("purpose"),
            models.Index(fields=["status", "lease_until"]),
            models.Index(fields=["game", "status", "-id"]),
            models.Index(fields=["purpose", "status", "game"]),
            models.Index(fields=["status", "finished_at"]),
            # Lists of a game or a purpose, the newest first, however rare it is.
            models.Index(fields=["game", "-id"], name="matches_by_game"),
            models.Index(fields=["purpose", "-id"], name="matches_by_purpose"),
            models.Index(fields=["play_digest"]),
            # Answers alone how many count of a day, and the sum of their ids.
            models.Index(
                fields=["game", "finished_at", "id"], condition=models.Q(is_counted=True), name="matches_counted"
            ),
            # Of the few that were replaced; one of all rows would mislead SQLite, as one of ``audience`` would.
            models.Index(
                fields=["replaced_by"], condition=models.Q(replaced_by__isnull=False), name="matches_replaced"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"


class Seat(models.Model):
    """A numbered place in a match, the submission or person that holds it, and how it ended for it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    # Empty where a person sits: ``person``, or a guest without an account.
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, db_index=False, related_name="seats"
    )
    person = models.ForeignKey(
        "accounts.User", models.SET_NULL, null=True, blank=True, db_index=False, related_name="seats"
    )
    clock = models.PositiveIntegerField(null=True, blank=True)  # seconds for all its turns; a person's alone
    points = models.FloatField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    margin = models.FloatField(null=True, blank=True)
    fault = models.CharField(max_length=16, blank=True)
    fault_turn = models.PositiveIntegerField(null=True, blank=True)
    seconds = models.FloatField(default=0)  # thinking time charged over the match
    slowest = models.FloatField(default=0)  # the longest single move charged
    moves = models.PositiveIntegerField(default=0)  # how many it made, for its mean; 0, too, where nobody counted them

    class Meta:
        ordering = ["match", "index"]
        indexes = [
            # The matches of a bot or a person by id, see arena.matches.listing.
            models.Index(fields=["submission", "match"], name="matches_of_submission"),
            models.Index(
                fields=["person", "match"], condition=models.Q(person__isnull=False), name="matches_of_person"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seated_once"),
            models.CheckConstraint(
                condition=models.Q(submission=None) | models.Q(person=None, clock=None), name="bot_or_person"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of {self.match_id}"

    @property
    def bots_submission(self) -> Submission:
        """Of a seat that a bot holds, as bots hold all but those of duels."""
        if self.submission is None:
            raise ValueError(f"{self} is a person's")
        return self.submission


class SeatReport(models.Model):
    """What only the author and staff may read of a seat: its log, why it lost, which answers were refused."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="report")
    log = models.BinaryField(default=bytes)
    diagnosis = models.JSONField(null=True)
    refused = models.JSONField(default=list)  # a diagnosis for each illegal answer after which it was asked again
    # Turn, begin and end in the log of each turn in which it printed something.
    printed = models.JSONField(default=list)


class MatchHistory(models.Model):
    """The turns of a long finished match as its page shows them; computed from the record, so it may be deleted."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="history")
    version = models.CharField(max_length=16)  # of the code that computed it
    turns = models.PositiveIntegerField()  # how many, turn 0 included
    pages = models.JSONField()  # the number of the first turn of each page
    overview = models.JSONField(null=True)  # what the game's view shows of all turns


class TurnPage(models.Model):
    """Some turns of a long match in a row; ``data``: JSON as browsers get it, compressed by gzip."""

    history = models.ForeignKey(MatchHistory, models.CASCADE, related_name="turn_pages")
    first = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["history", "first"], name="page_of_turns_once")]


class FailureKind(models.TextChoices):
    """How an attempt to play a match failed by our own fault."""

    FAILURE = "failure", "failure"  # the referee, the sandbox or our code; with a reason
    WORKER_LOST = "lost", "its worker was lost"
    UNKNOWN = "unknown", "unknown"


class FailedAttempt(models.Model):
    """One attempt to play a match that failed by our own fault; kept whatever becomes of the match."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="failed_attempts")
    fence = models.PositiveIntegerField()  # of the attempt's lease
    kind = models.CharField(max_length=8, choices=FailureKind)
    at = models.DateTimeField()
    worker = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=300, blank=True)  # English, see arena.core.referee.faults.reason_of
    seat = models.PositiveSmallIntegerField(null=True)  # the one that was being asked, where that is known
    voided = models.BooleanField(default=False)  # the match became void with it

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["at"], condition=models.Q(voided=True), name="matches_voided_at")]

    def __str__(self) -> str:
        return f"failed attempt at match {self.match_id}"


class ThinnedMatch(models.Model):
    """A match whose logs were deleted, and whose record was moved or deleted, see arena.matches.retention."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="thinned")
    at = models.DateTimeField()
    content = models.CharField(max_length=64, blank=True)  # the record's name in the store; empty: it was deleted


class RetentionPass(models.Model):
    """One run of ``arena.matches.retention`` that thinned out matches, for operators."""

    at = models.DateTimeField()
    before = models.DateTimeField()  # matches that had ended by then were due
    is_moved = models.BooleanField()  # records went to the store; otherwise they were deleted
    matches = models.PositiveIntegerField(default=0)
    # Bytes of records, logs and pages of turns that left the database.
    freed = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"retention pass {self.pk}"


class MatchRecord(models.Model):
    """The canonical log of a finished match, compressed; see arena.core.referee.record."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="record")
    version = models.PositiveSmallIntegerField()
    data = models.BinaryField()
