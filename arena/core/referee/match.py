"""The state machine of one match: replies in, requests out.

Invariants: no I/O, no clock and no global randomness, so the same seed and the same replies give the same match
everywhere. A seat that faulted is never asked again. A turn is applied exactly once, when every seat that was asked has
answered legally or faulted. All seats are started before the first requested turn, and again between two turns if the
rules require it (``Game.fresh_start``); a match that continues after earlier turns reports those turns again, without
requesting their moves.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.referee import messages, protocol
from arena.core.referee.bot_seeds import seat_key, start_seed
from arena.core.referee.conversation import Conversation, SeatAnswered, SeatFaulted
from arena.core.referee.diagnosis import FaultContext
from arena.core.referee.events import (
    NOTHING_PRINTED,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    SeatMove,
    TurnPlayed,
)
from arena.core.referee.faults import Fault, FaultKind, with_cause
from arena.core.referee.protocol import Request
from arena.core.referee.spec import MAX_TURNS, MatchSpec
from arena.games.base import Audience, Json, Outcome, outcome_at_limit


class Match:
    """One match from the first request to the outcome.

    ``played``: the moves and faults of earlier turns; raises ValueError if the rules reject them.
    """

    def __init__(self, spec: MatchSpec, played: Sequence[tuple[SeatMove, ...]] = ()) -> None:
        game, seats = spec.game, len(spec.seats)
        if not game.min_seats <= seats <= game.max_seats:
            raise ValueError(f"{game.name} has {game.min_seats} to {game.max_seats} seats, not {seats}")
        self._game = game
        self._spec = spec
        settings = game.settings(spec.settings)
        if game.max_turns(settings) > MAX_TURNS:
            raise ValueError(f"a match has at most {MAX_TURNS} turns, not {game.max_turns(settings)}")
        self._settings_json = game.settings_json(settings)
        self._state: Any = game.initial(settings, seats, random.Random(spec.seed))  # noqa: S311 - not a secret
        self._seats = [Conversation(game, seat, spec.limits.illegal_answers) for seat in range(seats)]
        self._keys = [seat_key(spec.secret, seat) for seat in range(seats)]
        self._gone: set[int] = set()  # seats whose fault has been applied
        self._open = 0  # number of seats the current turn waits for
        self._turn = 0  # number of the last turn played
        self.outcome: Outcome | None = None
        self._events: list[MatchEvent] = [MatchStarted(game, self._state)]
        for moves in played:
            self._replay_turn(moves)
        # reported when all seats are ready
        self._before, self._events = self._events, []

    def begin(self) -> list[Request]:
        """Return the first request to every seat that has not left."""
        if len(self._gone) == len(self._seats):
            self._emit_start()
            return self._continue()
        return self._start(turn=0)

    def _start(self, turn: int) -> list[Request]:
        """Start the bots of all seats that have not left. ``turn``: the next turn, 0 before the match."""
        self._open = len(self._seats) - len(self._gone)
        limits = self._spec.limits
        return [
            bot.start(
                len(self._seats),
                self._settings_json,
                limits,
                self._game.own(self._state, seat),
                turn,
                start_seed(self._keys[seat], self._turn + 1),
            )
            for seat, bot in enumerate(self._seats)
            if seat not in self._gone
        ]

    def handle(self, event: SeatAnswered | SeatFaulted) -> list[Request]:
        """Return the requests to send after an event.

        The seat itself may get another request. Once every seat is done, all seats that move in the next turn get one.
        """
        bot = self._seats[event.seat]
        if bot.request_kind is None or self.outcome is not None:
            raise RuntimeError(f"seat {event.seat} has no open request")
        starts = bot.is_starting
        request = bot.handle(event)
        if request is not None:
            return [request]
        self._open -= 1
        if self._open:
            return []
        if not starts:
            return self._close_turn()
        self._emit_start()
        return self._continue()

    def end_at_limit(self) -> None:
        """End the match at its time limit, in the middle of a turn, without a winner."""
        if self.outcome is None:
            self._emit_start()
            self.outcome = outcome_at_limit(len(self._seats), self._gone)
            self._events.append(MatchFinished(self.outcome))

    @property
    def last_view(self) -> dict[str, Json]:
        """Return the current position with nothing hidden."""
        return self._game.view(self._state, Audience.EVERYBODY)

    def answered_seconds(self, seat: int) -> float:
        """Return the seconds charged to a seat in the open turn if it has answered, otherwise 0."""
        bot = self._seats[seat]
        return bot.spent.charged if bot.answered else 0.0

    def _emit_start(self) -> None:
        self._events += self._before
        self._before = []

    def take_events(self) -> list[MatchEvent]:
        """Return the events since the last call, in order."""
        events, self._events = self._events, []
        return events

    def fault(self, seat: int) -> tuple[Fault, FaultContext] | None:
        """Return a seat's fault and the turn and answer in which it happened; None if the seat has not faulted."""
        bot = self._seats[seat]
        return None if bot.fault is None or bot.moment is None else (bot.fault, bot.moment)

    # --- one turn -----------------------------------------------------------------------------

    def _open_turn(self) -> list[Request]:
        """Ask the seats to move; close the turn instead if seats that failed to start have already ended it."""
        to_move = self._game.to_move(self._state)
        if not to_move:
            raise RuntimeError(f"{self._game.name} has neither an outcome nor a seat to move")
        leaving = {seat for seat, bot in enumerate(self._seats) if bot.fault and seat not in self._gone}
        seats = [seat for seat in to_move if not self._seats[seat].fault]
        if not seats or not leaving <= set(to_move):
            return self._close_turn()
        shared = protocol.encode_shared(self._game.shared(self._state))
        self._open = len(seats)
        return [
            self._seats[seat].ask(
                self._turn + 1, self._state, protocol.move_request(seat, self._game.own(self._state, seat), shared)
            )
            for seat in seats
        ]

    def _close_turn(self) -> list[Request]:
        moves: dict[int, Any] = {}
        shown: list[SeatMove] = []
        out: set[int] = set()
        for seat, bot in enumerate(self._seats):
            if seat in self._gone or not (bot.answered or bot.fault):
                continue
            if bot.fault is not None:
                out.add(seat)
            else:
                moves[seat] = bot.move
            kind = bot.fault.kind if bot.fault else None
            printed = bot.printed or NOTHING_PRINTED
            shown.append(SeatMove(seat, bot.encoded, bot.spent, tuple(bot.rejected), kind, printed))
            bot.forget_answer()
        self._gone |= out
        before = self._state
        self._apply(moves, frozenset(out), tuple(shown))
        return self._continue(before)

    def _apply(self, moves: Mapping[int, Any], out: frozenset[int], shown: tuple[SeatMove, ...]) -> None:
        before, self._state = self._state, self._game.apply(self._state, moves, out)
        self._turn += 1
        self._events.append(TurnPlayed(self._turn, shown, self._game, before, self._state))

    def _continue(self, before: Any = None) -> list[Request]:
        """End the match, or continue with the next turn, after restarting the bots if the rules require it.

        ``before``: the state before the turn that has just been applied; None if the match has just started.
        """
        self.outcome = with_cause(self._game.outcome(self._state), self._fault_kinds())
        if self.outcome is not None:
            self._events.append(MatchFinished(self.outcome))
            return []
        if before is not None and self._game.fresh_start(before, self._state):
            return self._start(self._turn + 1)
        return self._open_turn()

    def _fault_kinds(self) -> list[FaultKind]:
        """Return the kinds of fault that made seats leave the match."""
        return [bot.fault.kind for seat, bot in enumerate(self._seats) if bot.fault and seat in self._gone]

    def _replay_turn(self, shown: tuple[SeatMove, ...]) -> None:
        out = frozenset(move.seat for move in shown if move.fault)
        expected = set(self._game.to_move(self._state)) - self._gone
        seats = {move.seat for move in shown}
        if seats & self._gone or (seats != expected and out <= expected):
            raise ValueError(f"turn {self._turn + 1} cannot have been played like this: {shown}")
        moves = {move.seat: self._game.parse(self._state, move.seat, move.move) for move in shown if not move.fault}
        for move in shown:
            if move.fault:
                bot = self._seats[move.seat]
                bot.fault = Fault(move.fault, messages.LEFT_BEFORE())
                bot.moment = FaultContext(self._turn + 1, spent=move.spent)
        self._gone |= out
        self._apply(moves, out, shown)
