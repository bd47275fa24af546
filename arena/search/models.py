"""The search index: terms of the names of bots, people, tournaments and classes.

Invariant: it is derived from the rows that it refers to and can be rebuilt at any time (``manage.py search rebuild``).
Visibility is decided at search time, never here.
"""

from django.db import models


class SearchKind(models.TextChoices):
    """The kinds of results, in the order in which they are shown."""

    BOT = "bot"
    PERSON = "person"
    TOURNAMENT = "tournament"
    CLASS = "class"


class SearchTerm(models.Model):
    """A term from the name of one row; see ``terms``."""

    kind = models.CharField(max_length=10, choices=SearchKind)
    subject = models.PositiveBigIntegerField()  # the id of the indexed row
    # UTF-8 bytes, which all databases sort in the same way, so an index can look up a prefix as a range
    term = models.BinaryField()
    leading = models.BooleanField()  # whether the name begins with the term

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "term", "subject"], name="search_term_once")]
        indexes = [models.Index(fields=["kind", "subject"], name="search_terms_of_row")]

    def __str__(self) -> str:
        return bytes(self.term).decode(errors="replace")
