"""Notify followers of pending updates.

The first update is sent immediately; further ones are collected, so that there is at most one notification an hour.

Invariants: an update is sent once; it is dropped if, by the time it is due, the follower may not see it or no
longer follows its subject. If two tasks run concurrently, only one notifies, because a conditional write claims the
follower.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from arena.accounts.models import User
from arena.following.models import FeedItem, ItemKind, LastDigest, PendingUpdate
from arena.following.queries import newest_items, ranked_entries
from arena.following.texts import CODE, SHOWN, facts_of
from arena.following.visibility import followed_items, visible_items
from arena.notifications.queries import notified_events
from arena.notifications.services import notify

PAUSE: Final = timedelta(hours=1)
RETENTION: Final = timedelta(days=365)
_FOLLOWERS_AT_ONCE: Final = 200
_MAX_ITEMS: Final = 500
# Entrants and organizers get separate notifications of these events.
_OWN_EVENTS: Final = {
    ItemKind.STARTED: "tournament/{item.tournament_id}/started",
    ItemKind.FINISHED: "tournament/{item.tournament_id}/result",
    ItemKind.ANNOUNCED: "tournament/{item.tournament_id}/announcement/{item.activity_id}",
}


def send_digests(*, now: datetime) -> int:
    """Notify everyone whose updates are due; return how many people were notified."""
    FeedItem.objects.filter(at__lt=now - RETENTION).delete()
    resting = LastDigest.objects.filter(follower=OuterRef("pk"), at__gt=now - PAUSE)
    waiting = PendingUpdate.objects.filter(follower=OuterRef("pk"))
    due = User.objects.filter(Exists(waiting), ~Exists(resting)).order_by("pk")[:_FOLLOWERS_AT_ONCE]
    return sum(_send_digest(follower, now) for follower in list(due))


def _send_digest(follower: User, now: datetime) -> bool:
    with transaction.atomic():
        if not _claim_follower(follower, now):
            return False
        pending = PendingUpdate.objects.filter(follower=follower)
        waiting = dict(pending.order_by("pk").values_list("pk", "item_id")[:_MAX_ITEMS])
        news = _unsent_items(follower, list(waiting.values()))
        pending.filter(pk__in=waiting).delete()
        if news and follower.is_active:
            ranked = ranked_entries(news)
            context = {"items": [facts_of(item, ranked) for item in news[:SHOWN]], "more": max(0, len(news) - SHOWN)}
            return bool(notify(CODE, [follower.pk], context, event=f"followed/{news[0].pk}"))
        LastDigest.objects.filter(follower=follower).delete()  # nothing was sent, so the next update need not wait
    return False


def _claim_follower(follower: User, now: datetime) -> bool:
    last = LastDigest.objects.filter(follower=follower)
    if last.filter(at__lte=now - PAUSE).update(at=now):
        return True
    if last.exists():
        return False
    LastDigest.objects.bulk_create([LastDigest(follower=follower, at=now)], ignore_conflicts=True)
    return True


def _unsent_items(follower: User, item_ids: list[int]) -> list[FeedItem]:
    """Return the newest of the items, without those that the follower may already know from another notification.

    Items that the follower can no longer see, or whose subject is no longer followed, are left out too.
    """
    chosen = newest_items(Q(pk__in=item_ids) & followed_items(follower.pk) & visible_items(follower), _MAX_ITEMS)
    own = {item.pk: _OWN_EVENTS[ItemKind(item.kind)].format(item=item) for item in chosen if item.kind in _OWN_EVENTS}
    known = notified_events(follower.pk, own.values())
    return [item for item in chosen if own.get(item.pk) not in known]
