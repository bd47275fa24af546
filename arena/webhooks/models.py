"""Webhooks, the outbox of their deliveries, and the log of requests.

Invariants: a delivery is stored in the transaction of the event it reports, once per webhook and event; it is sent at
least once, always with the same message id and body; it leaves WAITING only through a conditional UPDATE. The secret is
not stored: it is derived from the salt and the site's SECRET_KEY.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.outbox import OutboxRow
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from arena.webhooks.sending.client import Failure
from arena.webhooks.sending.targets import MAX_URL_LENGTH


class EventType(models.TextChoices):
    """The types of events to which a webhook can subscribe; the value is the ``type`` in the payload."""

    CHECK_FINISHED = "bot.check_finished", _("A version of your bot passed or failed its check")
    VERSION_ACTIVATED = "bot.version_activated", _("Your bot switches to another version")
    RESULT = "bot.result", _("Your bot's result in a tournament")
    STARTED = "tournament.started", _("A tournament you organize starts")
    FINISHED = "tournament.finished", _("A tournament you organize finishes")
    CANCELLED = "tournament.cancelled", _("A tournament you organize is cancelled")
    RELEASED = "tournament.results_released", _("Results of a tournament you organize are released")


TEST_EVENT = "webhook.test"


class WebhookStatus(models.TextChoices):
    """The status of a webhook: whether deliveries are sent."""

    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Turned off")  # turned off by its owner
    DISABLED = "disabled", _("Turned off after failures")  # disabled by the arena


class Webhook(models.Model):
    """A URL that receives events about all of its owner's bots and tournaments, or only about chosen ones."""

    owner = models.ForeignKey("accounts.User", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=MAX_URL_LENGTH)
    events = models.JSONField(default=list)  # values of EventType
    # Whether it is limited to the bots below, even if all of them have been deleted; likewise for tournaments.
    limits_bots = models.BooleanField(default=False)
    bots = models.ManyToManyField(Bot, blank=True, related_name="+")
    limits_tournaments = models.BooleanField(default=False)
    tournaments = models.ManyToManyField(Tournament, blank=True, related_name="+")
    status = models.CharField(max_length=8, choices=WebhookStatus, default=WebhookStatus.ACTIVE)
    salt = models.CharField(max_length=32)
    previous_salt = models.CharField(max_length=32, blank=True)  # the previous key also signs, until previous_until
    previous_until = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)  # time of the first failure after the last success
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class DeliveryStatus(models.TextChoices):
    """The status of a delivery: alternately waiting and sending, then one of three final states.

    From a final state, the owner can return a delivery to waiting.
    """

    WAITING = "waiting", _("Waiting")  # waiting for ``due_at``
    SENDING = "sending", _("Being sent")
    DELIVERED = "delivered", _("Delivered")
    FAILED = "failed", _("Not delivered")  # the last request failed
    CANCELLED = "cancelled", _("Cancelled")  # the webhook was turned off, or its owner was suspended


class Delivery(OutboxRow):
    """The delivery of an event to a webhook; ``event`` is the event's unique name, such as "tournament/5/started"."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=80)
    type = models.CharField(max_length=40)
    message_id = models.CharField(max_length=40, unique=True)
    body = models.TextField()
    status = models.CharField(max_length=10, choices=DeliveryStatus, default=DeliveryStatus.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["webhook", "event"], name="delivered_once")]
        indexes = [
            models.Index(fields=["status", "due_at"], name="deliveries_due"),
            models.Index(fields=["created_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return self.message_id


class DeliveryRequest(models.Model):
    """One request to the receiver, and its outcome."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="log")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    response_status = models.PositiveSmallIntegerField(null=True, blank=True)
    failure = models.CharField(max_length=10, blank=True, choices=[(one.value, one.value) for one in Failure])

    class Meta:
        ordering = ["pk"]
