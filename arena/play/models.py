"""Games of people, against bots or alone: what the person says, and the turns that were played so far.

Invariants: the site alone writes answers and resignations, the worker alone writes turns and since when it asks; so
neither waits for the other. An answer is for one turn and never replaced by another; turns are kept in order, each
once, until the match has its record.
"""

from django.db import models
from django.utils import timezone

from arena.matches.models import Match
from arena.platform.jobs.models import Job, fair_share_indexes


class Duel(models.Model):
    """A match in which a person sits."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="duel")
    seat = models.PositiveSmallIntegerField()  # the person's
    guest = models.CharField(max_length=64, blank=True, db_index=True)  # digest of what the guest's session holds
    origin = models.CharField(max_length=64, blank=True, db_index=True)  # digest of the guest's address
    # The turn that the person is asked for, and since when; 0 before the first.
    asked_turn = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    # The newest answer and its turn.
    answer_turn = models.PositiveIntegerField(default=0)
    answer = models.JSONField(null=True, blank=True)  # as the rules encode it
    resigned = models.BooleanField(default=False)  # gives up as soon as it is asked
    rematch_of = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="rematch")

    # The game that this one continues before a move that was taken back, and how many were taken back until then.
    taken_back_from = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="continuation")
    take_backs = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"duel {self.pk}"


class DuelTurn(models.Model):
    """A turn that was played; ``moves``: all of them, see ``arena.core.referee.events.SeatMove.to_json``."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    moves = models.JSONField()
    resumed = models.BooleanField(default=False)  # the first that a worker played after the one before had died

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["duel", "number"], name="turn_played_once")]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.duel_id}"


class HintStatus(models.TextChoices):
    """Whether a hint is being computed; one that is done without an answer came too late."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


class Hint(Job):
    """What the person is advised to play, as the rules encode it; ``answer`` is None until that is known."""

    status = models.CharField(max_length=8, choices=HintStatus, default=HintStatus.WAITING)
    asked_at = models.DateTimeField(default=timezone.now)  # last; the bot is asked again where it does not answer
    duel = models.ForeignKey(Duel, models.CASCADE, related_name="hints")
    turn = models.PositiveIntegerField()
    answer = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["duel", "turn"], name="one_hint_a_turn")]
        indexes = [
            *fair_share_indexes(),
            models.Index(fields=["status"], condition=~models.Q(status="done"), name="hints_not_done"),
        ]

    def __str__(self) -> str:
        return f"hint for turn {self.turn} of {self.duel_id}"
