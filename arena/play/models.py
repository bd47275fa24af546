"""Duels, which people play against bots or alone: the person's input, and the turns played so far.

Invariants: only the site writes answers and resignations, and only the worker writes turns and its requests for
answers, so the two never wait for each other. An answer belongs to one turn and is never replaced. Each turn is stored
once, in order, until the match has its record.
"""

from django.db import models
from django.utils import timezone

from arena.matches.models import Match
from arena.platform.jobs.models import Job, fair_share_indexes


class Duel(models.Model):
    """A match in which a person has one of the seats."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="duel")
    seat = models.PositiveSmallIntegerField()  # the person's seat
    guest = models.CharField(max_length=64, blank=True, db_index=True)  # digest of the key in the guest's session
    origin = models.CharField(max_length=64, blank=True, db_index=True)  # digest of the guest's address
    # The turn requested from the person (0: none yet), and when it was requested.
    asked_turn = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    # The newest answer and the turn to which it belongs.
    answer_turn = models.PositiveIntegerField(default=0)
    answer = models.JSONField(null=True, blank=True)  # encoded by the rules
    resigned = models.BooleanField(default=False)  # the resignation takes effect at the next request
    rematch_of = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="rematch")

    # The match that this one continues after a take-back, and the number of take-backs so far.
    taken_back_from = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="continuation")
    take_backs = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"duel {self.pk}"


class DuelTurn(models.Model):
    """A played turn; ``moves``: all its moves (see ``arena.core.referee.events.SeatMove.to_json``)."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    moves = models.JSONField()
    # whether this is the first turn of a new worker after the previous one died
    resumed = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["duel", "number"], name="turn_played_once")]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.duel_id}"


class HintStatus(models.TextChoices):
    """The status of a hint; ``DONE`` without an answer means that the hint came too late."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


class Hint(Job):
    """The move that the person is advised to play, encoded by the rules; ``answer`` is None until it is computed."""

    status = models.CharField(max_length=8, choices=HintStatus, default=HintStatus.WAITING)
    # time of the last request; the bot is asked again if it does not answer
    asked_at = models.DateTimeField(default=timezone.now)
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
