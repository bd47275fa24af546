"""The rungs of the learning path that people have reached."""

from django.db import models


class ReachedRung(models.Model):
    """A rung of a game's path that a person has reached.

    It is derived from matches and checks, and can be rebuilt from them.
    """

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="rungs")
    game = models.CharField(max_length=32)
    rung = models.CharField(max_length=40)  # see ``arena.learning_path.rungs``
    match = models.ForeignKey("matches.Match", models.SET_NULL, null=True, related_name="+")  # empty for the first rung
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "game", "rung"], name="rung_reached_once")]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.game}, {self.rung}"
