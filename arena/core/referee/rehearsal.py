"""Asks one bot for its move in a position, judged as in a match, without opponents.

Invariants: the bot is told exactly what its seat was told in every turn before, in the same order and by the
same requests, because it may keep what it heard; its answers to those turns are compared and dropped. The
player is closed at the end, whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.core.referee import protocol, verdict
from arena.core.referee.answers import read_move
from arena.core.referee.clock import Clock
from arena.core.referee.diagnosis import Diagnosis, Moment, diagnose
from arena.core.referee.events import NO_TIME, Spent
from arena.core.referee.faults import Fault
from arena.core.referee.match import Answered, Faulted
from arena.core.referee.players import Player
from arena.core.referee.position import Position
from arena.core.referee.protocol import Request
from arena.core.referee.replay import Replay
from arena.core.referee.seat import BotSeat, ask_alone
from arena.core.referee.spec import MatchLimits
from arena.games.base import Games, IllegalMove, Json


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


class _Fell(Exception):  # noqa: N818 - an event: the bot committed an offence
    def __init__(self, fault: Fault, event: Answered | Faulted, attempt: int) -> None:
        super().__init__(fault.message.text)
        self.fault, self.spent, self.printed, self.attempt = fault, event.spent, event.printed, attempt


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
        self._clock, self._limits, self._stop = clock, limits, stop
        self._turn = 0
        self._refused: list[str] = []
        self._asked = self._differed = 0

    def run(self, earlier: bool, on_turn: Callable[[int], None]) -> Rehearsed:
        self._player.start()
        move, spent, found = None, NO_TIME, None
        try:
            spent = self._begin()
            for turn in self._position.recorded_turns():
                on_turn(turn.number)
                self._turn = turn.number
                if earlier and self._seat in self._replay.to_move():
                    theirs = next(one.move for one in turn.moves if one.seat == self._seat)
                    self._asked += 1
                    self._differed += self._ask()[0] != theirs
                self._replay.play(turn)
            if self._seat in self._replay.to_move():
                self._turn = self._position.turn
                move, spent = self._ask()
        except _Fell as fell:
            spent = fell.spent
            found = diagnose(fell.fault, Moment(self._turn, fell.attempt, "", spent, fell.printed))
        self._player.close()  # so that the log is complete: what was printed may still be under way
        log = self._player.log()
        return Rehearsed(self._turn, move, tuple(self._refused), found, spent, self._asked, self._differed, log)

    def _begin(self) -> Spent:
        game, limits, position = self._replay.game, self._limits, self._position
        settings = game.settings_json(game.settings(position.settings))
        seats = len(position.seats)
        requests = (
            protocol.load(self._seat, seats, game.name, settings, limits.start_seconds, limits.move_seconds),
            protocol.import_(self._seat),
            protocol.construct(self._seat, game.own(self._replay.state, self._seat)),
        )
        return [self._request(request) for request in requests][-1].spent

    def _ask(self) -> tuple[Json, Spent]:
        """One turn, as often as the limits permit; raises _Fell."""
        game, state, seat = self._replay.game, self._replay.state, self._seat
        self._refused = []
        request = protocol.move(seat, game.own(state, seat), protocol.shared(game.shared(state)))
        while True:
            answered = self._request(request)
            try:
                return read_move(game, state, seat, answered.reply)[1], answered.spent
            except IllegalMove as illegal:
                refusal = verdict.refused(answered.reply, illegal.message, answered.spent, answered.printed)
                self._refused.append(refusal.message.text)
                tries = len(self._refused)
                if tries >= self._limits.illegal_answers:
                    raise _Fell(verdict.illegal(tries, refusal.message), answered, tries) from None
                request = protocol.again(seat, verdict.cut(str(illegal)))

    def _request(self, request: Request) -> Answered:
        event = ask_alone(self._bot, request, self._limits, self._clock, self._stop)
        if isinstance(event, Faulted):
            raise _Fell(event.fault, event, len(self._refused) + 1)
        return event
