"""Ask one bot for its move in a position, without opponents, and judge the answer as in a match.

Invariants: the bot receives everything that its seat received in earlier turns (see ``replayed_seat``), because it may
remember earlier turns; its answers in those turns are compared with those in the match and discarded. Turns before the
last restart (``Game.fresh_start``, ``Record.resumed``) are skipped: the process that answered in the match never saw
them. The player is closed at the end, whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.core.referee.clock import Clock
from arena.core.referee.diagnosis import Diagnosis, diagnose
from arena.core.referee.events import TimeSpent
from arena.core.referee.players import Player
from arena.core.referee.position import Position
from arena.core.referee.record import RecordedTurn
from arena.core.referee.replay import Replay
from arena.core.referee.replayed_seat import ReplayedSeat
from arena.core.referee.spec import MatchLimits
from arena.games.base import Games, Json


@dataclass(frozen=True, slots=True)
class RehearsalResult:
    """A bot's answer in one position, and how it answered the earlier turns.

    ``turn``: the turn in which the rehearsal ended, 0 before the first. ``move``: the accepted move as the game encodes
    it, None if there is none. ``rejected``: rejected answers with the reasons. ``repeated``: for how many earlier
    turns the bot was asked again; ``differed``: in how many of them its answer differed from that in the match.
    """

    turn: int
    move: Json
    rejected: tuple[str, ...]
    diagnosis: Diagnosis | None
    spent: TimeSpent
    repeated: int
    differed: int
    log: bytes


def rehearse(
    position: Position,
    games: Games,
    player: Player,
    clock: Clock,
    limits: MatchLimits,
    stop: Callable[[], bool],
    *,
    earlier: bool = True,
    on_turn: Callable[[int], None] = lambda turn: None,
) -> RehearsalResult:
    """Ask ``player`` (not yet started) for its seat's move in every earlier turn, and then in the position.

    ``earlier``: whether to ask in the earlier turns; False for bots without memory and for games that send the full
    state each turn. Raises MatchStopped, RefereeFailure or PositionError.
    """
    rehearsal = _Rehearsal(position, games, player, clock, limits, stop)
    try:
        return rehearsal.run(earlier, on_turn)
    finally:
        player.close()


class _Rehearsal:
    def __init__(
        self,
        position: Position,
        games: Games,
        player: Player,
        clock: Clock,
        limits: MatchLimits,
        stop: Callable[[], bool],
    ) -> None:
        self._position, self._player = position, player
        self._replay: Replay = position.start(games)
        self._bot = ReplayedSeat(
            self._replay, position.seat, position.settings, position.bot_key, player, clock, limits, stop
        )
        self._talk = self._bot.talk
        self._turn = 0
        self._repeated = self._differed = 0

    def run(self, earlier: bool, on_turn: Callable[[int], None]) -> RehearsalResult:
        turns = self._position.recorded_turns()
        before = self._turns_before_start(turns)
        for turn in turns[:before]:
            self._replay.play(turn)
        self._bot.start(before + 1)
        for turn in turns[before:]:
            if self._talk.fault:
                break
            on_turn(turn.number)
            self._turn = turn.number
            if earlier and self._bot.is_to_move:
                theirs = next(one.move for one in turn.moves if one.seat == self._position.seat)
                self._repeated += 1
                self._differed += not self._bot.ask(turn.number) or self._talk.encoded != theirs
            self._replay.play(turn)
        return self._end()

    def _end(self) -> RehearsalResult:
        """Make the last request, if the bot got that far, and return the result."""
        move, talk = None, self._talk
        if not talk.fault and self._bot.is_to_move:
            self._turn = self._position.turn
            if self._bot.ask(self._turn):
                move = talk.encoded
        self._player.close()  # so that the log is complete: output may still be in transit
        found = diagnose(talk.fault, talk.moment) if talk.fault and talk.moment else None
        rejected = [*talk.rejected, *([talk.last_rejected] if talk.last_rejected else [])]
        return RehearsalResult(
            self._turn,
            move,
            tuple(one.message.text for one in rejected),
            found,
            talk.spent,
            self._repeated,
            self._differed,
            self._player.log(),
        )

    def _turns_before_start(self, turns: Sequence[RecordedTurn]) -> int:
        """Return how many turns had been played when the current process was started."""
        replay, found = self._position.start({self._replay.game.name: self._replay.game}), 0
        for turn in turns:
            state = replay.state
            replay.play(turn)
            if replay.game.fresh_start(state, replay.state):
                found = turn.number
        return max([found, *(number - 1 for number in self._position.resumed if number <= len(turns) + 1)])
