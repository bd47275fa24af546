"""Read-only queries for the webhook pages, which only owners see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from arena.webhooks.models import Delivery, DeliveryRequest, DeliveryStatus, EventType, Webhook, WebhookStatus
from arena.webhooks.sending.client import Failure
from arena.webhooks.texts import FAILURES

MAX_CHOICES = 100
DELETED: Final = 0  # stands in for an id if all chosen bots or tournaments have been deleted


@dataclass(frozen=True, slots=True)
class WebhookChoices:
    """The bots and tournaments to choose from, newest first."""

    bots: list[tuple[int, str]]
    tournaments: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook for the owner's list and its own page; ``bots`` and ``tournaments`` are as in ``WebhookPlan``."""

    id: int
    url: str
    events: tuple[str, ...]
    event_labels: tuple[str, ...]
    bots: tuple[int, ...]
    tournaments: tuple[int, ...]
    status: str
    status_label: str
    created_at: datetime
    failing_since: datetime | None
    previous_until: datetime | None

    @property
    def is_active(self) -> bool:
        return self.status == WebhookStatus.ACTIVE


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request and its response; ``failure`` is "" if the receiver accepted the request."""

    at: datetime
    milliseconds: int
    status: int | None
    failure: str | Promise


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery in the log; ``next_at`` is None unless another request follows."""

    id: int
    message_id: str
    type: str
    status: str
    status_label: str
    created_at: datetime
    requests: tuple[RequestRow, ...]
    next_at: datetime | None
    body: str
    may_be_repeated: bool


def is_offered(person_id: int, reader: Person) -> bool:
    """Return whether a person's account settings show the reader a link to the webhooks."""
    return bool(settings.WEBHOOKS_PER_PERSON) and reader.pk == person_id


def webhooks(owner: User) -> list[WebhookRow]:
    """Return the webhooks, newest first. Runs three queries."""
    return _webhook_rows(Webhook.objects.filter(owner=owner))


def webhook(owner: User, webhook_id: int) -> WebhookRow | None:
    return next(iter(_webhook_rows(Webhook.objects.filter(owner=owner, pk=webhook_id))), None)


def choices(owner: User, chosen: WebhookRow | None = None) -> WebhookChoices:
    """Return the newest bots and tournaments, and all those already selected for the webhook ``chosen``.

    If the form omitted the selected ones, saving it would subscribe the webhook to all bots and tournaments.
    """
    bots = Bot.objects.filter(owner=owner).order_by("-pk").values_list("pk", "name")
    held = Tournament.objects.filter(organizer=owner).order_by("-pk").values_list("pk", "name")
    offered, other = dict(bots.filter(retired=False)[:MAX_CHOICES]), dict(held[:MAX_CHOICES])
    if chosen is not None:
        offered |= dict(bots.filter(pk__in=chosen.bots)) or _deleted_choice(chosen.bots, _("Deleted bots"))
        other |= dict(held.filter(pk__in=chosen.tournaments)) or _deleted_choice(
            chosen.tournaments, _("Deleted tournaments")
        )
    return WebhookChoices(list(offered.items()), list(other.items()))


def _deleted_choice(chosen: Iterable[int], label: str) -> dict[int, str]:
    return {DELETED: label} if DELETED in chosen else {}


def _chosen_ids(limited: bool, ids: Iterable[int]) -> tuple[int, ...]:
    return tuple(ids) or ((DELETED,) if limited else ())


def deliveries(webhook_id: int) -> QuerySet[Delivery]:
    """Return the deliveries, newest first, for a paginator; callers convert each page with ``delivery_rows``."""
    return Delivery.objects.filter(webhook_id=webhook_id).order_by("-pk")


def delivery_rows(rows: Iterable[Delivery]) -> list[DeliveryRow]:
    """Return a log row for each delivery, in the given order. Runs two queries."""
    found = Delivery.objects.prefetch_related("log").in_bulk([row.pk for row in rows])
    return [_delivery_row(found[row.pk]) for row in rows if row.pk in found]


def _webhook_rows(rows: QuerySet[Webhook]) -> list[WebhookRow]:
    return [
        WebhookRow(
            id=row.pk,
            url=row.url,
            events=tuple(row.events),
            event_labels=tuple(str(one.label) for one in EventType if one in row.events),
            bots=_chosen_ids(row.limits_bots, (bot.pk for bot in row.bots.all())),
            tournaments=_chosen_ids(row.limits_tournaments, (one.pk for one in row.tournaments.all())),
            status=row.status,
            status_label=row.get_status_display(),
            created_at=row.created_at,
            failing_since=row.failing_since,
            previous_until=row.previous_until,
        )
        for row in rows.prefetch_related("bots", "tournaments")
    ]


def _request_row(row: DeliveryRequest) -> RequestRow:
    failure = FAILURES[Failure(row.failure)] if row.failure else ""
    return RequestRow(row.at, row.milliseconds, row.response_status, failure)


def _delivery_row(row: Delivery) -> DeliveryRow:
    waits = row.status == DeliveryStatus.WAITING
    return DeliveryRow(
        id=row.pk,
        message_id=row.message_id,
        type=row.type,
        status=row.status,
        status_label=row.get_status_display(),
        created_at=row.created_at,
        requests=tuple(map(_request_row, row.log.all())),
        next_at=row.due_at if waits else None,
        body=row.body,
        may_be_repeated=row.status not in (DeliveryStatus.WAITING, DeliveryStatus.SENDING),
    )
