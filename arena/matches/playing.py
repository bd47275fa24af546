"""Play one match on a worker, from the claim to the stored result.

Invariants: the result is stored under the lease's fencing token, in one transaction with everything derived from it; an
arena failure releases the match and is never counted against a player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Protocol

from django.db import transaction

from arena.core.referee.clock import Clock
from arena.core.referee.events import MatchEvent, SeatMove, TurnPlayed
from arena.core.referee.play import play_match
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatClock, SeatSpec
from arena.games.registry import GAMES
from arena.matches import preparations, stored_turns
from arena.matches.broadcast import Broadcast, open_broadcast
from arena.matches.callbacks import callbacks_of
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.result_store import store_with_retries
from arena.matches.seat_owners import FETCHED, SHOWN, owner_of
from arena.matches.services import MATCHES
from arena.matches.snapshots import match_json, seats_json
from arena.platform.jobs.lifecycle import Lease
from arena.submissions.models import Submission


@dataclass(frozen=True, slots=True)
class ClaimedMatch:
    """A claimed match, with the players in seat order."""

    match: Match
    spec: MatchSpec
    seats: tuple[Seat, ...]

    @property
    def submissions(self) -> tuple[Submission | None, ...]:
        """Return the submissions in seat order; None for a person."""
        return tuple(seat.submission for seat in self.seats)


# Creates the players of a job; closing the stack releases their resources.
Seating = Callable[[ClaimedMatch, ExitStack], Sequence[Player]]


class TurnLog(Protocol):
    """A store for the turns of a running match, so that another worker can continue after this one dies."""

    def stored_turns(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        """Return the turns stored by earlier workers."""

    def resumption_turns(self) -> Sequence[int]:
        """Return the first turn played by each worker that took over the match, including this worker."""

    def store_turn(self, lease: Lease, turn: TurnPlayed) -> None:
        """Store a turn, idempotently; do nothing if the lease has been lost."""


class NoTurnLog:
    """A turn log that stores nothing, for matches between bots, which are short enough to be played again."""

    def stored_turns(self, match_id: int) -> Sequence[tuple[SeatMove, ...]]:
        return ()

    def resumption_turns(self) -> Sequence[int]:
        return ()

    def store_turn(self, lease: Lease, turn: TurnPlayed) -> None:
        return


NO_TURN_LOG: Final = NoTurnLog()
# The maximum time in seconds that a person may take for a turn, whatever their clock says, because others are waiting.
MAX_SILENCE_SECONDS: Final = 300.0
_SEAT: Final = tuple(field.name for field in Seat._meta.concrete_fields)


def limits_of(raw: Mapping[str, object]) -> MatchLimits:
    """Return the limits from a match's JSON; missing limits get the defaults of ``MatchLimits``."""
    return MatchLimits(**raw)  # type: ignore[arg-type]


def load_claimed_match(lease: Lease) -> ClaimedMatch:
    """Return the match to play. Runs one query, or two if ``lease.row`` is None."""
    match = lease.row or Match.objects.get(pk=lease.pk)
    seats = tuple(match.seats.select_related(*FETCHED).only(*_SEAT, *SHOWN))
    spec = MatchSpec(
        game=GAMES[match.game],
        settings=match.settings,
        seed=match.seed,
        limits=limits_of(match.limits),
        seats=tuple(map(_seat_spec, seats)),
        secret=match.secret,
    )
    return ClaimedMatch(match, spec, seats)


def _seat_spec(seat: Seat) -> SeatSpec:
    if seat.submission is not None:
        return SeatSpec(str(seat.submission), seat.submission.sha256)
    clock = SeatClock(seat.clock, MAX_SILENCE_SECONDS) if seat.clock else None
    return SeatSpec(owner_of(seat).name, "", clock)


def play(
    match_id: int,
    *,
    worker: str,
    seating: Seating,
    clock: Clock,
    stopping: Callable[[], bool] = lambda: False,
    log: TurnLog = NO_TURN_LOG,
) -> bool:
    """Claim and play this match; return False if there was nothing to claim or no result was stored."""
    lease = MATCHES.claim(match_id, worker=worker)
    return lease is not None and play_claimed(lease, seating=seating, clock=clock, stopping=stopping, log=log)


def play_claimed(
    lease: Lease,
    *,
    seating: Seating,
    clock: Clock,
    stopping: Callable[[], bool] = lambda: False,
    log: TurnLog = NO_TURN_LOG,
) -> bool:
    """Play a claimed match; return False if no result was stored.

    ``stopping``: returns true once the worker is shutting down; the match is then released without counting the
    attempt.
    """

    def work(stop: Callable[[], bool]) -> bool:
        claimed = load_claimed_match(lease)
        with open_broadcast(lease, claimed.match) as broadcast:
            return _Attempt(lease, claimed, broadcast).play(seating, clock, stop, log)

    return MATCHES.run_job(lease, work, stopping=stopping)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One attempt to play a match, broadcast live."""

    lease: Lease
    claimed: ClaimedMatch
    broadcast: Broadcast

    def play(self, seating: Seating, clock: Clock, stop: Callable[[], bool], log: TurnLog) -> bool:
        self._begin()

        def on_event(event: MatchEvent) -> None:
            if isinstance(event, TurnPlayed):
                log.store_turn(self.lease, event)
            self.broadcast.on_event(event)

        with ExitStack() as stack:
            players = seating(self.claimed, stack)
            played = log.stored_turns(self.lease.pk)
            result = play_match(
                self.claimed.spec,
                players,
                clock,
                on_event=on_event,
                stop=stop,
                played=played,
                resumed=log.resumption_turns(),
            )
        stored = store_with_retries(self.lease, self.claimed.seats, result, on_stored=self.broadcast.send, clock=clock)
        if stored:
            stored_turns.store_turn_pages(self.lease.pk, result.record)
            preparations.run_preparations(self.lease.pk, result.record)
        return stored

    def _begin(self) -> None:
        match = self.claimed.match
        callbacks = callbacks_of(match.purpose)
        if callbacks is not None:
            with transaction.atomic():
                callbacks.started(match.pk)
        match.status = MatchStatus.RUNNING
        seats = seats_json(self.claimed.seats, match.game)
        self.broadcast.send({"type": "started", "match": match_json(match), "seats": seats})
