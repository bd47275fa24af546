"""Record feed items when domain events are published, and queue them for followers.

Each subscriber runs in the transaction of its event and runs a constant number of queries, however many followers
there are. Withheld results are recorded when they are released.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.following.models import FeedItem, Follow, ItemKind, PendingUpdate
from arena.following.subjects import Subject
from arena.following.visibility import CONTENTS
from arena.submissions.domain_events import VersionActivated
from arena.submissions.models import Submission
from arena.tournaments.events.domain_events import ActivityLogged
from arena.tournaments.models import ActivityKind, Entry, EntryStatus, Tournament, TournamentStatus

_KINDS = {
    ActivityKind.STARTED: ItemKind.STARTED,
    ActivityKind.CANCELLED: ItemKind.CANCELLED,
    ActivityKind.ANNOUNCED: ItemKind.ANNOUNCED,
}


def on_version_activated(fact: VersionActivated) -> None:
    """Record an activated version, but not a rollback to an older one."""
    submission = Submission.objects.select_related("bot").only("bot__owner_id").get(pk=fact.submission_id)
    kind = ItemKind.BOT_CREATED if fact.is_first else ItemKind.VERSION_ACTIVATED
    item = FeedItem(
        kind=kind,
        event=f"submission/{submission.pk}/activated",
        bot_id=fact.bot_id,
        person_id=submission.bot.owner_id,
        submission=submission,
    )
    _store_items([item])


def on_activity(fact: ActivityLogged) -> None:
    if fact.kind in _KINDS:
        once = f"/{fact.activity_id}" if fact.kind == ActivityKind.ANNOUNCED else ""
        item = FeedItem(
            kind=_KINDS[fact.kind],
            event=f"tournament/{fact.tournament_id}/{fact.kind.value}{once}",
            tournament_id=fact.tournament_id,
            activity_id=fact.activity_id,
        )
        _store_items([item])
    elif fact.kind == ActivityKind.CREATED:
        _record_creation(Tournament.objects.get(pk=fact.tournament_id))
    elif fact.kind in (ActivityKind.FINISHED, ActivityKind.RELEASED):
        tournament = Tournament.objects.get(pk=fact.tournament_id)
        if tournament.status == TournamentStatus.FINISHED and not tournament.withheld:
            _record_results(tournament)


def _record_creation(tournament: Tournament) -> None:
    item = FeedItem(
        kind=ItemKind.TOURNAMENT_CREATED,
        event=f"tournament/{tournament.pk}/created",
        tournament=tournament,
        person_id=tournament.organizer_id,
    )
    _store_items([item])


def _record_results(tournament: Tournament) -> None:
    """Record a feed item for the tournament and one for each ranked bot.

    This is done only once, even if a match is rerun afterwards.
    """
    entries = Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED, rank__isnull=False)
    base = f"tournament/{tournament.pk}"
    items = [FeedItem(kind=ItemKind.FINISHED, event=f"{base}/finished", tournament=tournament)]
    items += [
        FeedItem(
            kind=ItemKind.RESULT,
            event=f"{base}/result/{entry.pk}",
            tournament=tournament,
            bot_id=entry.bot_id,
            person_id=entry.bot.owner_id,
            entry=entry,
        )
        for entry in entries.select_related("bot").order_by("pk")
    ]
    _store_items(items)


def _store_items(items: Iterable[FeedItem]) -> None:
    """Store new items, and queue them for the followers of their subjects."""
    by_event = {item.event: item for item in items}
    known = set(FeedItem.objects.filter(event__in=by_event).values_list("event", flat=True))
    FeedItem.objects.bulk_create(
        (item for event, item in by_event.items() if event not in known), ignore_conflicts=True
    )
    stored = list(FeedItem.objects.filter(event__in=by_event.keys() - known))
    PendingUpdate.objects.bulk_create(_pending_updates(stored), ignore_conflicts=True)


def _pending_updates(items: Iterable[FeedItem]) -> list[PendingUpdate]:
    """Return a pending update for each item and each follower of its subjects, other than the person who acted."""
    items = list(items)
    found: dict[tuple[int, int], PendingUpdate] = {}
    for kind in Subject:
        column = f"{kind.value}_id"
        about = [item for item in items if item.kind in CONTENTS[kind] and getattr(item, column)]
        followers: dict[int, list[int]] = {}
        rows = Follow.objects.filter(**{f"{column}__in": {getattr(item, column) for item in about}})
        for subject, follower in rows.values_list(column, "follower_id"):
            followers.setdefault(subject, []).append(follower)
        for item in about:
            for follower in followers.get(getattr(item, column), ()):
                if follower != item.person_id:
                    found[follower, item.pk] = PendingUpdate(follower_id=follower, item=item)
    return list(found.values())
