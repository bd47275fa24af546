"""The house bots that give hints, in the jail and straight from the code: they need no upload to be there."""

from __future__ import annotations

from contextlib import ExitStack

from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.bot_packages import bots_folder
from arena.play.hints import ADVISERS, LIMITS
from arena.submissions.store import scratch


class JailedAdvisers:
    """Makes the adviser of a game; its files are there as long as ``stack`` is open."""

    def __init__(self, server: Spawner, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def __call__(self, game: str) -> Player:
        package = read_module(bots_folder(game) / "house" / f"{ADVISERS[game]}.py")
        folder = self._stack.enter_context(scratch(package))
        return JailedPlayer(self._server, folder, jail_limits(LIMITS))
