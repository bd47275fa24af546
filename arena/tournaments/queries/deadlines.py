"""Upcoming dates for a person: tournaments that their bots have entered, and tournaments open for entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from arena.accounts.models import User
from arena.tournaments.models import Entry, EntryPolicy, EntryStatus, Tournament, TournamentStatus
from arena.tournaments.visibility import visible
from arena.ui.localized import localized_name

_S = TournamentStatus


@dataclass(frozen=True, slots=True)
class Deadline:
    """An upcoming date of a tournament that concerns a person.

    ``at``: when entries close or the tournament starts; None if that time is not set. ``bots``: the names of the bots
    that the person has entered; () if the person can still enter one.
    """

    tournament_id: int
    name: str
    game: str
    status: str
    course: str
    at: datetime | None
    bots: tuple[str, ...] = ()


def deadlines(person: User, limit: int, *, now: datetime) -> list[Deadline]:
    """Return a person's upcoming dates, at most ``limit``. Runs two queries.

    Tournaments with the person's bots come first, running ones before others; then tournaments that are open for entry.
    """
    return [*_entered_deadlines(person, limit), *_open_deadlines(person, limit, now)][:limit]


def _entered_deadlines(person: User, limit: int) -> list[Deadline]:
    entries = Entry.objects.filter(
        visible(person, "tournament__"),
        bot__owner=person,
        status=EntryStatus.ENTERED,
        tournament__status__in=(_S.OPEN, _S.FROZEN, _S.RUNNING, _S.PAUSED),
    ).select_related("tournament__course", "bot")
    bots: dict[Tournament, list[str]] = {}
    for entry in entries.order_by("pk"):
        bots.setdefault(entry.tournament, []).append(entry.bot.name)
    found = [_deadline(row, names) for row, names in bots.items()]
    return sorted(found, key=_urgency)[:limit]


def _urgency(one: Deadline) -> tuple[bool, bool, float]:
    return one.status not in (_S.RUNNING, _S.PAUSED), one.at is None, one.at.timestamp() if one.at else 0.0


def _open_deadlines(person: User, limit: int, now: datetime) -> list[Deadline]:
    allowed = (
        Q(entry_policy=EntryPolicy.OPEN)
        | Q(entry_policy=EntryPolicy.MEMBERS, course__memberships__person=person)
        | Q(entry_policy=EntryPolicy.INVITED, invitations__person=person)
    )
    entered = Entry.objects.filter(bot__owner=person, status=EntryStatus.ENTERED).values("tournament")
    rows = Tournament.objects.filter(visible(person), allowed, Q(deadline=None) | Q(deadline__gt=now), status=_S.OPEN)
    rows = rows.exclude(pk__in=entered).select_related("course").distinct()
    return [_deadline(row) for row in rows.order_by(F("deadline").asc(nulls_last=True), "pk")[:limit]]


def _deadline(row: Tournament, bots: Iterable[str] = ()) -> Deadline:
    at = {_S.OPEN: row.deadline, _S.FROZEN: row.starts_at}.get(_S(row.status))
    course = row.course.name if row.course else ""
    return Deadline(row.pk, localized_name(row), row.game, row.status, course, at, tuple(bots))
