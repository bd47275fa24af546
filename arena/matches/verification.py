"""Verify stored matches against their records, and the records against the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.core.messages import Message, Template
from arena.core.referee.record import VERSION, Record, RecordError
from arena.core.referee.replay import verify
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.records import record_of, reduction_of
from arena.submissions.blobs import BlobMissingError
from arena.submissions.store import ContentLost

UNREADABLE: Final = Template("match.unreadable", "its record cannot be read: %(error)s")
MISSING: Final = Template("match.no_record", "it is finished but has no record")
DIFFERENT: Final = Template("match.different", "%(field)s: %(stored)s in the database, but %(recorded)s in the record")


def finished_ids(match_ids: Sequence[int] | None = None) -> list[int]:
    rows = Match.objects.filter(status=MatchStatus.FINISHED)
    if match_ids is not None:
        rows = rows.filter(pk__in=match_ids)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def problems_of(match_id: int) -> list[Message]:
    """Return all inconsistencies, as messages for the terminal; empty for a consistent match."""
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.select_related("submission"))
    try:
        record = record_of(match_id)
    except (RecordError, BlobMissingError, ContentLost) as error:
        return [UNREADABLE(error=str(error))]
    if record is None:
        return [] if reduction_of(match_id) else [MISSING()]
    return [*verify(record, GAMES), *_compare_with_rows(match, seats, record)]


def first_faults(record: Record) -> dict[int, tuple[int, str]]:
    """Return the turn and kind of the first fault of each seat that has one."""
    found: dict[int, tuple[int, str]] = {}
    for turn in record.turns:
        for move in turn.moves:
            if move.fault:
                found.setdefault(move.seat, (turn.number, str(move.fault)))
    return found


def _compare_with_rows(match: Match, seats: list[Seat], record: Record) -> list[Message]:
    outcome = record.outcome
    faults = first_faults(record)
    pairs = {
        "game": (match.game, record.game),
        "seed": (match.seed, record.seed),
        "settings": (match.settings, record.settings),
        "termination": (match.termination, str(outcome.termination)),
        "turns": (match.turns, len(record.turns)),
        "submissions": (
            [seat.submission.sha256 if seat.submission else "" for seat in seats],
            [seat.sha256 for seat in record.seats],
        ),
        "points": ([seat.points for seat in seats], list(outcome.points)),
        "ranks": ([seat.rank for seat in seats], list(outcome.ranks)),
        "faults": (
            [(seat.fault_turn, seat.fault) if seat.fault else None for seat in seats],
            [faults.get(seat.index) for seat in seats],
        ),
        "margins": ([seat.margin for seat in seats], list(outcome.margins)),
    }
    if record.version == VERSION:  # earlier records do not contain the secret
        pairs["secret"] = (match.secret, record.secret)
    return [
        DIFFERENT(field=name, stored=repr(ours), recorded=repr(theirs))
        for name, (ours, theirs) in pairs.items()
        if ours != theirs
    ]
