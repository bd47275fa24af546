"""Notify people, mark notifications as read, and mute kinds.

Invariants: a person is notified of an event only once, however often it is reported, although news about it can renew
the notification; the notification is stored in the same transaction as the event, and emails are sent only after its
commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from arena.accounts.models import User
from arena.accounts.outbox import wake_sender
from arena.notifications.models import Channel, Mail, Notification, NotificationOptOut

Context = Mapping[str, Any]


def notify(kind: str, recipients: Iterable[int] | Mapping[int, Context], context: Context, *, event: str) -> int:
    """Notify ``recipients``, given by their ids, of an event; return the number of new recipients.

    Each person is notified through the channels that they have not muted. Call this in the transaction that stores the
    event, so that the event and its notifications are stored together or not at all. Emails are sent after the commit.
    Runs a constant number of queries.

    ``context``: the JSON input of the kind's text (arena.notifications.kinds); if ``recipients`` is a mapping, it
    contains additional context values for each recipient. ``event``: the event's permanent id.
    """
    own: dict[int, Context] = dict(recipients) if isinstance(recipients, Mapping) else {pk: {} for pk in recipients}
    with transaction.atomic():
        muted = set(NotificationOptOut.objects.filter(person__in=own, kind=kind).values_list("person_id", "channel"))
        people = User.objects.filter(pk__in=own, is_active=True).exclude(notifications__event=event)
        emails = dict(people.order_by("pk").values_list("pk", "email"))
        rows = [
            Notification(
                recipient_id=pk,
                kind=kind,
                event=event,
                context={**context, **own[pk]},
                on_site=(pk, Channel.SITE) not in muted,
            )
            for pk in emails
        ]
        by_mail = {pk for pk, email in emails.items() if email and (pk, Channel.EMAIL) not in muted}
        rows = [row for row in rows if row.on_site or row.recipient_id in by_mail]
        # If the same event is reported concurrently, duplicates are ignored.
        Notification.objects.bulk_create(rows, ignore_conflicts=True)
        made = Notification.objects.filter(event=event, recipient__in=by_mail, mail=None)
        mails = [Mail(notification_id=pk) for pk in made.order_by("pk").values_list("pk", flat=True)]
        Mail.objects.bulk_create(mails, ignore_conflicts=True)
        if mails:
            transaction.on_commit(wake_sender, robust=True)
    return len(rows)


def renew(recipient: int, event: str, change: Callable[[Context], Context | None], *, now: datetime) -> bool:
    """Replace the context of a person's notification of an event, and mark it as new and unread.

    No email is sent. ``change`` returns the new context, or None to leave the notification as it is. Return whether the
    notification was changed.
    """
    with transaction.atomic():
        row = Notification.objects.select_for_update().filter(recipient=recipient, event=event).first()
        context = change(row.context) if row else None
        if row is None or context is None:
            return False
        row.context, row.created_at, row.read_at = dict(context), now, None
        row.save(update_fields=["context", "created_at", "read_at"])
    return True


def mark_read(person: User, notification_id: int, *, now: datetime) -> Notification | None:
    """Mark one of the person's notifications as read, and return it; return None if it does not exist."""
    rows = Notification.objects.filter(pk=notification_id, recipient=person)
    rows.filter(read_at=None).update(read_at=now)
    return rows.first()


def mark_all_read(person: User, *, now: datetime) -> int:
    return Notification.objects.filter(recipient=person, read_at=None).update(read_at=now)


def mute(person_id: int, kind: str, channel: Channel) -> None:
    """Turn off a kind of notification on a channel; queued emails of this kind are not sent."""
    NotificationOptOut.objects.get_or_create(person_id=person_id, kind=kind, channel=channel)


def set_preferences(person: User, wanted: Mapping[tuple[str, Channel], bool]) -> None:
    """Replace the person's preferences.

    ``wanted``: for each pair of a notification kind and a channel, whether the kind is turned on for the channel.
    """
    with transaction.atomic():
        NotificationOptOut.objects.filter(person=person).delete()
        NotificationOptOut.objects.bulk_create(
            NotificationOptOut(person=person, kind=kind, channel=channel)
            for (kind, channel), wants in wanted.items()
            if not wants
        )
