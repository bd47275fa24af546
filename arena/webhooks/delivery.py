"""Send the deliveries in the outbox.

Invariants: no transaction is open during a request; only the sender that claimed a delivery sends it (see ``Outbox``);
a batch has one delivery per webhook, so an unresponsive receiver delays the others by at most one request timeout.
Deliveries claimed by a sender that died are sent again; receivers recognize duplicates by the message id.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Min, Q

from arena.celery import Queue
from arena.platform.jobs.dispatcher import wake_worker
from arena.platform.outbox import Outbox
from arena.webhooks import notifications
from arena.webhooks.models import Delivery, DeliveryRequest, DeliveryStatus, Webhook, WebhookStatus
from arena.webhooks.secrets import signing_keys
from arena.webhooks.sending.addresses import AddressPolicy
from arena.webhooks.sending.client import DeliveryResponse, WebhookClient
from arena.webhooks.sending.signature import signed_headers
from arena.webhooks.sending.targets import TargetRules
from arena.webhooks.sending.transport import HttpTransport, SignedRequest, WebhookTransport, retry_delay

logger = logging.getLogger(__name__)

DELIVER_TASK: Final = "arena.webhooks.tasks.deliver"
BATCH: Final = 32
LOST: Final = timedelta(minutes=3)  # a sender that has been silent for this long is presumed dead
RETENTION: Final = timedelta(days=30)
DISABLED_AFTER: Final = timedelta(days=5)  # how long a webhook may fail before it is disabled
GONE: Final = 410  # the receiver wants no more deliveries
_S = DeliveryStatus
OUTBOX: Final = Outbox(Delivery, _S.WAITING, _S.SENDING, lost_after=LOST)
_OF_ACTIVE_OWNER: Final = Q(webhook__owner__is_active=True)


def wake_sender() -> None:
    """Wake the worker that sends deliveries; without a broker, the next sweep sends the pending deliveries."""
    wake_worker(DELIVER_TASK, queue=Queue.WEBHOOKS.value)


def target_rules() -> TargetRules:
    """Return the operator's rules for receivers, from the settings."""
    return TargetRules(
        hosts=settings.WEBHOOK_HOSTS,
        ports=settings.WEBHOOK_PORTS,
        allow_http=settings.WEBHOOK_ALLOW_HTTP,
        addresses=AddressPolicy(tuple(settings.WEBHOOK_PRIVATE_NETWORKS)),
    )


def http_transport() -> HttpTransport:
    rules = target_rules()
    return HttpTransport(rules, WebhookClient(rules.addresses, settings.WEBHOOK_SECONDS))


def deliver_due(transport: WebhookTransport, *, clock: Callable[[], datetime], rng: random.Random) -> int:
    """Send a batch of due deliveries; return how many of them the receivers accepted.

    Wakes the sender again if more are due.
    """
    now = clock()
    _maintain_outbox(now)
    claimed = [pk for pk in _due_deliveries(now) if OUTBOX.claim(pk, now=now, among=_OF_ACTIVE_OWNER)]
    if not claimed:
        return 0
    rows = list(Delivery.objects.filter(pk__in=claimed).select_related("webhook").order_by("pk"))
    answers = transport([_signed_message(row, now) for row in rows])
    now = clock()
    accepted = [_store_response(row, answer, now, rng) for row, answer in zip(rows, answers, strict=True)]
    if _due_deliveries(now):
        wake_sender()
    return sum(accepted)


def _due_deliveries(now: datetime) -> list[int]:
    """Return the id of the first due delivery of each webhook."""
    due = OUTBOX.due_rows(now).filter(webhook__status=WebhookStatus.ACTIVE)
    rows = due.values("webhook").annotate(first=Min("pk"), due=Min("due_at")).order_by("due")
    return [row["first"] for row in rows[:BATCH]]


def _signed_message(row: Delivery, now: datetime) -> SignedRequest:
    body = row.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "bot-arena-webhooks/1",
        **signed_headers(signing_keys(row.webhook, now=now), row.message_id, body, now=now),
    }
    return SignedRequest(row.webhook.url, headers, body)


def _store_response(row: Delivery, answer: DeliveryResponse, now: datetime, rng: random.Random) -> bool:
    accepted = answer.failure is None
    with transaction.atomic():
        # During the request, the owner may have turned off or deleted the webhook, or another sender taken over.
        webhook = Webhook.objects.select_for_update().filter(pk=row.webhook_id).first()
        if webhook is None or not OUTBOX.claimed_row(row).update(**_next_state(row, webhook, answer, now, rng)):
            return accepted
        DeliveryRequest.objects.create(
            delivery=row,
            at=now,
            milliseconds=answer.milliseconds,
            response_status=answer.status,
            failure=answer.failure or "",
        )
        if accepted:
            Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)
        else:
            _count_failure(webhook.pk, answer, now)
    return accepted


def _next_state(
    row: Delivery, webhook: Webhook, answer: DeliveryResponse, now: datetime, rng: random.Random
) -> dict[str, object]:
    """Return the values of the delivery's fields after a response."""
    if answer.failure is None:
        return {"status": _S.DELIVERED}
    pause = None if answer.status == GONE else retry_delay(row.attempts, rng)
    if pause is None:
        return {"status": _S.FAILED}
    if webhook.status != WebhookStatus.ACTIVE:
        return {"status": _S.CANCELLED}
    return {"status": _S.WAITING, "due_at": now + pause}


def _count_failure(webhook_id: int, answer: DeliveryResponse, now: datetime) -> None:
    """Record a failure; disable the webhook if it has failed for days or its receiver is gone, and notify its owner."""
    Webhook.objects.filter(pk=webhook_id, failing_since=None).update(failing_since=now)
    active = Webhook.objects.filter(pk=webhook_id, status=WebhookStatus.ACTIVE)
    if answer.status != GONE:
        active = active.filter(failing_since__lte=now - DISABLED_AFTER)
    if active.update(status=WebhookStatus.DISABLED):
        logger.info("webhook %s is disabled after failures", webhook_id)
        cancel_waiting(webhook_id)
        notifications.notify_disabled(webhook_id, now=now)


def cancel_waiting(webhook_id: int) -> None:
    """Cancel the waiting deliveries of a webhook that is being turned off; they are never sent."""
    Delivery.objects.filter(webhook_id=webhook_id, status=_S.WAITING).update(status=_S.CANCELLED)


def _maintain_outbox(now: datetime) -> None:
    if OUTBOX.abandoned_rows(now).update(status=_S.WAITING, due_at=now):
        logger.warning("webhook deliveries whose sender died are sent again")
    turned_off = Webhook.objects.filter(~Q(status=WebhookStatus.ACTIVE) | Q(owner__is_active=False))
    Delivery.objects.filter(status=_S.WAITING, webhook__in=turned_off).update(status=_S.CANCELLED)
    Delivery.objects.filter(created_at__lt=now - RETENTION).delete()
