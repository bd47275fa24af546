"""Players for bots that sit in rooms: each in its own jail, from a folder of its own."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Protocol

from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.submissions.store import unpacked


class Players(Protocol):
    """Makes the player of a submission; what it opens is closed with the stack."""

    def __call__(self, sha256: str, limits: MatchLimits, stack: ExitStack) -> Player:
        """Raises ContentLost, DiskFull, StoreAway."""


class JailedPlayers:
    """Bots in jails of ``server``. They are tied to no core: most of the time they wait for the next round."""

    def __init__(self, server: Spawner) -> None:
        self._server = server

    def __call__(self, sha256: str, limits: MatchLimits, stack: ExitStack) -> Player:
        return JailedPlayer(self._server, stack.enter_context(unpacked(sha256)), jail_limits(limits))
