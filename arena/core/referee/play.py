"""Play a match: the loop that connects it to its players and a clock.

Invariants: every process that was started is dead and reaped when ``play_match`` returns or raises. At most
``thinking`` bots run at a time while the others rest, so that bots do not compete for cores and the wall-clock limit
stays fair; up to twice as many run while they answer within ``QUICK`` seconds. The arena's own failures raise
``RefereeFailure`` and are never a bot's fault.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from arena.core.referee import diagnosis, record, verdict
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import SeatAnswered, SeatFaulted
from arena.core.referee.diagnosis import Diagnosis, FaultContext
from arena.core.referee.events import MatchEvent, SeatMove, TimeSpent, TurnPlayed
from arena.core.referee.faults import ARENA_FAILURES, MatchStopped, RefereeFailure
from arena.core.referee.match import Match
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.referee.record import Record
from arena.core.referee.seat import STOP_INTERVAL, RefereedSeat
from arena.core.referee.spec import MatchLimits, MatchSpec
from arena.games.base import Json, Outcome

# If the answer takes at most this many seconds of wall time, waking the bot took longer than computing the answer.
QUICK = 0.003
# Number of a seat's rejected answers that are explained to its author; more could fill the report of a long match. The
# record counts all of them.
MAX_EXPLAINED_REJECTIONS = 1_000


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match.

    All fields except ``record``, ``outcome`` and ``view`` are indexed by seat and private to the seat's owner.

    ``diagnoses``: the fault that cost a seat the match; ``rejected``: the first ``MAX_EXPLAINED_REJECTIONS`` rejected
    answers; ``printed``: for each turn with output, the turn's number and the span of the output in the log;
    ``unfinished``: seconds charged in a turn that the match's time limit cut off. ``view``: the last position, with
    nothing hidden.
    """

    record: Record
    outcome: Outcome
    view: Mapping[str, Json]
    diagnoses: tuple[Diagnosis | None, ...]
    rejected: tuple[tuple[Diagnosis, ...], ...]
    logs: tuple[bytes, ...]
    printed: tuple[tuple[tuple[int, int, int], ...], ...]
    unfinished: tuple[float, ...]


def play_match(
    spec: MatchSpec,
    players: Sequence[Player],
    clock: Clock,
    on_event: Callable[[MatchEvent], None],
    stop: Callable[[], bool],
    *,
    thinking: int | None = None,
    played: Sequence[tuple[SeatMove, ...]] = (),
    resumed: Sequence[int] = (),
    on_thinking: Callable[[int, TimeSpent], None] | None = None,
) -> MatchResult:
    """Play one match to completion.

    ``players``: one per seat, not yet started. ``on_event`` receives every event in order; its exceptions end the match
    and propagate. ``stop`` is called about four times a second. ``thinking``: number of bots that may run at once, by
    default the number of cores this process may use. ``played``: turns that earlier processes of the same bots have
    played; they are reported again and belong to the record. ``resumed``: the turns at which new processes took over,
    including the turn at which ``players`` take over. ``on_thinking`` receives the time used in a seat's turn about
    four times a second. Raises MatchStopped, RefereeFailure (the match is requeued), and ValueError or SettingsError
    for an invalid ``spec``.
    """
    seats = _seat_players(spec, players, played)
    match = Match(spec, played)
    with ExitStack() as closing:
        for player in players:
            closing.callback(player.close)
        table = _MatchLoop(spec.limits, match, seats, clock, on_event, stop, thinking or usable_cores(), on_thinking)
        try:
            table.play()
        except RefereeFailure as failure:
            failure.seat = table.asked_alone
            raise
    with ARENA_FAILURES:
        logs = tuple(player.log() for player in players)
        return _result(spec, match, table, logs, resumed)


def _seat_players(
    spec: MatchSpec, players: Sequence[Player], played: Sequence[tuple[SeatMove, ...]]
) -> list[RefereedSeat]:
    """Return the seats, each charged with the time of its earlier turns. Raises ValueError."""
    if len(players) != len(spec.seats):
        raise ValueError(f"{len(spec.seats)} seats but {len(players)} players")
    return [
        RefereedSeat(player, spec.game, seat.clock, _charged_seconds(played, index))
        for index, (player, seat) in enumerate(zip(players, spec.seats, strict=True))
    ]


def _result(
    spec: MatchSpec, match: Match, table: _MatchLoop, logs: tuple[bytes, ...], resumed: Sequence[int]
) -> MatchResult:
    assert match.outcome is not None  # noqa: S101 - the loop ends with it
    return MatchResult(
        record=record.create_record(spec, table.turns, match.outcome, resumed),
        outcome=match.outcome,
        view=match.last_view,
        diagnoses=tuple(_diagnose(match, seat) for seat in range(len(logs))),
        rejected=_rejected_answers(len(logs), table.turns),
        logs=logs,
        printed=_output_spans(logs, table.turns),
        unfinished=tuple(table.unfinished_seconds(seat) for seat in range(len(logs))),
    )


def _charged_seconds(played: Sequence[tuple[SeatMove, ...]], seat: int) -> float:
    """Return the seconds charged to a seat in earlier turns."""
    return sum(move.seconds for moves in played for move in moves if move.seat == seat)


def _diagnose(match: Match, seat: int) -> Diagnosis | None:
    found = match.fault(seat)
    return None if found is None else diagnosis.diagnose(*found)


def _rejected_answers(seats: int, turns: Sequence[TurnPlayed]) -> tuple[tuple[Diagnosis, ...], ...]:
    found: list[list[Diagnosis]] = [[] for _ in range(seats)]
    for turn in turns:
        for move in turn.moves:
            room = MAX_EXPLAINED_REJECTIONS - len(found[move.seat])
            for number, one in enumerate(move.rejected[: max(0, room)], start=1):
                moment = FaultContext(turn.number, number, one.answer, one.spent, one.printed)
                found[move.seat].append(diagnosis.diagnose(verdict.illegal_answer_fault(1, one.message), moment))
    return tuple(map(tuple, found))


def _output_spans(logs: Sequence[bytes], turns: Sequence[TurnPlayed]) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    found: list[list[tuple[int, int, int]]] = [[] for _ in logs]
    for turn in turns:
        for move in turn.moves:
            begin, end = move.printed.begin, move.printed.end
            end = len(logs[move.seat]) if end is None else end
            if end > begin:
                found[move.seat].append((turn.number, begin, end))
    return tuple(map(tuple, found))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _MatchLoop:
    """The state of a match's loop: pending requests, bots that are thinking, turns played."""

    def __init__(
        self,
        limits: MatchLimits,
        match: Match,
        seats: Sequence[RefereedSeat],
        clock: Clock,
        on_event: Callable[[MatchEvent], None],
        stop: Callable[[], bool],
        thinking: int,
        on_thinking: Callable[[int, TimeSpent], None] | None,
    ) -> None:
        self._limits = limits
        self._match = match
        self._seats = seats
        self._clock = clock
        self._on_event = on_event
        self._stop = stop
        self._stop_at = clock.now()
        self._thinking = thinking
        self._on_thinking = on_thinking
        self._queue: deque[Request] = deque()
        self._asked: dict[int, RefereedSeat] = {}
        self._quick = False  # whether the last answer was quick
        self._calling: int | None = None  # the seat whose player is being called
        self._turn_at = clock.now()
        self._ends_at = clock.now() + limits.match_seconds if limits.match_seconds else math.inf
        self._cut_off: dict[int, float] = {}
        self.turns: list[TurnPlayed] = []

    @property
    def asked_alone(self) -> int | None:
        """Return the seat whose player is being called, otherwise the only seat with a pending request.

        Return None if no player is being called and no seat, or more than one, has a pending request.
        """
        if self._calling is not None:
            return self._calling
        return next(iter(self._asked)) if len(self._asked) == 1 else None

    def play(self) -> None:
        for number, seat in enumerate(self._seats):
            self._check_stop()
            self._calling = number
            with ARENA_FAILURES:
                seat.player.start()
        self._calling = None
        self._queue.extend(self._match.begin())
        while self._match.outcome is None:
            self._check_stop()
            if self._clock.now() >= self._ends_at:
                self._end_at_time_limit()
                return
            self._send_requests()
            if self._asked:
                self._wait()

    def unfinished_seconds(self, seat: int) -> float:
        """Return the seconds charged to a seat in the turn that was cut off by the match's time limit."""
        return self._cut_off.get(seat, 0.0)

    def _end_at_time_limit(self) -> None:
        """End the match at its time limit: record the time used by each seat that has not exceeded its own limit."""
        for number, seat in list(self._asked.items()):
            event = seat.check_time(number, self._clock)
            if event is not None:
                del self._asked[number]
                self._handle(event)
            else:
                self._cut_off[number] = seat.so_far.charged
        self._cut_off |= {
            number: self._match.answered_seconds(number)
            for number in range(len(self._seats))
            if number not in self._asked
        }
        self._match.end_at_limit()
        self._emit_events()

    def _send_requests(self) -> None:
        """Send queued requests until as many bots are thinking as permitted."""
        while self._queue and len(self._asked) < self._thinking * (1 + self._quick):
            request = self._queue.popleft()
            seat = self._seats[request.seat]
            self._calling = request.seat
            fault = seat.ask(request, self._limits, self._clock)
            self._calling = None
            if fault is None:
                self._asked[request.seat] = seat
            else:
                self._handle(fault)
        if len(self._asked) > 1:
            for number, seat in self._asked.items():  # these bots may compete for the same core
                seat.meter.rivals.update(self._asked.keys() - {number})

    def _wait(self) -> None:
        """Wait for an answer, a limit, or the next call to ``stop``."""
        due = min(min(seat.check_at for seat in self._asked.values()), self._stop_at, self._ends_at)
        with ARENA_FAILURES:
            ready = self._clock.wait([seat.player for seat in self._asked.values()], due - self._clock.now())
        for number, seat in list(self._asked.items()):
            event: SeatAnswered | SeatFaulted | None = None
            self._calling = number
            if seat.player in ready:
                event = seat.take_result(number, self._clock)
            if event is None and (self._on_thinking or self._clock.now() >= seat.check_at):
                event = seat.check_time(number, self._clock)
                if self._on_thinking and event is None and not seat.request_kind.is_start:
                    self._on_thinking(number, seat.so_far)
            self._calling = None
            if event is not None:
                del self._asked[number]
                self._quick = seat.meter.spent.wall < QUICK
                self._send_requests()  # the next bot thinks while this answer is judged
                self._handle(event)

    def _handle(self, event: SeatAnswered | SeatFaulted) -> None:
        if isinstance(event, SeatFaulted):
            self._seats[event.seat].player.close()
        with ARENA_FAILURES:
            requests = self._match.handle(event)
        self._emit_events()
        # a bot in the middle of its start or turn continues before the next one begins
        self._queue.extendleft(reversed(requests))

    def _emit_events(self) -> None:
        for happened in self._match.take_events():
            if isinstance(happened, TurnPlayed):
                self.turns.append(happened)
                self._keep_pace()
            self._on_event(happened)

    def _keep_pace(self) -> None:
        """Delay a turn until the previous one has been visible long enough."""
        due = min(self._turn_at + self._limits.pace_seconds, self._ends_at)
        while self._clock.now() < due:
            self._check_stop()
            self._clock.wait((), min(STOP_INTERVAL, due - self._clock.now()))
        self._turn_at = self._clock.now()

    def _check_stop(self) -> None:
        if self._clock.now() < self._stop_at:
            return
        if self._stop():
            raise MatchStopped
        self._stop_at = self._clock.now() + STOP_INTERVAL
