"""The house bots that give hints; they run in the jail from their source and need no upload."""

from __future__ import annotations

from contextlib import ExitStack

from arena.core.referee.faults import RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.sandbox.uploads.module_package import read_module
from arena.games.bot_packages import bots_folder
from arena.play.hints import LIMITS
from arena.play.opponents import people_of
from arena.submissions.store import scratch


class JailedAdvisers:
    """Creates a game's adviser; its files exist as long as ``stack`` is open."""

    def __init__(self, server: Spawner, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def __call__(self, game: str) -> Player:
        people = people_of(game)
        if people is None or not people.adviser:
            raise RefereeFailure(f"No house bot gives hints in {game}.")
        house = bots_folder(game) / "house"
        folder = self._stack.enter_context(scratch(read_module(house / f"{people.adviser}.py", house)))
        return JailedPlayer(self._server, folder, jail_limits(LIMITS))
