"""Record failed attempts to play a match, with time, worker, reason and seat.

A match is void after three failed attempts. Nobody loses a void match, so a bot that could cause one could escape a
loss. The referee attributes failures of a bot's process or messages to the bot. All other failures are stored here.
The stored attempts show which seat was being asked for a move, and which bots repeatedly play in void matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from arena.accounts.permissions import Person
from arena.core.messages import Message
from arena.core.referee.failure_messages import UNKNOWN, WORKER_LOST
from arena.core.referee.faults import RefereeFailure, reason_of
from arena.games.localized_messages import translate_stored_message
from arena.matches.models import FailedAttempt, FailureKind, Match, Seat
from arena.matches.queries import match_names
from arena.matches.visibility import visible
from arena.platform.jobs.lifecycle import Lease, StalledJob

FLAG_WINDOW: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class FailedAttemptRow:
    """A failed attempt as shown on a page; ``bot``: the name of the bot being asked for a move, "" if unknown."""

    number: int
    at: datetime
    worker: str
    reason: str
    bot: str


@dataclass(frozen=True, slots=True)
class FlaggedBot:
    """A bot with many recent void matches.

    ``matches``: the names of the matches that the reader may see, by id. ``while_asked``: the number of matches in
    which the bot was being asked for a move in every failed attempt.
    """

    id: int
    name: str
    owner: str
    voids: int
    while_asked: int
    matches: Mapping[int, str]


def record_failure(lease: Lease, error: Exception) -> Message:
    """Store a failed attempt and return the reason.

    If exactly one seat was being started or asked for a move, that seat is stored too.
    """
    reason = reason_of(error)
    seat = error.seat if isinstance(error, RefereeFailure) else None
    worker = Match.objects.filter(pk=lease.pk).values_list("worker", flat=True).first() or ""
    _record(lease.pk, lease.fence, FailureKind.FAILURE, worker, reason, seat)
    return reason


def record_lost(stalled: StalledJob) -> None:
    """Store a failed attempt whose worker died or lost its connection."""
    _record(stalled.pk, stalled.fence, FailureKind.WORKER_LOST, stalled.worker, WORKER_LOST())


def record_void(match_id: int) -> dict[str, Any]:
    """Record that the match became void after its last attempt; return the reason as stored."""
    last = FailedAttempt.objects.filter(match=match_id).order_by("-pk").first()
    if last is None:
        fence = Match.objects.values_list("fence", flat=True).get(pk=match_id)
        last = _record(match_id, fence, FailureKind.UNKNOWN, "", UNKNOWN())
    FailedAttempt.objects.filter(pk=last.pk).update(voided=True)
    reason: dict[str, Any] = last.reason
    return reason


def _record(
    match_id: int, fence: int, kind: FailureKind, worker: str, reason: Message, seat: int | None = None
) -> FailedAttempt:
    return FailedAttempt.objects.create(
        match_id=match_id,
        fence=fence,
        kind=kind,
        at=timezone.now(),
        worker=worker,
        reason=reason.to_json("message"),
        seat=seat,
    )


def attempts_of(match_id: int) -> list[FailedAttemptRow]:
    """Return the failed attempts of a match, oldest first."""
    rows = list(FailedAttempt.objects.filter(match=match_id).order_by("pk"))
    names = _seat_names(match_id) if rows else {}
    return [
        FailedAttemptRow(number, row.at, row.worker, translate_stored_message(row.reason), names.get(row.seat, ""))
        for number, row in enumerate(rows, start=1)
    ]


def _seat_names(match_id: int) -> dict[int | None, str]:
    seats = Seat.objects.filter(match=match_id).select_related("submission__bot")
    return {seat.index: str(seat.submission) for seat in seats if seat.submission is not None}


def always_asked_bot(lines: Sequence[FailedAttemptRow]) -> str:
    """Return the name of the bot that was being asked for a move in every failed attempt.

    Return "" if the bots differ, or if there was only one attempt.
    """
    names = {line.bot for line in lines}
    return names.pop() if len(lines) > 1 and len(names) == 1 else ""


def flagged_bots(
    *, now: datetime, among: Collection[int] | None = None, reader: Person | None = None
) -> list[FlaggedBot]:
    """Return the bots with suspiciously many void matches within a day. Runs a constant number of queries.

    ``among``: ids of the bots to consider, None for all bots. ``reader``: None for staff.
    """
    voids: dict[int, int] = Counter(
        FailedAttempt.objects.filter(voided=True, at__gt=now - FLAG_WINDOW).values_list("match_id", flat=True)
    )
    seats = Seat.objects.filter(match__in=voids, submission__bot__is_house=False)
    if among is not None:
        seats = seats.filter(submission__bot__in=among)
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats.select_related("submission__bot__owner").order_by("match_id"):
        found[seat.bots_submission.bot_id].append(seat)
    seen = set(voids)
    if reader is not None:
        seen = set(Match.objects.filter(visible(reader), pk__in=voids).values_list("pk", flat=True))
    always_asked = _always_asked_seats(voids)
    names = match_names(seen)
    lines = [_flagged_bot(own, voids, always_asked, names) for own in found.values()]
    many = [line for line in lines if line.voids >= settings.VOID_MATCHES_FLAGGED]
    return sorted(many, key=lambda line: (-line.while_asked, -line.voids, line.name))


def _always_asked_seats(matches: Collection[int]) -> dict[int, int]:
    """Map matches to the seat that was being asked for a move in every failed attempt; omit matches without one."""
    attempts: dict[int, Counter[int | None]] = defaultdict(Counter)
    for match_id, seat in FailedAttempt.objects.filter(match__in=matches).values_list("match_id", "seat"):
        attempts[match_id][seat] += 1
    only = {match_id: next(iter(seats)) for match_id, seats in attempts.items() if len(seats) == 1}
    return {match_id: seat for match_id, seat in only.items() if seat is not None}


def _flagged_bot(
    own: Sequence[Seat], voids: Mapping[int, int], always_asked: Mapping[int, int], names: Mapping[int, str]
) -> FlaggedBot:
    bot = own[0].bots_submission.bot
    seats = {seat.match_id: seat.index for seat in own}
    return FlaggedBot(
        id=bot.pk,
        name=bot.name,
        owner=bot.owner.username,
        voids=sum(voids[match_id] for match_id in seats),
        while_asked=sum(voids[match_id] for match_id, index in seats.items() if always_asked.get(match_id) == index),
        matches={match_id: names[match_id] for match_id in sorted(seats) if match_id in names},
    )
