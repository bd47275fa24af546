"""Rounds: pairings, byes and their results."""

from django.db import models

from arena.matches.models import Match
from arena.tournaments.models.entry import Entry
from arena.tournaments.models.tournament import Tournament


class TournamentRound(models.Model):
    """A numbered round of pairings. ``stage``: a stage of arena.core.ranking.pairing."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    stage = models.CharField(max_length=10, default="main")

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_numbered_once")]


class Bye(models.Model):
    """An entry's round without an opponent, scored as the format specifies."""

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        ordering = ["round", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="one_bye_a_round")]


class Pairing(models.Model):
    """One match of an encounter, or a walkover; open until its result is stored, or until it is void or cancelled.

    ``encounter``: number within the round; ``leg``: number within the encounter, counted from 1. ``bracket``, ``slot``
    and ``group``: as in arena.core.ranking.pairing. ``ended_at`` is indexed to find the few open pairings and the
    latest ones.
    """

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="pairings")
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="pairings")
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    encounter = models.PositiveIntegerField(default=1)
    leg = models.PositiveSmallIntegerField(default=1)
    bracket = models.CharField(max_length=12, blank=True)
    slot = models.PositiveSmallIntegerField(default=0)
    group = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "pk"]
        indexes = [models.Index(fields=["tournament", "ended_at"])]


class PairingSeat(models.Model):
    """An entry's seat in a pairing and, once the result is stored, its score.

    ``points``: the tournament score, as defined in arena.core.ranking.standings; ``margin``: the value that breaks ties
    in the match, as defined in arena.games.base.Outcome.
    """

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    index = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(null=True, blank=True)
    margin = models.FloatField(null=True, blank=True)
    forfeit = models.BooleanField(default=False)  # whether it lost because of a fault

    class Meta:
        ordering = ["pairing", "index"]
        constraints = [models.UniqueConstraint(fields=["pairing", "index"], name="paired_once")]
