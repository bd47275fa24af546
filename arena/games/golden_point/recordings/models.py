"""Recordings: golden-point matches that were played elsewhere.

Invariants: an upload never changes; it is kept or deleted as a whole. A recording is found by its code, which cannot be
guessed: anyone with the link can see it, whether it is listed or not.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

TITLE_LENGTH = 80
CREDIT_LENGTH = 200
CODE_LENGTH = 12


class Example(models.TextChoices):
    """A recording that the arena ships, with its title."""

    COURSE = "course", _("23 players, 400 rounds")


class Recording(models.Model):
    """An uploaded recording, or one of the arena's own examples, which has no owner.

    The title and the source of an example are not stored: pages show them in the reader's language.
    """

    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    owner = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="recordings")
    example = models.CharField(max_length=20, choices=Example, blank=True)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    credit = models.CharField(max_length=CREDIT_LENGTH, blank=True)  # source and licence
    listed = models.BooleanField(default=True)  # whether it is listed; otherwise only people with the link can find it
    data = models.BinaryField()  # the original text, compressed with zlib
    numbers = models.PositiveSmallIntegerField()  # numbers per player and round
    players = models.PositiveSmallIntegerField()
    rounds = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["listed", "-id"])]

    def __str__(self) -> str:
        return self.title or self.get_example_display()
