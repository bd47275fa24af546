"""Store a match's result: record, seats, standings and status in one transaction.

Invariant: a short database outage does not cause a result to be discarded.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

from django.db import InterfaceError, OperationalError, connections, transaction
from django.utils import timezone

from arena.core.referee.clock import Clock
from arena.core.referee.events import outcome_json
from arena.core.referee.play import MatchResult
from arena.core.referee.record import VERSION, RecordedMove, dump
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches.callbacks import StoredResult, callbacks_of
from arena.matches.domain_events import ResultStored, result_stored
from arena.matches.models import MatchRecord, MatchStatus, Seat, SeatReport
from arena.matches.repeats import play_digest
from arena.matches.snapshots import seats_json
from arena.platform.jobs.lifecycle import Lease, store_result

logger = logging.getLogger(__name__)

# Seconds between attempts to store a result: two minutes in total, then the match is requeued.
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
# per seat, stored with its result
_PLAYED = ("points", "rank", "margin", "count", "fault", "fault_turn", "seconds", "slowest", "moves")


def store_with_retries(
    lease: Lease,
    seats: Sequence[Seat],
    result: MatchResult,
    *,
    on_stored: Callable[[dict[str, object]], None],
    clock: Clock,
) -> bool:
    """Run ``store``, retrying while the database is unavailable or full; return its result.

    The caller renews the lease.
    """
    for waited, pause in enumerate(PAUSES):
        try:
            stored = store(lease, seats, result, on_stored=on_stored)
        except (OperationalError, InterfaceError) as error:
            logger.warning("match %s: result waiting for the database: %s", lease.pk, error)
            connections.close_all()  # a broken connection does not recover
            clock.wait([], pause)
        else:
            if waited:
                _log_end_of_wait(lease, stored)
            return stored
    stored = store(lease, seats, result, on_stored=on_stored)
    _log_end_of_wait(lease, stored)
    return stored


def _log_end_of_wait(lease: Lease, stored: bool) -> None:
    """Log that the outage has ended, at the same level as the message about its start."""
    if stored:
        logger.warning("match %s: result stored", lease.pk)
    else:
        logger.warning("match %s: result dropped: another worker has the match, or it was cancelled", lease.pk)


def store(
    lease: Lease, seats: Sequence[Seat], result: MatchResult, *, on_stored: Callable[[dict[str, object]], None]
) -> bool:
    """Store a result if the lease is still held; return False if another worker has the match or it was cancelled.

    ``on_stored`` receives the live event after the commit. Runs a constant number of queries.
    """
    data, digest = dump(result.record), play_digest(result.record)
    game = result.record.game
    _fill_seats(seats, result)
    with transaction.atomic():
        stored = store_result(
            lease,
            status=MatchStatus.FINISHED,
            finished_at=timezone.now(),
            termination=result.outcome.termination,
            turns=len(result.record.turns),
            play_digest=digest,
        )
        if not stored:
            logger.info("match %s: result under fence %s dropped", lease.pk, lease.fence)
            return False
        # All rows exist: this updates them with one statement, which is much faster than ``bulk_update``.
        Seat.objects.bulk_create(seats, update_conflicts=True, unique_fields=["id"], update_fields=_PLAYED)
        MatchRecord.objects.create(match_id=lease.pk, version=VERSION, data=data)
        SeatReport.objects.bulk_create(_reports(seats, result))
        callbacks = callbacks_of(seats[0].match.purpose)
        if callbacks is not None:
            callbacks.finished(StoredResult(lease.pk, result.outcome, tuple(seat.fault for seat in seats)))
        result_stored.publish(ResultStored(lease.pk, game, seats[0].match.purpose))
        outcome = result.outcome
        event: dict[str, object] = {
            "type": "finished",
            "outcome": outcome_json(outcome.points, outcome.ranks, outcome.termination),
            **({"reveals": True} if GAMES[game].hides else {}),  # from now on, a snapshot shows what was hidden
            "seats": seats_json(seats, game),
        }
        transaction.on_commit(partial(on_stored, event))
    return True


def _fill_seats(seats: Sequence[Seat], result: MatchResult) -> None:
    outcome = result.outcome
    counts = SITES[result.record.game].counts
    counted = counts(result.view) if counts else [None] * len(seats)
    moves: dict[int, list[tuple[int, RecordedMove]]] = {seat.index: [] for seat in seats}
    for turn in result.record.turns:
        for move in turn.moves:
            moves[move.seat].append((turn.number, move))
    for seat in seats:
        mine = moves[seat.index]
        seat.points, seat.rank = outcome.points[seat.index], outcome.ranks[seat.index]
        seat.margin, seat.count = outcome.margins[seat.index], counted[seat.index]
        cut_off = result.unfinished[seat.index]
        seat.seconds = sum(move.seconds for _, move in mine) + cut_off
        seat.moves = len(mine)
        seat.slowest = max((cut_off, *(move.seconds for _, move in mine)))
        fault = next(((number, move.fault) for number, move in mine if move.fault), None)
        seat.fault_turn, seat.fault = (fault[0], str(fault[1])) if fault else (None, "")


def _reports(seats: Sequence[Seat], result: MatchResult) -> list[SeatReport]:
    return [
        SeatReport(
            seat=seat,
            log=result.logs[seat.index],
            diagnosis=diagnosis.to_json() if (diagnosis := result.diagnoses[seat.index]) else None,
            refused=[one.to_json() for one in result.rejected[seat.index]],
            printed=[list(span) for span in result.printed[seat.index]],
        )
        for seat in seats
    ]
