"""One player in a match: its conversation, its time, and the results of its requests.

Invariants: a fault is reported once, and the caller then closes the player; time runs only between ``ask`` and the
reply. Bots are suspended between requests, so everything added to the log since the previous reply comes from the
current request. A seat's own clock covers all turns together. The first request of a conversation restarts the player's
process if that process has already received a request.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.core.referee import diagnosis, verdict
from arena.core.referee.bot_messages import HARNESS, bot_messages
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import Conversation, SeatAnswered, SeatFaulted
from arena.core.referee.events import NO_TIME, LogSpan, TimeSpent
from arena.core.referee.failure_messages import TOO_BUSY
from arena.core.referee.fair_time import Meter
from arena.core.referee.faults import ARENA_FAILURES, Fault, FaultKind, MatchStopped, RefereeFailure
from arena.core.referee.players import Player, PlayerGone
from arena.core.referee.protocol import BadMessage, CodeFailed, ProtocolEndpoint, Request, RequestKind
from arena.core.referee.spec import MatchLimits, SeatClock
from arena.games.base import AnyGame

# How often ``stop`` is called, in seconds; it may query a database.
STOP_INTERVAL = 0.25


class RefereedSeat:
    """One player with its conversation and its time.

    ``game``: defines its course files, and the messages that its adapters and dialects may report. ``clock``: see
    ``SeatSpec``; ``used``: seconds of that clock used in earlier turns.
    """

    __slots__ = (
        "_begun",
        "_clock",
        "_course_files",
        "_printed",
        "_used",
        "check_at",
        "line",
        "meter",
        "player",
        "request_kind",
        "so_far",
    )

    def __init__(
        self, player: Player, game: AnyGame | None = None, clock: SeatClock | None = None, used: float = 0.0
    ) -> None:
        self.player = player
        self._clock = clock
        self._used = used
        self._begun = False  # whether the process has received a request
        self._course_files = game.course_files if game else frozenset()
        self.line = ProtocolEndpoint(templates=bot_messages(game) if game else HARNESS)
        self.meter = Meter(0.0)
        self.request_kind = RequestKind.LOAD
        self.check_at = 0.0
        self.so_far = NO_TIME  # time charged to the open budget at the last measurement
        self._printed = 0  # bytes in the player's log before the open request

    def ask(self, request: Request, limits: MatchLimits, clock: Clock) -> SeatFaulted | None:
        """Send a request and start the clock; return a fault if the player has exited. Raises RefereeFailure."""
        with ARENA_FAILURES:
            return self._ask(request, limits, clock)

    def _ask(self, request: Request, limits: MatchLimits, clock: Clock) -> SeatFaulted | None:
        if request.kind is RequestKind.LOAD and self._begun:
            self.player.restart()
            self._printed = self.player.printed_bytes()
        self._begun = True
        if request.kind.opens_budget:
            if not self.request_kind.is_start:
                self._used += self.meter.spent.charged
            self.meter = Meter(self._time_limit(request.kind, limits))
        self.request_kind = request.kind
        self.so_far = self.meter.spent
        payload = self.line.open(request)
        usage = self.player.usage()
        now = clock.now()
        self.meter.start(now, usage)
        self.check_at = now + self.meter.next_check(self.meter.spent)
        try:
            self.player.ask(payload)
        except PlayerGone as error:
            return self._record_exit(request.seat, error, clock)
        return None

    def take_result(self, seat: int, clock: Clock) -> SeatAnswered | SeatFaulted | None:
        """Return the result of the request; None while the bot is still thinking. Raises RefereeFailure."""
        with ARENA_FAILURES:
            return self._take_result(seat, clock)

    def _take_result(self, seat: int, clock: Clock) -> SeatAnswered | SeatFaulted | None:
        try:
            payload = self.player.receive()
            if payload is None:
                return None
            spent = self.meter.stop(clock.now(), self.player.usage())
            self.player.suspend()
            reply = self.line.accept(payload)
        except PlayerGone as error:
            return self._record_exit(seat, error, clock)
        except BadMessage as error:
            return self._end_with_fault(seat, verdict.bad_message_fault(self.request_kind, error), self.meter.spent)
        if self.meter.is_limit_exceeded(spent):
            return self._end_with_fault(seat, self._timeout_fault(), spent)
        if isinstance(reply, CodeFailed):
            return self._end_with_fault(seat, verdict.code_fault(self.request_kind, reply), spent)
        before, self._printed = self._printed, self.player.printed_bytes()
        return SeatAnswered(seat, reply, spent, LogSpan(before, self._printed))

    def check_time(self, seat: int, clock: Clock) -> SeatFaulted | None:
        """Return a fault if the budget is used up, otherwise None; called after ``check_at``.

        Raises RefereeFailure, for example if the machine gave the bot too little core time to use its budget.
        """
        with ARENA_FAILURES:
            return self._check_time(seat, clock)

    def _check_time(self, seat: int, clock: Clock) -> SeatFaulted | None:
        now = clock.now()
        spent = self.so_far = self.meter.read(now, self.player.usage())
        if self.meter.is_limit_exceeded(spent):
            self.player.close()
            return self._end_with_fault(seat, self._timeout_fault(), spent)
        if self.meter.is_machine_too_busy(spent):
            raise RefereeFailure(
                TOO_BUSY(
                    seconds=f"{spent.wall:.1f}",
                    seat=seat + 1,
                    received=f"{spent.charged:.1f}",
                    limit=f"{self.meter.limit:g}",
                )
            )
        self.check_at = now + self.meter.next_check(spent)
        return None

    def _time_limit(self, kind: RequestKind, limits: MatchLimits) -> float:
        if kind.is_start:
            return limits.start_seconds
        if self._clock is None:
            return limits.move_seconds
        return max(0.0, min(self._clock.turn_seconds, self._clock.match_seconds - self._used))

    def _timeout_fault(self) -> Fault:
        return verdict.timeout_fault(self.request_kind, self.meter.limit, self._find_running_line())

    def _find_running_line(self) -> diagnosis.SourceLocation | None:
        return diagnosis.find_running_line(
            self.player, importing=self.request_kind is RequestKind.IMPORT, course_files=self._course_files
        )

    def _record_exit(self, seat: int, error: PlayerGone, clock: Clock) -> SeatFaulted:
        spent = self.meter.stop(clock.now(), None)
        player_exit, location = error.player_exit, None
        if player_exit.kind is FaultKind.CRASH:
            location = self._find_running_line()
        return self._end_with_fault(
            seat, verdict.exit_fault(self.request_kind, player_exit.kind, player_exit.message, location), spent
        )

    def _end_with_fault(self, seat: int, fault: Fault, spent: TimeSpent) -> SeatFaulted:
        """Return the fault that ends the request; the rest of the log is attributed to this request."""
        return SeatFaulted(seat, fault, spent, LogSpan(self._printed))


def ask_alone(
    seat: RefereedSeat, request: Request, limits: MatchLimits, clock: Clock, stop: Callable[[], bool]
) -> SeatAnswered | SeatFaulted:
    """Ask one bot outside of any match and wait for the result. Raises MatchStopped."""
    event = seat.ask(request, limits, clock)
    while event is None:
        if stop():
            raise MatchStopped
        timeout = min(STOP_INTERVAL, seat.check_at - clock.now())
        with ARENA_FAILURES:
            answered = clock.wait([seat.player], timeout)
        outcome = seat.take_result(request.seat, clock) if answered else None
        if outcome is None and clock.now() >= seat.check_at:
            outcome = seat.check_time(request.seat, clock)
        if outcome is not None:
            return outcome
    return event


def converse(
    seat: RefereedSeat,
    conversation: Conversation,
    request: Request,
    limits: MatchLimits,
    clock: Clock,
    stop: Callable[[], bool],
) -> None:
    """Continue a conversation outside of any match until its start or turn is over. Raises MatchStopped."""
    following: Request | None = request
    while following is not None:
        following = conversation.handle(ask_alone(seat, following, limits, clock, stop))
