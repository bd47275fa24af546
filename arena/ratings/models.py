"""Models for ratings (computed from the match log), rating histories, and participation in the ladder.

Invariant: ``Rating``, ``RatingPoint`` and ``RatedDay`` are derived from the match log; ``manage.py ratings rebuild``
recreates them and ``verify`` compares them.
"""

from django.db import models

from arena.submissions.models import Bot, Submission


class Rating(models.Model):
    """The estimated strength of a submission that has rated matches; see arena.core.ranking.rating."""

    submission = models.OneToOneField(Submission, models.CASCADE, related_name="rating")
    game = models.CharField(max_length=32)
    value = models.FloatField()
    deviation = models.FloatField()
    matches = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    # mean rank at tables with more than two seats; empty if there were none
    mean_rank = models.FloatField(null=True, blank=True)
    mean_seats = models.FloatField(null=True, blank=True)  # the mean size of these tables

    class Meta:
        ordering = ["-value"]
        indexes = [models.Index(fields=["game", "-value"])]


class RatingPoint(models.Model):
    """The rating of a submission at the end of a day (UTC) on which it played."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="rating_points")
    day = models.DateField()
    value = models.FloatField()
    deviation = models.FloatField()
    matches = models.PositiveIntegerField()  # number of matches up to then

    class Meta:
        constraints = [models.UniqueConstraint(fields=["submission", "day"], name="one_point_a_day")]


class RatedDay(models.Model):
    """The log of a day (UTC) from which the day's ratings were computed.

    If the match log later has a different number of matches or a different checksum, the day has changed.
    """

    game = models.CharField(max_length=32)
    day = models.DateField()
    matches = models.PositiveIntegerField()
    checksum = models.BigIntegerField()  # the sum of the matches' ids
    # The day's results, see arena.ratings.packed_results: only changed days are read from the log again.
    results = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "day"], name="a_game_and_day_once")]


class LadderOptOut(models.Model):
    """A bot's absence from the ladder, as chosen by its author."""

    bot = models.OneToOneField(Bot, models.CASCADE, related_name="ladder_opt_out")
    since = models.DateTimeField()


class LadderPause(models.Model):
    """A pause of a game's ladder, requested by staff."""

    game = models.CharField(max_length=32, unique=True)
    since = models.DateTimeField()
