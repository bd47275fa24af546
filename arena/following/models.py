"""Follows, feed items, and the updates that wait to be sent to followers.

Invariants: a feed item contains only references, so that readers see current names and ranks, and deleted objects
disappear from the feeds. Whether a reader may see an item is decided when it is read (``visibility``), never when it is
stored.
"""

from django.db import models
from django.db.models import Q

from arena.submissions.models import Bot, Submission
from arena.tournaments.models import Activity, Entry, Tournament


class ItemKind(models.TextChoices):
    """The kinds of feed items."""

    BOT_CREATED = "bot", "bot"  # the first version of a bot passed its check
    VERSION_ACTIVATED = "version", "version"
    RESULT = "result", "result"  # a bot's result in a tournament
    TOURNAMENT_CREATED = "created", "created"
    STARTED = "started", "started"
    FINISHED = "finished", "finished"
    CANCELLED = "cancelled", "cancelled"
    ANNOUNCED = "announced", "announced"


class Follow(models.Model):
    """A person's follow of a bot, another person or a tournament."""

    follower = models.ForeignKey("accounts.User", models.CASCADE, related_name="follows")
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="+")
    person = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="+")
    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, blank=True, related_name="+")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["follower", "bot"], name="bot_followed_once"),
            models.UniqueConstraint(fields=["follower", "person"], name="person_followed_once"),
            models.UniqueConstraint(fields=["follower", "tournament"], name="tournament_followed_once"),
            models.CheckConstraint(
                condition=Q(bot__isnull=False, person__isnull=True, tournament__isnull=True)
                | Q(bot__isnull=True, person__isnull=False, tournament__isnull=True)
                | Q(bot__isnull=True, person__isnull=True, tournament__isnull=False),
                name="follows_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"follow {self.pk}"


class FeedItem(models.Model):
    """One event in the feeds of a bot, its author, or a tournament.

    ``event`` is its unique name, such as "tournament/5/started".
    """

    kind = models.CharField(max_length=10, choices=ItemKind)
    event = models.CharField(max_length=80, unique=True)
    at = models.DateTimeField(auto_now_add=True)
    bot = models.ForeignKey(Bot, models.CASCADE, null=True, blank=True, related_name="+")
    person = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="+")
    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, blank=True, related_name="+")
    submission = models.ForeignKey(Submission, models.CASCADE, null=True, blank=True, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, blank=True, related_name="+")
    activity = models.ForeignKey(Activity, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["bot", "-id"], name="feed_of_bot"),
            models.Index(fields=["person", "-id"], name="feed_of_person"),
            models.Index(fields=["tournament", "-id"], name="feed_of_tournament"),
            models.Index(fields=["at"], name="feed_items_by_age"),
        ]

    def __str__(self) -> str:
        return self.event


class PendingUpdate(models.Model):
    """A feed item about which a follower has not yet been notified; the rows are the outbox of ``digests``."""

    follower = models.ForeignKey("accounts.User", models.CASCADE, related_name="+")
    item = models.ForeignKey(FeedItem, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["follower", "item"], name="pending_once")]


class LastDigest(models.Model):
    """The time of a follower's last notification; further updates are sent together an hour later."""

    follower = models.OneToOneField("accounts.User", models.CASCADE, related_name="+")
    at = models.DateTimeField()
