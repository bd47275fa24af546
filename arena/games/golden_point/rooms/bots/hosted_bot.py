"""Run one bot in a room without blocking, from its start until it ends or faults.

Invariants: the bot has at most one open request, and its clock runs only during a request. It observes every closed
round exactly once, in order, with the next request. A fault ends the session, with a diagnosis for its author; an
answer that arrives after its round has closed is not a fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from arena.core.referee import protocol
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import Conversation, SeatAnswered, SeatFaulted
from arena.core.referee.diagnosis import Diagnosis, diagnose
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.referee.seat import RefereedSeat
from arena.core.referee.spec import MatchLimits
from arena.games.golden_point.rooms.bots.observations import ClosedRound, OwnStanding
from arena.games.golden_point.rules import GAME as RULES
from arena.games.golden_point.rules import MAX_ROUNDS, GoldenPointSettings, GoldenPointState, Numbers

# The length of the longest match. A bot restarts after this many turns, which bounds its memory use.
MAX_TURNS = MAX_ROUNDS
MAX_MOVE_SECONDS = 5.0  # seconds


def limits_for(seconds: int) -> MatchLimits:
    """Return a bot's limits in a room whose rounds last ``seconds``: half a round for an answer, at most 5 s."""
    return MatchLimits(move_seconds=min(MAX_MOVE_SECONDS, seconds / 2))


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """An open round, and the rounds closed since the bot's last request. ``rounds``: number of rounds in the room."""

    guid: UUID
    numbers: int
    rounds: int
    index: int
    own: OwnStanding
    news: Sequence[ClosedRound]


@dataclass(frozen=True, slots=True)
class SubmittedNumbers:
    """The numbers that a bot submitted in one round."""

    guid: UUID
    numbers: Numbers


class HostedBot:
    """A bot in a room.

    ``observed``: index of the newest round that it has seen. Once ``fault`` is set, the bot is closed.
    """

    def __init__(self, player: Player, limits: MatchLimits, clock: Clock) -> None:
        self.player = player
        self.observed = 0
        self.turns = 0
        self.fault: Diagnosis | None = None
        self._seat = RefereedSeat(player, RULES)
        self._talk = Conversation(RULES, 0, limits.illegal_answers)
        self._limits, self._clock = limits, clock
        self._next: Request | None = None
        self._open: Request | None = None
        self._round_request: RoundRequest | None = None
        self._asks: Request | None = None  # the message for ``_round_request``, until it is sent to the bot

    @property
    def is_thinking(self) -> bool:
        """Return whether a request is open."""
        return self._open is not None

    @property
    def is_free(self) -> bool:
        """Return whether another round can be requested."""
        return self._open is None and self._next is None and self._round_request is None and self.fault is None

    @property
    def check_at(self) -> float:
        """Return the time at which the bot's time limits must be checked next."""
        return self._seat.check_at

    def start(self, round_request: RoundRequest) -> None:
        """Start the process with the room's state from ``round_request``. Raises RefereeFailure."""
        self.player.start()
        settings = {"numbers": round_request.numbers, "rounds": round_request.rounds}
        own = round_request.own
        self._talk = Conversation(RULES, own.seat, self._limits.illegal_answers)
        self._next = self._talk.start(own.players, settings, self._limits, {"score": own.score})

    def request_round(self, round_request: RoundRequest) -> None:
        """Request a round; only permitted while the bot is free or still starting."""
        self._round_request = round_request
        self.turns += len(round_request.news)
        if round_request.news:
            self.observed = round_request.news[-1].index
        shared = {
            "round": self.turns + 1,
            "rounds": self.turns + round_request.rounds - round_request.index + 1,
            "previous": None,
            "missed": [closed.to_json() for closed in round_request.news],
            "players": round_request.own.players,
        }
        own = {"score": round_request.own.score, "seat": round_request.own.seat}
        self._asks = protocol.move_request(round_request.own.seat, own, protocol.encode_shared(shared))
        if not self._talk.is_starting:
            self._queue_move_request()

    def send_next_request(self) -> None:
        """Send the next request, if one is waiting and no earlier one is pending."""
        if self._open is None and self._next is not None and self.fault is None:
            self._open, self._next = self._next, None
            self._handle_event(self._seat.ask(self._open, self._limits, self._clock))

    def process_reply(self, *, ready: bool) -> SubmittedNumbers | None:
        """Process the reply to the open request, if any. ``ready``: whether the player has output to read.

        Raises RefereeFailure.
        """
        if self._open is None:
            return None
        event = self._seat.take_result(self._open.seat, self._clock) if ready else None
        if event is None and self._clock.now() >= self._seat.check_at:
            event = self._seat.check_time(self._open.seat, self._clock)
        return self._handle_event(event)

    def close(self) -> None:
        self.player.close()

    def log(self) -> bytes:
        return self.player.log()

    def _queue_move_request(self) -> None:
        round_request, asks = self._round_request, self._asks
        if round_request is not None and asks is not None:
            # What the rules need to know about a room to parse an answer.
            state = GoldenPointState(GoldenPointSettings(round_request.numbers, round_request.rounds), scores=())
            self._asks, self._next = None, self._talk.ask(self.turns + 1, state, asks)

    def _handle_event(self, event: SeatAnswered | SeatFaulted | None) -> SubmittedNumbers | None:
        if event is None:
            return None
        self._open, talk = None, self._talk
        self._next = talk.handle(event)
        if talk.fault is not None and talk.moment is not None:
            self.fault = diagnose(talk.fault, talk.moment)
            self.player.close()
        elif talk.answered and self._round_request is not None:
            round_request, self._round_request = self._round_request, None
            return SubmittedNumbers(round_request.guid, talk.move)
        elif self._next is None:
            self._queue_move_request()
        return None
