"""Notifications about a tournament's start, result and void matches.

They are sent in the transaction that adds the line to the activity log. ``notify_of_activity`` delivers a withheld
result when it is released. People are notified of an event only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone, translation

from arena.classes.audience import members_of
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import match_names
from arena.notifications.models import Kind
from arena.notifications.services import notify
from arena.tournaments.models import ActivityKind, Entry, EntryStatus, Tournament


def notify_of_activity(tournament_id: int, kind: ActivityKind) -> None:
    """Notify the people whom an activity affects, if there are any. Runs a constant number of queries."""
    if kind in _SENDERS:
        _SENDERS[kind](Tournament.objects.get(pk=tournament_id))


def entrants(tournament: Tournament) -> set[int]:
    """Return the ids of the people who may see the tournament and have an entered bot that was not withdrawn."""
    return {entry.bot.owner_id for entry in _entries(tournament) if entry.status != EntryStatus.WITHDRAWN}


def _notify_of_start(tournament: Tournament) -> None:
    people = {entry.bot.owner_id for entry in _entries(tournament) if entry.status == EntryStatus.ENTERED}
    context = {**_context_of(tournament), "withheld": tournament.withheld}
    notify(Kind.STARTED, people, context, event=f"tournament/{tournament.pk}/started")


def _notify_of_result(tournament: Tournament) -> None:
    """Notify the organizer and the bots' authors that there is a result, but only once.

    If a void match is rerun afterwards, the page shows the final result.
    """
    event = f"tournament/{tournament.pk}/result"
    if tournament.withheld:  # the others are notified when the organizer releases the results
        notify(Kind.RESULT, [tournament.organizer_id], {**_context_of(tournament), "withheld": True}, event=event)
        return
    entries = list(_entries(tournament))
    places: dict[int, dict[str, Any]] = {}
    for entry in entries:
        if entry.status != EntryStatus.EXCLUDED:
            places.setdefault(entry.bot.owner_id, {"places": []})["places"].append([entry.bot.name, entry.rank])
    places.setdefault(tournament.organizer_id, {})
    ranked = Entry.objects.filter(tournament=tournament, rank__isnull=False).count()
    context = {**_context_of(tournament), "entries": ranked}
    notify(Kind.RESULT, places, context, event=event)


def _notify_of_void_match(tournament: Tournament) -> None:
    """Notify the organizer of a void match at most once an hour, because a failure often affects many matches."""
    hour = timezone.now().strftime("%Y%m%d%H")
    event = f"tournament/{tournament.pk}/void/{hour}"
    voids = Match.objects.filter(pairing__tournament=tournament, status=MatchStatus.VOID)
    newest = voids.order_by("-finished_at").first()
    about = {"match": newest.pk, "names": _names(newest.pk), "reason": newest.failure} if newest else {}
    notify(Kind.MATCH_VOID, [tournament.organizer_id], {**_context_of(tournament), **about}, event=event)


def _names(match_id: int) -> dict[str, str]:
    """Return the name of the match in each language of the site."""
    found = {}
    for language, _label in settings.LANGUAGES:
        with translation.override(language):
            found[language] = match_names([match_id])[match_id]
    return found


def _entries(tournament: Tournament) -> Iterable[Entry]:
    """Select the entries of people's bots whose owners may see the tournament."""
    rows = (
        Entry.objects.filter(tournament=tournament, bot__is_house=False)
        .select_related("bot")
        .order_by("rank", "position", "pk")
    )
    if not tournament.members_only:
        return rows
    sees = Q(bot__owner__in=members_of(tournament.course_id)) | Q(bot__owner=tournament.organizer_id)
    return rows.filter(sees)


def _context_of(tournament: Tournament) -> dict[str, Any]:
    return {"tournament": tournament.name, "tournament_id": tournament.pk}


_SENDERS: Final[Mapping[ActivityKind, Callable[[Tournament], None]]] = {
    ActivityKind.STARTED: _notify_of_start,
    ActivityKind.FINISHED: _notify_of_result,
    ActivityKind.MATCH_VOID: _notify_of_void_match,
}
