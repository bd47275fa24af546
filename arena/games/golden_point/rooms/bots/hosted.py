"""One bot that sits in a room: its conversation from its start to its fault, without ever waiting for it.

Invariants: the bot has one open request at a time, and its clock runs only then. It is told of every closed round
once, in order, with the next question. What it does wrong ends the stay, with a diagnosis for its author; an answer
that comes after its round has closed is no fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from arena.core.messages import Message
from arena.core.referee import protocol, verdict
from arena.core.referee.answers import read_move
from arena.core.referee.clock import Clock
from arena.core.referee.diagnosis import Diagnosis, Moment, diagnose
from arena.core.referee.events import NO_TIME, NOTHING_PRINTED, LogSpan, Spent
from arena.core.referee.faults import Fault
from arena.core.referee.match import Answered, Faulted
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.referee.seat import BotSeat as Conversation
from arena.core.referee.spec import MatchLimits
from arena.games.base import IllegalMove
from arena.games.golden_point.rooms.bots.telling import Own, Told
from arena.games.golden_point.rules import GoldenPointSettings, GoldenPointState, Numbers
from arena.games.registry import GAMES

GAME = "golden_point"
# So many rounds is the longest match of this game: after as many a bot begins anew, so that what it keeps is bounded.
MOST_TURNS = 2000
LONGEST_MOVE = 5.0  # seconds


def limits_for(seconds: int) -> MatchLimits:
    """What a bot may use in a room whose rounds last so long: half a round for an answer, 5 s at most."""
    return MatchLimits(move_seconds=min(LONGEST_MOVE, seconds / 2))


@dataclass(frozen=True, slots=True)
class Question:
    """An open round, and what closed since the bot was asked before; ``rounds``: how many the room has in all."""

    guid: UUID
    numbers: int
    rounds: int
    index: int
    own: Own
    news: Sequence[Told]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot named in the round of this id."""

    guid: UUID
    numbers: Numbers


class HostedBot:
    """``told``: the index of the newest round that it knows of. After ``fault`` is set it is closed."""

    def __init__(self, player: Player, limits: MatchLimits, clock: Clock) -> None:
        self.player = player
        self.told = 0
        self.turns = 0
        self.fault: Diagnosis | None = None
        self._talk = Conversation(player, GAMES[GAME])
        self._limits, self._clock = limits, clock
        self._todo: deque[Request] = deque()
        self._open: Request | None = None
        self._question: Question | None = None
        self._refused = 0

    @property
    def thinks(self) -> bool:
        """Whether a request is open."""
        return self._open is not None

    @property
    def is_free(self) -> bool:
        """Whether it can be asked for another round."""
        return self._open is None and not self._todo and self._question is None and self.fault is None

    @property
    def check_at(self) -> float:
        """When its time is to be looked at, whatever it does."""
        return self._talk.check_at

    def start(self, question: Question) -> None:
        """Begin the process; the question tells it the table. Raises RefereeFailure."""
        self.player.start()
        settings = {"numbers": question.numbers, "rounds": question.rounds}
        limits, own = self._limits, question.own
        load = protocol.load(own.seat, own.players, GAME, settings, limits.start_seconds, limits.move_seconds)
        self._todo.extend((load, protocol.import_(own.seat), protocol.construct(own.seat, {"score": own.score})))

    def ask(self, question: Question) -> None:
        """Ask for a round; only while it is free, or before its start is done."""
        self._question, self._refused = question, 0
        self.turns += len(question.news)
        if question.news:
            self.told = question.news[-1].index
        shared = {
            "round": self.turns + 1,
            "rounds": self.turns + question.rounds - question.index + 1,
            "previous": None,
            "missed": [told.to_json() for told in question.news],
            "players": question.own.players,
        }
        own = {"score": question.own.score, "seat": question.own.seat}
        self._todo.append(protocol.move(question.own.seat, own, protocol.shared(shared)))

    def wake(self) -> None:
        """Send the next request, where one waits and none is open."""
        if self._open is None and self._todo and self.fault is None:
            self._open = self._todo.popleft()
            self._settle(self._talk.ask(self._open, self._limits, self._clock))

    def look(self, *, ready: bool) -> Answer | None:
        """What became of the open request; ``ready``: something lies there to be read. Raises RefereeFailure."""
        if self._open is None:
            return None
        event = self._talk.take(self._open.seat, self._clock) if ready else None
        if event is None and self._clock.now() >= self._talk.check_at:
            event = self._talk.check_time(self._open.seat, self._clock)
        return self._settle(event)

    def close(self) -> None:
        self.player.close()

    def log(self) -> bytes:
        return self.player.log()

    def _settle(self, event: Answered | Faulted | None) -> Answer | None:
        if event is None:
            return None
        request, self._open = self._open, None
        if isinstance(event, Faulted):
            self._fail(request, event.fault, event.spent, event.printed)
            return None
        if request is None or request.stage.is_start:
            return None
        return self._judge(request, event)

    def _judge(self, request: Request, event: Answered) -> Answer | None:
        question = self._question
        assert question is not None  # noqa: S101 - a move is asked with one
        try:
            numbers = _numbers(event, question)
        except IllegalMove as illegal:
            self._refuse(request, event, illegal.message)
            return None
        self._question = None
        return Answer(question.guid, numbers)

    def _refuse(self, request: Request, event: Answered, reason: Message) -> None:
        """Ask once more, or for the last time: within the time that the first answer left."""
        self._refused += 1
        if self._refused < self._limits.illegal_answers:
            self._todo.appendleft(protocol.again(request.seat, verdict.cut(reason.text)))
            return
        refusal = verdict.refused(event.reply, reason, event.spent, event.printed)
        fault = verdict.illegal(self._limits.illegal_answers, refusal.message)
        self._fail(request, fault, event.spent, event.printed, refusal.answer)

    def _fail(
        self,
        request: Request | None,
        fault: Fault,
        spent: Spent = NO_TIME,
        printed: LogSpan = NOTHING_PRINTED,
        answer: str = "",
    ) -> None:
        starting = request is not None and request.stage.is_start
        moment = Moment(0 if starting else self.turns + 1, max(1, self._refused), answer, spent, printed)
        self.fault = diagnose(fault, moment)
        self._todo.clear()
        self.player.close()


def _numbers(event: Answered, question: Question) -> Numbers:
    """The numbers of an answer, by the rules of the game; raises IllegalMove."""
    state = GoldenPointState(GoldenPointSettings(question.numbers, question.rounds), scores=())
    numbers: Numbers = read_move(GAMES[GAME], state, question.own.seat, event.reply)[0]
    return numbers
