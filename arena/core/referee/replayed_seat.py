"""Run one bot in one seat of a recorded match, in which all others play the recorded moves.

Invariant: the bot receives exactly what its seat received, in the same order, in the same requests and with the same
seeds. Rehearsals and reruns use this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.core.referee import protocol
from arena.core.referee.bot_seeds import start_seed
from arena.core.referee.clock import Clock
from arena.core.referee.conversation import Conversation
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.referee.replay import Replay
from arena.core.referee.seat import RefereedSeat, converse
from arena.core.referee.spec import MatchLimits
from arena.games.base import Json


class ReplayedSeat:
    """The bot in ``seat``, asked to move in the current state of ``replay``.

    ``player``: must not have been started. ``key``: the key from which its seeds are derived (see ``bot_seeds``); ""
    for none. A request may raise MatchStopped or RefereeFailure.
    """

    def __init__(
        self,
        replay: Replay,
        seat: int,
        settings: Mapping[str, Json],
        key: str,
        player: Player,
        clock: Clock,
        limits: MatchLimits,
        stop: Callable[[], bool],
    ) -> None:
        self.replay, self.player = replay, player
        self._seat, self._key = seat, key
        self._settings = replay.game.settings_json(replay.game.settings(settings))
        self._bot = RefereedSeat(player, replay.game)
        self.talk = Conversation(replay.game, seat, limits.illegal_answers)
        self._clock, self._limits, self._stop = clock, limits, stop
        self._started = False

    @property
    def is_to_move(self) -> bool:
        return self._seat in self.replay.to_move()

    def start(self, turn: int) -> None:
        """Start the bot's process for ``turn``, which must be the next turn; a running process is replaced."""
        if not self._started:
            self.player.start()
            self._started = True
        own = self.replay.game.own(self.replay.state, self._seat)
        seed = start_seed(self._key, turn)
        asked_for = turn if turn > 1 else 0
        self._converse(self.talk.start(self.replay.seats, self._settings, self._limits, own, asked_for, seed))

    def ask(self, turn: int) -> bool:
        """Ask for the move in one turn, as often as the limits permit; return whether the bot made a move."""
        game, state, seat = self.replay.game, self.replay.state, self._seat
        request = protocol.move_request(seat, game.own(state, seat), protocol.encode_shared(game.shared(state)))
        self._converse(self.talk.ask(turn, state, request))
        return self.talk.answered

    def _converse(self, request: Request) -> None:
        converse(self._bot, self.talk, request, self._limits, self._clock, self._stop)
