"""Recordings: games of the golden point that were played elsewhere.

Invariants: what was uploaded never changes; it is deleted as a whole or kept. A recording is found by its code alone,
which cannot be guessed: whoever has the link sees it, whether it is listed or not.
"""

from django.db import models

TITLE_LENGTH = 80
CREDIT_LENGTH = 200
CODE_LENGTH = 12


class Recording(models.Model):
    """An uploaded game; without an owner one of the arena's own examples."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    owner = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="recordings")
    title = models.CharField(max_length=TITLE_LENGTH)
    credit = models.CharField(max_length=CREDIT_LENGTH, blank=True)  # where it comes from, and its licence
    listed = models.BooleanField(default=True)  # otherwise only those who have the link find it
    data = models.BinaryField()  # the text as it was uploaded, compressed by zlib
    numbers = models.PositiveSmallIntegerField()  # how many a player names in a round
    players = models.PositiveSmallIntegerField()
    rounds = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["listed", "-id"])]

    def __str__(self) -> str:
        return self.title
