"""Matches, their seats and records."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.core.referee.bot_seeds import new_secret
from arena.platform.jobs.models import Job, fair_share_indexes
from arena.submissions.models import Submission


class MatchStatus(models.TextChoices):
    """The states of a match: planned or queued, running, then one of three final states."""

    PLANNED = "planned", _("Scheduled")  # its tournament releases it later
    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Live")
    FINISHED = "finished", _("Finished")
    VOID = "void", _("Void")  # cancelled because of an arena failure: unscored
    CANCELLED = "cancelled", _("Cancelled")  # cancelled by a person


class Purpose(models.TextChoices):
    """The purpose of a match, which decides its queue and whether it is rated."""

    SCRIMMAGE = "scrimmage", _("Scrimmage")  # requested by a person, unrated
    TOURNAMENT = "tournament", _("Tournament")  # a pairing in a tournament, rated
    LADDER = "ladder", _("Ladder")  # requested by the arena for idle workers, rated
    DUEL = "duel", _("Match against a bot")  # a person plays in the browser, unrated
    VERSION_TEST = "version_test", _("Version test")  # two versions of a bot on idle workers, unrated


RATED: Final = (Purpose.TOURNAMENT, Purpose.LADDER)
# The matches that affect ratings: finished, rated, public and not replaced.
_COUNTED: Final = models.Q(
    status=MatchStatus.FINISHED, purpose__in=RATED, audience=None, withheld=False, replaced_by=None
)


class Match(Job):
    """One match, pinned to submissions and a seed."""

    game = models.CharField(max_length=32)
    settings = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    # Base of the bots' seeds: secret until the match is over, when the record reveals it.
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    purpose = models.CharField(max_length=12, choices=Purpose)
    status = models.CharField(max_length=10, choices=MatchStatus, default=MatchStatus.QUEUED)
    # For a tournament match, the organizer.
    requested_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    # The class whose members may see it; empty: public. There is no index, because SQLite would prefer it for the
    # newest matches and then sort all of them.
    audience = models.ForeignKey(
        "classes.Course", models.PROTECT, null=True, blank=True, db_index=False, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    withheld = models.BooleanField(default=False)  # visible only to its organizer and staff for now
    # The replacement that counts instead; this match keeps its record.
    replaced_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, db_index=False, related_name="replaced"
    )
    # digest of settings, submissions and moves: the same for repeats
    play_digest = models.CharField(max_length=64, blank=True)
    termination = models.CharField(max_length=16, blank=True)
    turns = models.PositiveIntegerField(default=0)
    # A generated column, so that one column defines which matches count, and an index can contain only these.
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
            # For lists by game, purpose or status, newest first, however rare the value is.
            models.Index(fields=["game", "-id"], name="matches_by_game"),
            models.Index(fields=["purpose", "-id"], name="matches_by_purpose"),
            models.Index(fields=["status", "-id"], name="matches_by_status"),
            models.Index(fields=["purpose", "status", "-id"], name="matches_by_purpose_state"),
            models.Index(fields=["play_digest"]),
            # Covering index for the daily number of rated matches and the sum of their ids.
            models.Index(
                fields=["game", "finished_at", "id"], condition=models.Q(is_counted=True), name="matches_counted"
            ),
            # Only the few replaced matches: an index of all rows would mislead SQLite, as would an index of
            # ``audience``.
            models.Index(
                fields=["replaced_by"], condition=models.Q(replaced_by__isnull=False), name="matches_replaced"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"


class Seat(models.Model):
    """A numbered seat in a match, its submission or person, and its result."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    # Empty for a person, who is ``person`` or a guest without an account.
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, db_index=False, related_name="seats"
    )
    person = models.ForeignKey(
        "accounts.User", models.SET_NULL, null=True, blank=True, db_index=False, related_name="seats"
    )
    clock = models.PositiveIntegerField(null=True, blank=True)  # total seconds for all its turns; only for people
    points = models.FloatField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    margin = models.FloatField(null=True, blank=True)
    # The seat's count in the last position, such as its pieces, in games that count something; see GameSite.counts.
    count = models.IntegerField(null=True, blank=True)
    fault = models.CharField(max_length=16, blank=True)
    fault_turn = models.PositiveIntegerField(null=True, blank=True)
    seconds = models.FloatField(default=0)  # thinking time charged over the match
    slowest = models.FloatField(default=0)  # the longest thinking time charged for a single move
    moves = models.PositiveIntegerField(default=0)  # number of moves, for the mean time; also 0 if unknown

    class Meta:
        ordering = ["match", "index"]
        indexes = [
            # The matches of a bot or a person by id; see arena.matches.listing.
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
        """Return the submission in this seat. Raises ValueError if the seat has none, which happens only in duels."""
        if self.submission is None:
            raise ValueError(f"{self} belongs to a person, so it has no submission")
        return self.submission


class SeatReport(models.Model):
    """The private data of a seat for its author and staff: log, fault, rejected answers."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="report")
    log = models.BinaryField(default=bytes)
    diagnosis = models.JSONField(null=True)
    refused = models.JSONField(default=list)  # a diagnosis for each rejected answer
    # For each turn with output: its number, and the beginning and end of its output in the log.
    printed = models.JSONField(default=list)


class MatchHistory(models.Model):
    """The turns of a long match that has finished, for its page; computed from the record, so rows can be deleted."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="history")
    version = models.CharField(max_length=16)  # version of the code that computed them
    turns = models.PositiveIntegerField()  # number of turns, including turn 0
    pages = models.JSONField()  # number of the first turn on each page
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    overview = models.JSONField(null=True)  # data of all turns for the game's view


class TurnPage(models.Model):
    """A page of consecutive turns of a long match; ``data``: gzip-compressed JSON for browsers."""

    history = models.ForeignKey(MatchHistory, models.CASCADE, related_name="turn_pages")
    first = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["history", "first"], name="page_of_turns_once")]


class FailureKind(models.TextChoices):
    """The kind of arena failure that ended an attempt to play a match."""

    FAILURE = "failure", "failure"  # a failure of the referee, the sandbox or other arena code; with a reason
    WORKER_LOST = "lost", "its worker was lost"
    UNKNOWN = "unknown", "unknown"


class FailedAttempt(models.Model):
    """A failed attempt to play a match, kept permanently."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="failed_attempts")
    fence = models.PositiveIntegerField()  # fencing token of the attempt's lease
    kind = models.CharField(max_length=8, choices=FailureKind)
    at = models.DateTimeField()
    worker = models.CharField(max_length=120, blank=True)
    reason = models.JSONField()  # ``Message.to_json("message")``, see arena.core.referee.faults.reason_of
    seat = models.PositiveSmallIntegerField(null=True)  # the seat being asked, if known
    voided = models.BooleanField(default=False)  # whether the match became void with this attempt

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["at"], condition=models.Q(voided=True), name="matches_voided_at")]

    def __str__(self) -> str:
        return f"failed attempt at match {self.match_id}"


class ReducedMatch(models.Model):
    """A match whose logs were deleted and whose record was moved or deleted; see arena.matches.retention."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="reduction")
    at = models.DateTimeField()
    content = models.CharField(max_length=64, blank=True)  # the record's name in the store; empty if deleted


class RetentionPass(models.Model):
    """One run of ``arena.matches.retention`` that moved or deleted data; shown to operators."""

    at = models.DateTimeField()
    # Matches that had ended by this time were due; None: the matches were chosen by other apps, such as tournaments.
    before = models.DateTimeField(null=True)
    is_moved = models.BooleanField()  # whether records were moved to the store instead of being deleted
    matches = models.PositiveIntegerField(default=0)
    # Number of deleted outputs and recomputed turn pages; see arena.platform.retention.
    outputs = models.PositiveIntegerField(default=0)
    # Bytes of records, logs and turn pages that were removed from the database.
    freed = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"retention pass {self.pk}"


class MatchRecord(models.Model):
    """The canonical record of a finished match, compressed; see arena.core.referee.record."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="record")
    version = models.PositiveSmallIntegerField()
    data = models.BinaryField()
