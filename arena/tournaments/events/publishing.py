"""Publish a tournament's live events and write its activity log.

Invariant: an event is sent after its change is committed, with the version of that change as its number. While results
are withheld, the full event goes to the people who may know them, and a redacted event to everyone.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from arena.accounts.models import User
from arena.matches.models import Match
from arena.platform.live.publisher import publish
from arena.platform.live.revocation import revoke
from arena.tournaments.events import notifications
from arena.tournaments.events.domain_events import ActivityLogged, activity_logged
from arena.tournaments.events.redaction import redacted_event
from arena.tournaments.models import Activity, ActivityKind, Entry, Tournament

TOPIC = "tournaments"
WITHHELD_TOPIC = "withheld"  # topic for tournaments whose results are or were withheld; carries these results
Json = dict[str, Any]


def topic(tournament_id: int) -> str:
    return f"{TOPIC}/{tournament_id}"


def newest_event_number(tournament_id: int) -> int:
    """Return the number of the newest event; 0 if there is no such tournament."""
    return Tournament.objects.values_list("version", flat=True).filter(pk=tournament_id).first() or 0


def publish_event(tournament_id: int, version: int, event: Json) -> None:
    """Send an event, with ``version`` as its number, when the transaction is committed."""
    withheld, released_at = Tournament.objects.values_list("withheld", "released_at").get(pk=tournament_id)
    shown = redacted_event(event) if withheld else event
    transaction.on_commit(partial(publish, topic(tournament_id), version, shown), robust=True)
    if withheld or released_at is not None:
        inside = f"{WITHHELD_TOPIC}/{tournament_id}"
        transaction.on_commit(partial(publish, inside, version, event), robust=True)


def revoke_readers(tournament_id: int) -> None:
    """After a visibility change, recheck the permissions of sockets that follow the tournament or its matches."""
    matches = Match.objects.filter(pairing__tournament_id=tournament_id).values_list("pk", flat=True)
    revoke(topics=[topic(tournament_id), f"{WITHHELD_TOPIC}/{tournament_id}", *(f"matches/{pk}" for pk in matches)])


def log_activity(
    tournament_id: int,
    kind: ActivityKind,
    *,
    actor: User | None = None,
    entry: Entry | None = None,
    match_id: int | None = None,
    text: str = "",
    details: Json | None = None,
) -> Activity:
    """Add a line to the activity log, notify the people affected, and publish the domain event."""
    line = Activity.objects.create(
        tournament_id=tournament_id,
        kind=kind,
        actor=actor,
        entry=entry,
        match_id=match_id,
        text=text,
        details=details or {},
    )
    notifications.notify_of_activity(tournament_id, kind)
    activity_logged.publish(ActivityLogged(tournament_id, line.pk, kind))
    return line
