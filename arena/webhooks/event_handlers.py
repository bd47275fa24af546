"""Store deliveries when domain events are published, in the transaction of the event.

A webhook receives only what its owner may see: withheld results are sent once they are released, and members-only
results go only to class members and the organizer. Webhooks of suspended owners receive nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from arena.classes.audience import members_of
from arena.submissions.domain_events import CheckFinished, VersionActivated
from arena.submissions.models import Submission
from arena.tournaments.events.domain_events import ActivityLogged
from arena.tournaments.models import ActivityKind, Entry, EntryStatus, Tournament, TournamentStatus
from arena.webhooks import payloads
from arena.webhooks.delivery import wake_sender
from arena.webhooks.models import Delivery, EventType, Webhook, WebhookStatus
from arena.webhooks.payloads import Data

_TYPES = {
    ActivityKind.STARTED: EventType.STARTED,
    ActivityKind.FINISHED: EventType.FINISHED,
    ActivityKind.CANCELLED: EventType.CANCELLED,
    ActivityKind.RELEASED: EventType.RELEASED,
}


def on_check_finished(fact: CheckFinished) -> None:
    submission = Submission.objects.select_related("bot").defer("log", "record").get(pk=fact.submission_id)
    found = _webhooks_of_bots(EventType.CHECK_FINISHED, [submission.bot_id])
    event = f"submission/{submission.pk}/check/{fact.fence}"
    queue_deliveries(
        (webhook, event, EventType.CHECK_FINISHED, payloads.check_finished(submission)) for webhook, _bot in found
    )


def on_version_activated(fact: VersionActivated) -> None:
    submission = Submission.objects.select_related("bot").defer("log", "record").get(pk=fact.submission_id)
    found = _webhooks_of_bots(EventType.VERSION_ACTIVATED, [fact.bot_id])
    event = f"bot/{fact.bot_id}/activated/{secrets.token_hex(8)}"  # a version may be activated many times
    data = payloads.version_activated(submission)
    queue_deliveries((webhook, event, EventType.VERSION_ACTIVATED, data) for webhook, _bot in found)


def on_activity(fact: ActivityLogged) -> None:
    type_ = _TYPES.get(fact.kind)
    if type_ is None:
        return
    tournament = Tournament.objects.get(pk=fact.tournament_id)
    event = f"tournament/{tournament.pk}/{fact.kind.value}/{fact.activity_id}"
    chosen = _subscribed_webhooks(type_).filter(
        Q(limits_tournaments=False) | Q(tournaments=tournament), owner=tournament.organizer_id
    )
    data = payloads.tournament(tournament)
    queue_deliveries((webhook, event, type_, data) for webhook in chosen.values_list("pk", flat=True))
    if type_ in (EventType.FINISHED, EventType.RELEASED):
        _add_results(tournament, fact.activity_id)


def _add_results(tournament: Tournament, activity_id: int) -> None:
    if tournament.status != TournamentStatus.FINISHED or tournament.withheld:
        return
    rows = Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED).select_related("bot", "tournament")
    if tournament.members_only:
        rows = rows.filter(Q(bot__owner__in=members_of(tournament.course_id)) | Q(bot__owner=tournament.organizer_id))
    entries = {entry.bot_id: entry for entry in rows}
    ranked = Entry.objects.filter(tournament=tournament, rank__isnull=False).aggregate(n=Count("pk"))["n"]
    queue_deliveries(
        (
            webhook,
            f"tournament/{tournament.pk}/result/{activity_id}/{bot}",
            EventType.RESULT,
            payloads.result(entries[bot], ranked),
        )
        for webhook, bot in _webhooks_of_bots(EventType.RESULT, entries)
    )


def _subscribed_webhooks(type_: EventType) -> QuerySet[Webhook]:
    """Return the webhooks that subscribe to a type of event.

    They are filtered by type in Python, because SQLite cannot search JSON.
    """
    rows = Webhook.objects.filter(status=WebhookStatus.ACTIVE, owner__is_active=True)
    wanting = [pk for pk, events in rows.values_list("pk", "events") if type_ in events]
    return rows.filter(pk__in=wanting)


def _webhooks_of_bots(type_: EventType, bot_ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return (webhook id, bot id) pairs: for each of these bots, its owner's webhooks that subscribe to the event."""
    rows = Webhook.objects.filter(status=WebhookStatus.ACTIVE, owner__is_active=True, owner__bots__in=list(bot_ids))
    found = list(rows.values_list("pk", "owner__bots", "events", "limits_bots"))
    links = Webhook.bots.through.objects.filter(webhook__in={pk for pk, *_rest in found})
    chosen = set(links.values_list("webhook_id", "bot_id"))
    return [(pk, bot) for pk, bot, events, limited in found if type_ in events and (not limited or (pk, bot) in chosen)]


def queue_deliveries(deliveries: Iterable[tuple[int, str, str, Data]]) -> None:
    """Store deliveries, given as tuples of webhook, event, type and data, and wake their sender after the commit."""
    now = timezone.now()
    rows = [
        Delivery(
            webhook_id=webhook,
            event=event,
            type=type_,
            message_id=f"msg_{secrets.token_hex(16)}",
            body=payloads.envelope(type_, data, now=now),
            due_at=now,
        )
        for webhook, event, type_, data in deliveries
    ]
    if rows:
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)
        transaction.on_commit(wake_sender, robust=True)
