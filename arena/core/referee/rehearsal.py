"""Asks one bot for its move in a position, judged as in a match, without opponents.

Invariants: the bot is told exactly what its seat was told in every turn before, in the same order and by the
same requests, because it may keep what it heard; its answers to those turns are compared and dropped. Turns before the
last new start (``Game.fresh_start``) are not asked: its process knew nothing of them. The player is closed at the end,
whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.core.referee import protocol
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import Conversation
from arena.core.referee.diagnosis import Diagnosis, diagnose
from arena.core.referee.events import Spent
from arena.core.referee.players import Player
from arena.core.referee.position import Position
from arena.core.referee.protocol import Request
from arena.core.referee.record import RecordedTurn
from arena.core.referee.replay import Replay
from arena.core.referee.seat import BotSeat, converse
from arena.core.referee.spec import MatchLimits
from arena.games.base import Games, Json


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What the bot did.

    ``turn``: where it ended, 0 before the first. ``move``: what the referee takes, as the game encodes it, None
    where there is none. ``refused``: its illegal answers with the reasons. ``asked`` turns before the
    position were asked, ``differed`` of them answered otherwise than in the match.
    """

    turn: int
    move: Json
    refused: tuple[str, ...]
    diagnosis: Diagnosis | None
    spent: Spent
    asked: int
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
) -> Rehearsed:
    """Ask ``player``, which is not started yet, through the turns of its seat and then for the position.

    ``earlier`` False asks for the position alone: for games that tell everything each turn, and bots that keep
    nothing. Raises MatchStopped, RefereeFailure, PositionError.
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
        self._position, self._seat = position, position.seat
        self._replay: Replay = position.start(games)
        self._player, self._bot = player, BotSeat(player, self._replay.game)
        self._talk = Conversation(self._replay.game, self._seat, limits.illegal_answers)
        self._clock, self._limits, self._stop = clock, limits, stop
        self._turn = 0
        self._asked = self._differed = 0

    def run(self, earlier: bool, on_turn: Callable[[int], None]) -> Rehearsed:
        turns = self._position.recorded_turns()
        before = self._turns_before_start(turns)
        for turn in turns[:before]:
            self._replay.play(turn)
        self._player.start()
        self._begin(before + 1 if before else 0)
        for turn in turns[before:]:
            if self._talk.fault:
                break
            on_turn(turn.number)
            self._turn = turn.number
            if earlier and self._seat in self._replay.to_move():
                theirs = next(one.move for one in turn.moves if one.seat == self._seat)
                self._asked += 1
                self._differed += not self._ask() or self._talk.encoded != theirs
            self._replay.play(turn)
        return self._end()

    def _end(self) -> Rehearsed:
        """The last question, where the bot got so far, and what it did."""
        move, talk = None, self._talk
        if not talk.fault and self._seat in self._replay.to_move():
            self._turn = self._position.turn
            if self._ask():
                move = talk.encoded
        self._player.close()  # so that the log is complete: what was printed may still be under way
        found = diagnose(talk.fault, talk.moment) if talk.fault and talk.moment else None
        refused = [*talk.refused, *([talk.last_refused] if talk.last_refused else [])]
        return Rehearsed(
            self._turn,
            move,
            tuple(one.message.text for one in refused),
            found,
            talk.spent,
            self._asked,
            self._differed,
            self._player.log(),
        )

    def _turns_before_start(self, turns: Sequence[RecordedTurn]) -> int:
        """How many turns were played when the process that is asked was started."""
        replay, found = self._position.start({self._replay.game.name: self._replay.game}), 0
        for turn in turns:
            state = replay.state
            replay.play(turn)
            if replay.game.fresh_start(state, replay.state):
                found = turn.number
        return found

    def _begin(self, turn: int) -> None:
        game = self._replay.game
        settings = game.settings_json(game.settings(self._position.settings))
        own = game.own(self._replay.state, self._seat)
        self._go_on(self._talk.start(len(self._position.seats), settings, self._limits, own, turn))

    def _ask(self) -> bool:
        """One turn, as often as the limits permit; whether the bot gave a move."""
        game, state, seat = self._replay.game, self._replay.state, self._seat
        request = protocol.move(seat, game.own(state, seat), protocol.shared(game.shared(state)))
        self._go_on(self._talk.ask(self._turn, state, request))
        return self._talk.answered

    def _go_on(self, request: Request) -> None:
        converse(self._bot, self._talk, request, self._limits, self._clock, self._stop)
