"""The live events of a tournament, and the lines of its feed.

Invariant: an event is sent after the commit of what it tells, numbered by the version of that change.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from arena.accounts.models import User
from arena.live.publisher import publish
from arena.tournaments.models import Entry, Notice, NoticeKind, Tournament
from arena.tournaments.telling import tell

TOPIC = "tournaments"
Json = dict[str, Any]


def topic(tournament_id: int) -> str:
    return f"{TOPIC}/{tournament_id}"


def newest_number(tournament_id: int) -> int:
    """The number of the newest event; 0 where there is no such tournament."""
    return Tournament.objects.values_list("version", flat=True).filter(pk=tournament_id).first() or 0


def announce(tournament_id: int, version: int, event: Json) -> None:
    """Send an event when the transaction is committed."""
    transaction.on_commit(partial(publish, topic(tournament_id), version, event), robust=True)


def note(
    tournament_id: int,
    kind: NoticeKind,
    *,
    actor: User | None = None,
    entry: Entry | None = None,
    match_id: int | None = None,
) -> None:
    """Add a line to the feed, and tell those whom it concerns."""
    Notice.objects.create(tournament_id=tournament_id, kind=kind, actor=actor, entry=entry, match_id=match_id)
    tell(tournament_id, kind)
