"""Playing one match on a worker, from the claim to the stored result.

Invariants: the result is stored under the lease's fence in one transaction with everything drawn
from it; a failure of ours gives the match back and never becomes anybody's loss.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from arena.core.referee.clock import Clock
from arena.core.referee.events import MatchEvent, SeatMove, Started, TurnPlayed
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.play import play_match
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatClock, SeatSpec
from arena.games.registry import GAMES
from arena.matches import failures
from arena.matches.broadcast import announce, first_number, topic
from arena.matches.holders import FETCHED, holder_of
from arena.matches.hooks import hooks_of
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.services import JOBS, void_exhausted
from arena.matches.snapshots import match_json, seats_json
from arena.matches.storing import store_patiently
from arena.platform.jobs.heartbeat import Heartbeat
from arena.platform.jobs.lifecycle import Lease, claim, held, release
from arena.platform.live.publisher import Journal
from arena.submissions.blobs import StoreAway
from arena.submissions.models import Submission
from arena.submissions.store import DiskFull

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClaimedMatch:
    """A claimed match and the submissions that sit in it, in seat order; None where a person does."""

    match: Match
    spec: MatchSpec
    submissions: tuple[Submission | None, ...]


# Seats the players of a job; what it opens is closed with the stack.
Seating = Callable[[ClaimedMatch, ExitStack], Sequence[Player]]


class TurnLog(Protocol):
    """Keeps the turns of a match while it is played, so that another worker goes on where this one died."""

    def played(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        """What was kept of it, turn by turn."""

    def keep(self, lease: Lease, turn: TurnPlayed) -> None:
        """Keep a turn, those that are kept already too; nothing happens where the lease is lost."""


class NoTurnLog:
    """Bots are quick and do not mind playing a match again."""

    def played(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        return ()

    def keep(self, lease: Lease, turn: TurnPlayed) -> None:
        return


NO_TURN_LOG: Final = NoTurnLog()
# The longest that a person may be silent within a turn, whatever their clock says, for others wait for their place;
# seconds.
LONGEST_SILENCE: Final = 300.0


def limits_of(raw: Mapping[str, object]) -> MatchLimits:
    """Limits from a match's JSON; absent ones are the defaults of DESIGN.md section 3."""
    return MatchLimits(**raw)  # type: ignore[arg-type]


def job_of(match_id: int) -> ClaimedMatch:
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.select_related(*FETCHED))
    spec = MatchSpec(
        game=GAMES[match.game],
        settings=match.settings,
        seed=match.seed,
        limits=limits_of(match.limits),
        seats=tuple(map(_seat_spec, seats)),
    )
    return ClaimedMatch(match, spec, tuple(seat.submission for seat in seats))


def _seat_spec(seat: Seat) -> SeatSpec:
    if seat.submission is not None:
        return SeatSpec(str(seat.submission), seat.submission.sha256)
    clock = SeatClock(seat.clock, LONGEST_SILENCE) if seat.clock else None
    return SeatSpec(holder_of(seat).name, "", clock)


class Broadcast:
    """A running match's events, numbered and sent on."""

    def __init__(self, lease: Lease) -> None:
        self._journal = Journal(topic(lease.pk), first_number(lease.fence))

    def send(self, event: dict[str, object]) -> None:
        self._journal.publish(event)

    def on_event(self, event: MatchEvent) -> None:
        if isinstance(event, Started | TurnPlayed):
            self.send({"type": "turn", "turn": event.to_json()})


def play(
    match_id: int,
    *,
    worker: str,
    seating: Seating,
    clock: Clock,
    stopping: Callable[[], bool] = lambda: False,
    log: TurnLog = NO_TURN_LOG,
) -> bool:
    """Claim and play this match; False where there was nothing to claim or no result to store."""
    lease = claim(JOBS, match_id, worker=worker, now=timezone.now())
    if lease is None:
        void_exhausted(now=timezone.now())
        return False
    return play_claimed(lease, seating=seating, clock=clock, stopping=stopping, log=log)


def play_claimed(
    lease: Lease,
    *,
    seating: Seating,
    clock: Clock,
    stopping: Callable[[], bool] = lambda: False,
    log: TurnLog = NO_TURN_LOG,
) -> bool:
    """Play a claimed match; False where no result was stored.

    ``stopping`` turns true when the worker shuts down: the match is given back uncounted.
    """
    job = job_of(lease.pk)
    broadcast = Broadcast(lease)
    _begin(job, broadcast)

    def on_event(event: MatchEvent) -> None:
        if isinstance(event, TurnPlayed):
            log.keep(lease, event)
        broadcast.on_event(event)

    with _given_back_without_result(lease), Heartbeat(lease) as heartbeat:
        with ExitStack() as stack:
            result = play_match(
                job.spec,
                seating(job, stack),
                clock,
                on_event=on_event,
                stop=lambda: heartbeat.lost or stopping(),
                played=log.played(lease.pk),
            )
        return store_patiently(lease, job.match, result, on_stored=broadcast.send, clock=clock)
    return False


@contextmanager
def _given_back_without_result(lease: Lease) -> Iterator[None]:
    """Only a failure of the arena counts as an attempt."""
    try:
        yield
    except MatchStopped:
        _return(lease, counted=False)
    except (DiskFull, StoreAway) as failure:  # it waits: a disk full for a while does not void a whole tournament
        logger.error("match %s goes on waiting: %s", lease.pk, failure)
        _return(lease, counted=False)
    except RefereeFailure as failure:
        logger.exception("match %s: the arena failed", lease.pk)
        _fail(lease, failure, failure.seat)
    except (OperationalError, InterfaceError):  # the database is away: the sweep takes the match back
        raise
    except Exception as error:
        _fail(lease, error, None)
        raise


def _fail(lease: Lease, error: Exception, seat: int | None) -> None:
    """Give the match back as a counted attempt, which is kept; nothing happens where it was taken away meanwhile."""
    with transaction.atomic():
        if held(lease).select_for_update().exists():
            held(lease).update(failure=failures.record(lease, error, seat))
            _return(lease, counted=True)


def _begin(job: ClaimedMatch, broadcast: Broadcast) -> None:
    match = job.match
    seats = list(match.seats.select_related(*FETCHED))
    with transaction.atomic():
        if match.started_at is None:
            Match.objects.filter(pk=match.pk, started_at=None).update(started_at=timezone.now())
        hooks = hooks_of(match.purpose)
        if hooks is not None:
            hooks.started(match.pk)
    match.status = MatchStatus.RUNNING
    broadcast.send({"type": "started", "match": match_json(match), "seats": seats_json(seats, match.game)})


def _return(lease: Lease, *, counted: bool) -> None:
    """Give the match back; nothing happens where it was taken away or cancelled meanwhile."""
    with transaction.atomic():
        if release(lease, counted=counted):
            transaction.on_commit(partial(announce, lease.pk, lease.fence, {"type": "requeued"}))
