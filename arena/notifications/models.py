"""Notifications on the site, their emails, and muted kinds.

Invariants: a person is notified of an event only once, however often it is reported; codes and names are stored rather
than text, so that every reader gets the text in their own language; an email leaves WAITING only by a conditional
UPDATE, and is never sent again after it may have been sent.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.platform.outbox import OutboxRow


class Kind(models.TextChoices):
    """The kinds of notifications that every site has; the games' apps add their own (see ``kinds.py``)."""

    CHECK_FAILED = "check_failed", _("Your bot failed its upload check")
    STARTED = "started", _("Your tournament has started")
    RESULT = "result", _("Results of your tournament")
    MATCH_VOID = "match_void", _("A match in a tournament you organize was voided")
    ANNOUNCEMENT = "announcement", _("Announcements from organizers")


class Channel(models.TextChoices):
    """The notification channels."""

    SITE = "site", _("On the site")
    EMAIL = "email", _("By email")


class Notification(models.Model):
    """One person's notification about one event; ``event`` is a permanent id such as "submission/12/check/3"."""

    recipient = models.ForeignKey("accounts.User", models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=16)
    event = models.CharField(max_length=80)
    context = models.JSONField(default=dict)
    on_site = models.BooleanField(default=True)  # otherwise it is only sent by email
    created_at = models.DateTimeField(auto_now_add=True)  # or when it was last renewed
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["recipient", "event"], name="told_once")]
        indexes = [models.Index(fields=["recipient", "on_site", "read_at"])]


class MailStatus(models.TextChoices):
    """The status of an email: waiting, being sent, or one of four final states."""

    WAITING = "waiting", _("Waiting")  # waiting for ``due_at``, then for a sender
    SENDING = "sending", _("Being sent")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Refused")  # rejected permanently, or the mail server was unavailable for too long
    UNCERTAIN = "uncertain", _("Possibly sent")  # the sender or the connection died during sending: not sent again
    DROPPED = "dropped", _("No longer needed")  # its kind was turned off before it was sent


class Mail(OutboxRow):
    """The email for a notification."""

    notification = models.OneToOneField(Notification, models.CASCADE, related_name="mail")
    status = models.CharField(max_length=10, choices=MailStatus, default=MailStatus.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=300, blank=True)  # for operators

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["status", "due_at"])]


class NotificationOptOut(models.Model):
    """A person's opt-out from a kind of notification on a channel."""

    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="muted")
    kind = models.CharField(max_length=16)
    channel = models.CharField(max_length=8, choices=Channel)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "kind", "channel"], name="opt_out_once")]
