"""The state machine of one match: replies in, requests out.

Invariants: no I/O, no clock and no global randomness, so the same seed and the same replies give
the same match everywhere. A seat that faulted is never asked again. A turn is applied once, when
every seat asked has answered legally or faulted. All seats are started before the first turn that is asked for;
a match that goes on after turns that were played before tells them again, and asks nobody for them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.core.messages import Message
from arena.core.referee import protocol, verdict
from arena.core.referee.answers import read_move
from arena.core.referee.diagnosis import Moment
from arena.core.referee.events import (
    NO_TIME,
    NOTHING_PRINTED,
    Finished,
    LogSpan,
    MatchEvent,
    Refusal,
    SeatMove,
    Spent,
    Started,
    TurnPlayed,
)
from arena.core.referee.faults import Fault
from arena.core.referee.protocol import Request, Stage
from arena.core.referee.spec import MOST_TURNS, MatchSpec
from arena.games.base import IllegalMove, Json, Outcome, ended_at_limit


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat answered its open request; ``spent`` is what its budget has cost so far."""

    seat: int
    reply: protocol.Done | protocol.Answer | protocol.Unusable
    spent: Spent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class Faulted:
    """A seat committed an offence while asked; a timeout is one, too."""

    seat: int
    fault: Fault
    spent: Spent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(slots=True)
class _Seat:
    """What the match remembers of a seat; the lower half belongs to the turn being played."""

    stage: Stage | None = Stage.LOAD  # the open request, None while it is not asked
    fault: Fault | None = None
    moment: Moment | None = None  # of its fault
    gone: bool = False  # its fault has been applied
    answered: bool = False
    move: Any = None
    encoded: Json = None
    spent: Spent = NO_TIME
    refused: list[Refusal] = field(default_factory=list)


class Match:
    """One match from the first request to the outcome.

    ``played``: the moves of the turns before, in which nobody was at fault; raises ValueError where the rules
    refuse them.
    """

    def __init__(self, spec: MatchSpec, played: Sequence[tuple[SeatMove, ...]] = ()) -> None:
        game, seats = spec.game, len(spec.seats)
        if not game.min_seats <= seats <= game.max_seats:
            raise ValueError(f"{game.name} is played by {game.min_seats} to {game.max_seats} seats, not {seats}")
        self._game = game
        self._spec = spec
        settings = game.settings(spec.settings)
        if game.most_turns(settings) > MOST_TURNS:
            raise ValueError(f"a match has at most {MOST_TURNS} turns, not {game.most_turns(settings)}")
        self._settings_json = game.settings_json(settings)
        self._state: Any = game.initial(settings, seats, random.Random(spec.seed))  # noqa: S311 - not a secret
        self._seats = [_Seat() for _ in range(seats)]
        self._open = 0  # seats whose answer this turn waits for
        self._turn = 0  # the last turn played
        self.outcome: Outcome | None = None
        self._events: list[MatchEvent] = [Started(game, self._state)]
        for moves in played:
            self._play_again(moves)
        # Told when everybody is ready.
        self._before, self._events = self._events, []

    def begin(self) -> list[Request]:
        """The first request of every seat."""
        limits = self._spec.limits
        self._open = len(self._seats)
        return [
            protocol.load(
                seat,
                len(self._seats),
                self._game.name,
                self._settings_json,
                limits.start_seconds,
                limits.move_seconds,
                limits.trace_seconds,
            )
            for seat in range(len(self._seats))
        ]

    def handle(self, event: Answered | Faulted) -> list[Request]:
        """The requests that follow from an event; none while other seats are awaited."""
        seat = self._seats[event.seat]
        if seat.stage is None or self.outcome is not None:
            raise RuntimeError(f"seat {event.seat} was not asked")
        seat.spent = event.spent
        if isinstance(event, Faulted):
            return self._fault(event.seat, event.fault, event.printed)
        if seat.stage.is_start:
            return self._next_stage(event.seat, seat.stage)
        return self._judge(event)

    def end_at_limit(self) -> None:
        """The match has taken as long as it may: it ends in the midst of its turn, and nobody wins."""
        if self.outcome is None:
            self._tell_start()
            out = {seat for seat, entry in enumerate(self._seats) if entry.gone}
            self.outcome = ended_at_limit(len(self._seats), out)
            self._events.append(Finished(self.outcome))

    def answered_seconds(self, seat: int) -> float:
        """What a seat was charged in the open turn, in which it has answered; 0 where it has not."""
        entry = self._seats[seat]
        return entry.spent.charged if entry.answered else 0.0

    def _tell_start(self) -> None:
        self._events += self._before
        self._before = []

    def take_events(self) -> list[MatchEvent]:
        """What happened since the last call, in order."""
        events, self._events = self._events, []
        return events

    def fault(self, seat: int) -> tuple[Fault, Moment] | None:
        """A seat's offence and when that was, or None."""
        entry = self._seats[seat]
        return None if entry.fault is None or entry.moment is None else (entry.fault, entry.moment)

    # --- one seat -----------------------------------------------------------------------------

    def _next_stage(self, seat: int, done: Stage) -> list[Request]:
        if done is Stage.LOAD:
            request = protocol.import_(seat)
        elif done is Stage.IMPORT:
            request = protocol.construct(seat, self._game.own(self._state, seat))
        else:
            return self._settle(seat)
        self._seats[seat].stage = request.stage
        return [request]

    def _judge(self, event: Answered) -> list[Request]:
        seat, reply = event.seat, event.reply
        entry = self._seats[seat]
        try:
            entry.move, entry.encoded = read_move(self._game, self._state, seat, reply)
        except IllegalMove as illegal:
            return self._refuse(event, illegal.message)
        entry.answered = True
        return self._settle(seat)

    def _refuse(self, event: Answered, reason: Message) -> list[Request]:
        entry = self._seats[event.seat]
        refusal = verdict.refused(event.reply, reason, event.spent, event.printed)
        limit = self._spec.limits.illegal_answers
        if len(entry.refused) + 1 >= limit:
            fault = verdict.illegal(limit, refusal.message)
            return self._fault(event.seat, fault, event.printed, refusal.answer)
        entry.refused.append(refusal)
        entry.stage = Stage.AGAIN
        return [protocol.again(event.seat, verdict.cut(reason.text))]

    def _fault(self, seat: int, fault: Fault, printed: LogSpan, answer: str = "") -> list[Request]:
        entry = self._seats[seat]
        starting = entry.stage is not None and entry.stage.is_start
        turn = 0 if starting else self._turn + 1
        entry.fault = fault
        entry.moment = Moment(turn, len(entry.refused) + 1, answer, entry.spent, printed)
        return self._settle(seat)

    def _settle(self, seat: int) -> list[Request]:
        """The seat needs no more answer; the last one ends the start or the turn."""
        starting = self._seats[seat].stage in (Stage.LOAD, Stage.IMPORT, Stage.CONSTRUCT)
        self._seats[seat].stage = None
        self._open -= 1
        if self._open:
            return []
        if not starting:
            return self._close_turn()
        self._tell_start()
        return self._go_on()

    # --- one turn -----------------------------------------------------------------------------

    def _open_turn(self) -> list[Request]:
        """Ask everybody who is to move, unless those who failed to start decide the turn alone."""
        to_move = self._game.to_move(self._state)
        if not to_move:
            raise RuntimeError(f"{self._game.name} has no outcome and nobody to move")
        leaving = {seat for seat, entry in enumerate(self._seats) if entry.fault and not entry.gone}
        asked = [seat for seat in to_move if not self._seats[seat].fault]
        if not asked or not leaving <= set(to_move):
            return self._close_turn()
        shared = protocol.shared(self._game.shared(self._state))
        requests = []
        for seat in asked:
            entry = self._seats[seat]
            entry.stage, entry.spent, entry.refused = Stage.MOVE, NO_TIME, []
            requests.append(protocol.move(seat, self._game.own(self._state, seat), shared))
        self._open = len(requests)
        return requests

    def _close_turn(self) -> list[Request]:
        moves: dict[int, Any] = {}
        shown: list[SeatMove] = []
        out: set[int] = set()
        for seat, entry in enumerate(self._seats):
            if entry.gone or not (entry.answered or entry.fault):
                continue
            if entry.fault is not None:
                out.add(seat)
                entry.gone = True
            else:
                moves[seat] = entry.move
            kind = entry.fault.kind if entry.fault else None
            shown.append(SeatMove(seat, entry.encoded, entry.spent, tuple(entry.refused), kind))
            entry.answered, entry.move, entry.encoded = False, None, None
        self._apply(moves, frozenset(out), tuple(shown))
        return self._go_on()

    def _apply(self, moves: Mapping[int, Any], out: frozenset[int], shown: tuple[SeatMove, ...]) -> None:
        before, self._state = self._state, self._game.apply(self._state, moves, out)
        self._turn += 1
        self._events.append(TurnPlayed(self._turn, shown, self._game, before, self._state))

    def _go_on(self) -> list[Request]:
        """The next turn, or the end."""
        self.outcome = self._game.outcome(self._state)
        if self.outcome is None:
            return self._open_turn()
        self._events.append(Finished(self.outcome))
        return []

    def _play_again(self, shown: tuple[SeatMove, ...]) -> None:
        if any(move.fault for move in shown) or {move.seat for move in shown} != set(self._game.to_move(self._state)):
            raise ValueError(f"turn {self._turn + 1} cannot have been played like this: {shown}")
        moves = {move.seat: self._game.parse(self._state, move.seat, move.move) for move in shown}
        self._apply(moves, frozenset(), shown)
