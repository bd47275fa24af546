"""Players for a duel on this worker: bots in jails, and the person, connected through an inbox."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from arena.core.referee.faults import RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.person import PersonPlayer
from arena.core.referee.players import Player
from arena.matches.playing import ClaimedMatch
from arena.play.answer_inbox import AnswerInbox
from arena.play.turns import DuelTurnLog
from arena.play.wake_channel import open_channel
from arena.submissions.models import Submission
from arena.submissions.store import ContentLost, unpacked_package


class DuelSeating:
    """A seating for duels that reserves no core.

    A duel mostly waits for a person; if it reserved a core, it would block matches between bots.
    """

    def __init__(self, server: Spawner, turns: DuelTurnLog) -> None:
        self._server, self._turns = server, turns

    def __call__(self, job: ClaimedMatch, stack: ExitStack) -> Sequence[Player]:
        """Create the players of the match in seat order; closing ``stack`` releases their resources.

        Raises RefereeFailure if a submission is missing, because that is not a player's fault.
        """
        return [self._seat(job, submission, stack) for submission in job.submissions]

    def _seat(self, job: ClaimedMatch, submission: Submission | None, stack: ExitStack) -> Player:
        if submission is None:
            match_id = job.match.pk
            return PersonPlayer(AnswerInbox(match_id, lambda: self._turns.newest + 1, open_channel(match_id)))
        try:
            folder = stack.enter_context(unpacked_package(submission.sha256))
        except ContentLost as error:
            raise RefereeFailure(error.message, error.detail) from error
        return JailedPlayer(self._server, folder, jail_limits(job.spec.limits))
