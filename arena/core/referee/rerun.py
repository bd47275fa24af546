"""Rerun a bot in its seat of a recorded match and compare its answers with the recorded ones.

Invariants: the bot is asked in every turn in which its seat was asked, in processes that start at the same turns and
with the same seeds as in the match; all others play the recorded moves. The first answer that differs ends the rerun,
because the matches diverge after it. The player is closed at the end, whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.core.referee.bot_seeds import seat_key
from arena.core.referee.clock import Clock
from arena.core.referee.diagnosis import Diagnosis, diagnose
from arena.core.referee.faults import FaultKind
from arena.core.referee.players import Player
from arena.core.referee.record import Record, RecordedMove, RecordError
from arena.core.referee.record_messages import NO_SECRET
from arena.core.referee.replay import Replay
from arena.core.referee.replayed_seat import ReplayedSeat
from arena.core.referee.spec import MatchLimits
from arena.games.base import Games, Json


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A bot's answer in one turn: its move as the game encodes it, the number of rejected answers, and its fault."""

    move: Json
    rejected: int = 0
    fault: FaultKind | None = None

    @classmethod
    def from_recorded_move(cls, move: RecordedMove) -> SeatAnswer:
        return cls(None if move.fault else move.move, move.refused, move.fault)

    def to_json(self) -> dict[str, Json]:
        return {"move": self.move, "refused": self.rejected, "fault": self.fault.value if self.fault else None}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first turn in which the bot answered differently.

    ``diagnosis``: describes the bot's fault in the rerun; None if the bot committed no fault.
    """

    turn: int
    recorded: SeatAnswer
    now: SeatAnswer
    diagnosis: Diagnosis | None


@dataclass(frozen=True, slots=True)
class RerunResult:
    """The result of a rerun. ``turns``: number of turns compared; ``difference``: None if all answers were the same."""

    seat: int
    turns: int
    difference: Difference | None
    log: bytes

    @property
    def is_equal(self) -> bool:
        return self.difference is None


def rerun(
    record: Record,
    seat: int,
    games: Games,
    player: Player,
    clock: Clock,
    limits: MatchLimits,
    stop: Callable[[], bool],
    *,
    on_turn: Callable[[int], None] = lambda turn: None,
) -> RerunResult:
    """Rerun the bot in ``seat`` as ``player``, which must not have been started, and compare its answers.

    Raises RecordError, MatchStopped or RefereeFailure.

    ``record`` must contain the match's secret; records of version 1 or 2, or of bots that used system entropy,
    cannot be rerun.
    """
    if not record.secret:
        raise RecordError(NO_SECRET())
    replay = Replay.from_record(record, games)
    bot = ReplayedSeat(replay, seat, record.settings, seat_key(record.secret, seat), player, clock, limits, stop)
    try:
        return _Rerun(record, seat, bot).run(on_turn)
    finally:
        player.close()


class _Rerun:
    def __init__(self, record: Record, seat: int, bot: ReplayedSeat) -> None:
        self._record, self._seat, self._bot = record, seat, bot
        self._starts_at = {1, *record.resumed}
        self._turns = 0

    def run(self, on_turn: Callable[[int], None]) -> RerunResult:
        replay = self._bot.replay
        for turn in self._record.turns:
            on_turn(turn.number)
            if turn.number in self._starts_at and self._bot.talk.fault is None:
                self._bot.start(turn.number)
            recorded = next((move for move in turn.moves if move.seat == self._seat), None)
            if recorded is not None:
                self._turns += 1
                found = self._compare(turn.number, SeatAnswer.from_recorded_move(recorded))
                if found is not None or recorded.fault:
                    return self._end(found)
            before = replay.state
            replay.play(turn)
            if replay.game.fresh_start(before, replay.state):
                self._starts_at.add(turn.number + 1)
        return self._end(None)

    def _compare(self, turn: int, recorded: SeatAnswer) -> Difference | None:
        """Ask for the move in one turn and compare the answer with the recorded one.

        A bot that failed to start is at fault even when it is not its turn.
        """
        talk = self._bot.talk
        if talk.fault is None and self._bot.is_to_move:
            self._bot.ask(turn)
        fault = talk.fault.kind if talk.fault else None
        now = SeatAnswer(None if fault else talk.encoded, len(talk.rejected), fault)
        if now == recorded:
            return None
        found = diagnose(talk.fault, talk.moment) if talk.fault and talk.moment else None
        return Difference(turn, recorded, now, found)

    def _end(self, difference: Difference | None) -> RerunResult:
        self._bot.player.close()  # so that the log is complete: output may still be in transit
        return RerunResult(self._seat, self._turns, difference, self._bot.player.log())
