"""One conversation with a bot: start, request, rejected answer, repeated request.

Invariants: no clock, and no I/O except for logging defects of a game. A conversation goes through the startup requests
and then through turns, and starts over if the rules require a restart; after a fault it sends no more requests. At
worst, an answer counts as an illegal move, even if the game's code fails on it. ``seat`` tracks open requests and
their time; matches, rehearsals, checks and hosted bots all use conversations.
"""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from typing import Any, Final

from arena.core.messages import Message
from arena.core.referee import messages, protocol, verdict
from arena.core.referee.diagnosis import FaultContext
from arena.core.referee.events import NO_TIME, NOTHING_PRINTED, LogSpan, RejectedAnswer, TimeSpent
from arena.core.referee.faults import Fault
from arena.core.referee.protocol import Answer, Request, RequestKind, StartDone, UnusableAnswer
from arena.core.referee.spec import MatchLimits
from arena.games.base import AnyGame, IllegalMove, Json

_log = logging.getLogger(__name__)
_reported: Final[set[tuple[str, int | None]]] = set()  # files and lines of games' code whose failures have been logged


@dataclass(frozen=True, slots=True)
class SeatAnswered:
    """A seat's answer to its open request; ``spent``: how much of its budget it has used so far."""

    seat: int
    reply: StartDone | Answer | UnusableAnswer
    spent: TimeSpent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class SeatFaulted:
    """A seat's fault during a request, for example a timeout."""

    seat: int
    fault: Fault
    spent: TimeSpent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


class Conversation:
    """The conversation with one seat's bot.

    ``illegal_answers``: how many rejected answers for one move constitute a fault.

    ``request_kind``: kind of the open request, None if none is open; ``turn``: the requested turn, 0 before the first.
    ``move`` and ``encoded``: the answer in this turn, once ``answered``. ``rejected``: rejected answers in this turn;
    ``last_rejected``: the rejected answer that exceeded the limit. ``spent``: cost of the start or the turn so far;
    ``printed``: the part of the log that contains the bot's output during that time. ``fault`` and ``moment``: the
    bot's fault, and when it happened.
    """

    __slots__ = (
        "_game",
        "_illegal_answers",
        "_own",
        "_seat",
        "_state",
        "answered",
        "encoded",
        "fault",
        "last_rejected",
        "moment",
        "move",
        "printed",
        "rejected",
        "request_kind",
        "spent",
        "turn",
    )

    def __init__(self, game: AnyGame, seat: int, illegal_answers: int) -> None:
        self._game, self._seat, self._illegal_answers = game, seat, illegal_answers
        self._own: Json = None
        self._state: Any = None
        self.request_kind: RequestKind | None = None
        self.turn = 0
        self.answered = False
        self.move: Any = None
        self.encoded: Json = None
        self.rejected: list[RejectedAnswer] = []
        self.last_rejected: RejectedAnswer | None = None
        self.spent = NO_TIME
        self.printed: LogSpan | None = None
        self.fault: Fault | None = None
        self.moment: FaultContext | None = None

    @property
    def is_starting(self) -> bool:
        """Return whether the open request belongs to the startup."""
        return self.request_kind is not None and self.request_kind.is_start

    def start(
        self, seats: int, settings: Json, limits: MatchLimits, own: Json, turn: int = 0, seed: str = ""
    ) -> Request:
        """Return the first request for a new process; ``own``: private data for creating the player object.

        ``turn``: the turn for which the process is started, 0 before the first. ``seed``: see ``bot_seeds.start_seed``.
        """
        self._own, self.request_kind, self.turn = own, RequestKind.LOAD, turn
        self.rejected, self.printed = [], None
        return protocol.load_request(
            self._seat,
            seats,
            self._game.name,
            settings,
            limits.start_seconds,
            limits.move_seconds,
            limits.trace_seconds,
            self._game.course_files,
            seed,
        )

    def ask(self, turn: int, state: Any, request: Request) -> Request:
        """Begin a turn in ``state``, and return ``request``, which asks for the move."""
        self._state, self.turn = state, turn
        self.request_kind, self.spent, self.rejected, self.printed = request.kind, NO_TIME, [], None
        self.forget_answer()
        return request

    def forget_answer(self) -> None:
        """Discard the answer, because the turn is over or a new one begins."""
        self.answered, self.move, self.encoded = False, None, None

    def handle(self, event: SeatAnswered | SeatFaulted) -> Request | None:
        """Return the next request after an event; None once the bot's startup or turn is complete, or after a fault."""
        if self.request_kind is None:
            raise RuntimeError(f"seat {self._seat} has no open request")
        self.spent = event.spent
        self.printed = LogSpan((self.printed or event.printed).begin, event.printed.end)
        if isinstance(event, SeatFaulted):
            self._fail(event.fault, event.printed)
            return None
        if self.request_kind.is_start:
            return self._next_startup_request(self.request_kind)
        try:
            self.move, self.encoded = read_move(self._game, self._state, self._seat, event.reply)
        except IllegalMove as illegal:
            return self._reject_answer(event, illegal.message)
        self.answered, self.request_kind = True, None
        return None

    def _next_startup_request(self, done: RequestKind) -> Request | None:
        request = None
        if done is RequestKind.LOAD:
            request = protocol.import_request(self._seat)
        elif done is RequestKind.IMPORT:
            request = protocol.construct_request(self._seat, self._own)
        self.request_kind = request.kind if request else None
        return request

    def _reject_answer(self, event: SeatAnswered, reason: Message) -> Request | None:
        rejection = verdict.rejected_answer(event.reply, reason, event.spent, event.printed)
        tries = len(self.rejected) + 1
        if tries >= self._illegal_answers:
            self.last_rejected = rejection
            self._fail(verdict.illegal_answer_fault(tries, rejection.message), event.printed, rejection.answer)
            return None
        self.rejected.append(rejection)
        self.request_kind = RequestKind.AGAIN
        return protocol.retry_request(self._seat, verdict.truncate(reason.text))

    def _fail(self, fault: Fault, printed: LogSpan, answer: str = "") -> None:
        self.fault = fault
        self.moment = FaultContext(self.turn, len(self.rejected) + 1, answer, self.spent, printed)
        self.request_kind = None


def read_move(game: AnyGame, state: Any, seat: int, reply: StartDone | Answer | UnusableAnswer) -> tuple[Any, Json]:
    """Return the move that a reply represents, and the game's encoding of it. Raises IllegalMove.

    If the game's code fails, the defect is logged and the answer counts as illegal: a bot must not be able to void its
    match.
    """
    if isinstance(reply, StartDone):
        raise IllegalMove(messages.NO_ANSWER())
    if isinstance(reply, UnusableAnswer):
        raise IllegalMove(messages.harness_message(reply.code, reply.text, reply.parameters))
    try:
        move = game.parse(state, seat, reply.value)
        return move, game.encode(move)
    except IllegalMove:
        raise
    except Exception as error:
        _report_defect(game, reply, error)
        raise IllegalMove(messages.UNREADABLE()) from error


def _report_defect(game: AnyGame, reply: Answer, error: Exception) -> None:
    """Log a failure of the game's code, once per failing line, because bots may repeat the answer that caused it."""
    location = traceback.extract_tb(error.__traceback__)[-1]
    if (location.filename, location.lineno) not in _reported:
        _reported.add((location.filename, location.lineno))
        _log.error("%s cannot parse the answer %s", game.name, verdict.truncate(repr(reply.value)), exc_info=error)
