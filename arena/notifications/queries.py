"""Read-only queries for the notification pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from arena.accounts.models import User
from arena.notifications.kinds import notification_text
from arena.notifications.models import Channel, Notification, NotificationOptOut
from arena.notifications.texts import NotificationText

# An exact count above this would not help anybody.
MAX_COUNTED = 100


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """A notification in the list, in the reader's language."""

    id: int
    kind: str
    title: str
    body: str
    at: datetime
    is_read: bool
    more: Sequence[NotificationText] = ()


@dataclass(frozen=True, slots=True)
class NotificationFilter:
    """The filter for the list; empty fields are ignored."""

    kind: str = ""
    unread: bool = False


def notifications(person: User, chosen: NotificationFilter) -> QuerySet[Notification]:
    """Return the person's notifications on the site, newest first, for a paginator.

    Callers convert a page of them with ``notification_rows``.
    """
    rows = Notification.objects.filter(recipient=person, on_site=True)
    if chosen.kind:
        rows = rows.filter(kind=chosen.kind)
    if chosen.unread:
        rows = rows.filter(read_at=None)
    return rows.order_by("-created_at", "-pk")


def notification_rows(rows: Iterable[Notification]) -> list[NotificationRow]:
    return [_notification_row(row) for row in rows]


def _notification_row(row: Notification) -> NotificationRow:
    text = notification_text(row.kind, row.context)
    return NotificationRow(row.pk, row.kind, text.title, text.body, row.created_at, row.read_at is not None, text.more)


def unread_count(person: User) -> int:
    """Return the number of unread notifications, at most ``MAX_COUNTED``. Runs one query."""
    return Notification.objects.filter(recipient=person, on_site=True, read_at=None)[:MAX_COUNTED].count()


def muted_kinds(person: User) -> set[tuple[str, Channel]]:
    """Return the kinds that the person has turned off, each paired with the channel on which it is off."""
    rows = NotificationOptOut.objects.filter(person=person).values_list("kind", "channel")
    return {(kind, Channel(channel)) for kind, channel in rows}


def notified_events(person_id: int, events: Iterable[str]) -> set[str]:
    """Return the events for which the person has a notification."""
    rows = Notification.objects.filter(recipient_id=person_id, event__in=list(events))
    return set(rows.values_list("event", flat=True))
