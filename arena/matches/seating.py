"""Create the players of a match on this worker: every bot in its own jail, from its own folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from arena.core.referee.faults import RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, jail_limits
from arena.core.referee.players import Player
from arena.core.sandbox.supervision.cores import CorePool
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.matches.playing import ClaimedMatch
from arena.submissions.store import ContentLost, unpacked_package


class JailedSeating:
    """A seating of bots in jails run by ``server``; all bots in a match share one of the ``cores``."""

    def __init__(self, server: ForkServer, cores: CorePool) -> None:
        self._server, self._cores = server, cores

    def __call__(self, job: ClaimedMatch, stack: ExitStack) -> Sequence[Player]:
        """Create the players of the match in seat order; closing ``stack`` releases their resources.

        Raises RefereeFailure if a stored submission is missing, because that is not its author's fault.
        """
        limits = jail_limits(job.spec.limits)
        core = stack.enter_context(self._cores.take_core(job.match.pk))
        try:
            folders = [stack.enter_context(unpacked_package(seated.sha256)) for seated in job.submissions if seated]
        except ContentLost as error:
            raise RefereeFailure(error.message, error.detail) from error
        return [JailedPlayer(self._server, folder, limits, core) for folder in folders]
