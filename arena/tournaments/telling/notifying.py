"""Whom a tournament tells by notification that it started, how it ended, and that a match is void.

Called with the line in the feed, in the transaction that makes it true, so that the news are as true as the feed.
Whoever may not know the result yet is told of it by ``tell`` when it is released: each event is told once only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from arena.classes.audience import members_of
from arena.matches.models import Match, MatchStatus
from arena.notifications.models import Kind
from arena.notifications.services import notify
from arena.tournaments.models import Entry, EntryStatus, NoticeKind, Tournament


def tell(tournament_id: int, kind: NoticeKind) -> None:
    """Tell whom it concerns, where it concerns anybody; a constant number of statements."""
    if kind in _TELLING:
        _TELLING[kind](Tournament.objects.get(pk=tournament_id))


def entrants(tournament: Tournament) -> set[int]:
    """The people with a bot that entered and was not withdrawn, of those who see the tournament."""
    return {entry.bot.owner_id for entry in _entries(tournament) if entry.status != EntryStatus.WITHDRAWN}


def _started(tournament: Tournament) -> None:
    people = {entry.bot.owner_id for entry in _entries(tournament) if entry.status == EntryStatus.ENTERED}
    context = {**_about(tournament), "withheld": tournament.withheld}
    notify(Kind.STARTED, people, context, event=f"tournament/{tournament.pk}/started")


def _finished(tournament: Tournament) -> None:
    """Once, even where a void match is played again afterwards: the page has the last word."""
    event = f"tournament/{tournament.pk}/result"
    if tournament.withheld:  # the others are told when the results are released, which waits for the organizer
        notify(Kind.RESULT, [tournament.organizer_id], {**_about(tournament), "withheld": True}, event=event)
        return
    entries = list(_entries(tournament))
    places: dict[int, dict[str, Any]] = {}
    for entry in entries:
        if entry.status != EntryStatus.EXCLUDED:
            places.setdefault(entry.bot.owner_id, {"places": []})["places"].append([entry.bot.name, entry.rank])
    places.setdefault(tournament.organizer_id, {})
    ranked = Entry.objects.filter(tournament=tournament, rank__isnull=False).count()
    context = {**_about(tournament), "entries": ranked}
    notify(Kind.RESULT, places, context, event=event)


def _void(tournament: Tournament) -> None:
    """At most once an hour: what fails one match often fails many."""
    hour = timezone.now().strftime("%Y%m%d%H")
    event = f"tournament/{tournament.pk}/void/{hour}"
    voids = Match.objects.filter(pairing__tournament=tournament, status=MatchStatus.VOID)
    newest = voids.order_by("-finished_at").first()
    about = {"match": newest.pk, "reason": newest.failure} if newest else {}
    notify(Kind.MATCH_VOID, [tournament.organizer_id], {**_about(tournament), **about}, event=event)


def _entries(tournament: Tournament) -> Iterable[Entry]:
    """Of people, of those who see the tournament."""
    rows = Entry.objects.filter(tournament=tournament, bot__is_house=False).select_related("bot").order_by("rank", "pk")
    if not tournament.members_only:
        return rows
    sees = Q(bot__owner__in=members_of(tournament.course_id)) | Q(bot__owner=tournament.organizer_id)
    return rows.filter(sees)


def _about(tournament: Tournament) -> dict[str, Any]:
    return {"tournament": tournament.name, "tournament_id": tournament.pk}


_TELLING: Final[Mapping[NoticeKind, Callable[[Tournament], None]]] = {
    NoticeKind.STARTED: _started,
    NoticeKind.FINISHED: _finished,
    NoticeKind.MATCH_VOID: _void,
}
