"""Let owners create, change, test and delete webhooks, turn them on and off, rotate secrets and redeliver messages."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.accounts.models import User
from arena.accounts.throttle import Throttle
from arena.platform.refusal import NotFound, Refused
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from arena.webhooks import event_handlers, payloads
from arena.webhooks.delivery import cancel_waiting, target_rules, wake_sender
from arena.webhooks.models import TEST_EVENT, Delivery, DeliveryStatus, Webhook, WebhookStatus
from arena.webhooks.secrets import OVERLAP, new_salt, secret_of
from arena.webhooks.sending.targets import UrlRefused, target_of
from arena.webhooks.texts import url_problem

TESTS: Final = Throttle(
    "webhook-tests",
    "WEBHOOK_TESTS_AN_HOUR",
    gettext_lazy("You have reached the hourly limit for tests and redeliveries (%(n)s)."),
)


@dataclass(frozen=True, slots=True)
class WebhookPlan:
    """The owner's settings for a webhook; an empty list of bots or tournaments means all, including future ones.

    ``[queries.DELETED]`` means none: the chosen bots or tournaments have been deleted.
    """

    url: str
    events: Sequence[str]
    bots: Sequence[int] = ()
    tournaments: Sequence[int] = ()


def create(owner: User, plan: WebhookPlan) -> tuple[int, str]:
    """Create a webhook; return its id and its secret, which is shown once. Raises Refused."""
    _check_url(plan.url)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if Webhook.objects.filter(owner=owner).count() >= settings.WEBHOOKS_PER_PERSON:
            text = _("You have %(n)s webhooks, which is the limit. Delete one before you create another.")
            raise Refused(text % {"n": settings.WEBHOOKS_PER_PERSON}, code="too_many_webhooks")
        webhook = Webhook.objects.create(owner=owner, url=plan.url, events=list(plan.events), salt=new_salt())
        _set_choices(webhook, plan)
    return webhook.pk, secret_of(webhook)


def change(owner: User, webhook_id: int, plan: WebhookPlan) -> None:
    """Change a webhook. Raises NotFound, Refused."""
    _check_url(plan.url)
    with transaction.atomic():
        webhook = _own_webhook(owner, webhook_id)
        if webhook.url != plan.url:
            webhook.failing_since = None  # a different receiver starts without past failures
        webhook.url, webhook.events = plan.url, list(plan.events)
        webhook.save(update_fields=["url", "events", "failing_since"])
        _set_choices(webhook, plan)


def rotate_secret(owner: User, webhook_id: int, *, now: datetime) -> str:
    """Replace the webhook's secret; return the new one, which is shown once. Raises NotFound.

    For a day, messages are signed with both the old and the new secret.
    """
    with transaction.atomic():
        webhook = _own_webhook(owner, webhook_id)
        webhook.previous_salt, webhook.previous_until = webhook.salt, now + OVERLAP
        webhook.salt = new_salt()
        webhook.save(update_fields=["salt", "previous_salt", "previous_until"])
    return secret_of(webhook)


def turn_on(owner: User, webhook_id: int) -> None:
    """Turn a webhook on, to deliver future events. Raises NotFound."""
    with transaction.atomic():
        webhook = _own_webhook(owner, webhook_id)
        webhook.status, webhook.failing_since = WebhookStatus.ACTIVE, None
        webhook.save(update_fields=["status", "failing_since"])


def turn_off(owner: User, webhook_id: int) -> None:
    """Turn a webhook off, and cancel its waiting deliveries. Raises NotFound."""
    with transaction.atomic():
        webhook = _own_webhook(owner, webhook_id)
        Webhook.objects.filter(pk=webhook.pk, status=WebhookStatus.ACTIVE).update(status=WebhookStatus.PAUSED)
        cancel_waiting(webhook.pk)


def delete(owner: User, webhook_id: int) -> None:
    """Delete a webhook and its log. Raises NotFound."""
    with transaction.atomic():
        _own_webhook(owner, webhook_id).delete()


def send_test(owner: User, webhook_id: int, *, now: datetime) -> None:
    """Queue a test event. Raises NotFound, Refused."""
    with transaction.atomic():
        webhook = _own_webhook(owner, webhook_id)
        _check_active(webhook)
        TESTS.count_use(str(owner.pk), now=now)
        data = payloads.test_event(webhook.pk)
        event_handlers.queue_deliveries([(webhook.pk, f"test/{secrets.token_hex(8)}", TEST_EVENT, data)])


def redeliver(owner: User, delivery_id: int, *, now: datetime) -> int:
    """Queue a finished delivery again and reset its number of requests; return the webhook's id.

    Raises NotFound, Refused.
    """
    delivery = Delivery.objects.filter(pk=delivery_id, webhook__owner=owner).select_related("webhook").first()
    if delivery is None:
        raise NotFound
    _check_active(delivery.webhook)
    TESTS.count_use(str(owner.pk), now=now)
    ended = (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED, DeliveryStatus.CANCELLED)
    with transaction.atomic():
        rows = Delivery.objects.filter(pk=delivery_id, status__in=ended)
        if not rows.update(status=DeliveryStatus.WAITING, attempts=0, due_at=now):
            raise Refused(_("This delivery is still being sent. Reload the page to see its status."), code="being_sent")
        transaction.on_commit(wake_sender, robust=True)
    return delivery.webhook_id


def _own_webhook(owner: User, webhook_id: int) -> Webhook:
    """Return the owner's webhook, and lock its row until the transaction ends."""
    webhook = Webhook.objects.select_for_update().filter(owner=owner, pk=webhook_id).first()
    if webhook is None:
        raise NotFound
    return webhook


def _check_active(webhook: Webhook) -> None:
    if webhook.status != WebhookStatus.ACTIVE:
        raise Refused(_("This webhook is turned off. Turn it on first."), code="turned_off")


def _check_url(url: str) -> None:
    try:
        target_of(url, target_rules())
    except UrlRefused as refused:
        raise Refused(url_problem(refused.problem), code=refused.problem, field="url") from refused


def _set_choices(webhook: Webhook, plan: WebhookPlan) -> None:
    """Set the chosen bots and tournaments, ignoring those that do not belong to the owner."""
    webhook.limits_bots, webhook.limits_tournaments = bool(plan.bots), bool(plan.tournaments)
    webhook.save(update_fields=["limits_bots", "limits_tournaments"])
    webhook.bots.set(Bot.objects.filter(pk__in=plan.bots, owner=webhook.owner_id))
    webhook.tournaments.set(Tournament.objects.filter(pk__in=plan.tournaments, organizer=webhook.owner_id))
