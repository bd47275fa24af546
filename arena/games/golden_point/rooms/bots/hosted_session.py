"""Hosted sessions: one bot in one room on the worker that holds its seat, from the claim to the end.

Invariants: everything about the seat is stored under the lease, so a session that lost its lease changes nothing. The
bot starts with its first requested round, and stops with the session.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from arena.core.referee.clock import Clock
from arena.core.referee.faults import RefereeFailure, reason_of
from arena.core.referee.jailed_player import JailedPlayer, Spawner, jail_limits
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.errors import SandboxError
from arena.games.golden_point.rooms.bots import observations, seating
from arena.games.golden_point.rooms.bots.hosted_bot import (
    MAX_TURNS,
    HostedBot,
    RoundRequest,
    SubmittedNumbers,
    limits_for,
)
from arena.games.golden_point.rooms.bots.observations import OpenRound
from arena.games.golden_point.rooms.models import BotSeat, SeatEnd
from arena.games.golden_point.rooms.rounds.picks import SentPick
from arena.games.golden_point.rooms.rules import pick_token
from arena.platform.jobs.lifecycle import Lease, leased_row, release
from arena.submissions.blobs import StoreUnavailable
from arena.submissions.store import ContentLost, DiskFull, mark_in_use, unpacked_package

logger = logging.getLogger(__name__)

# A bot that has played for this long evidently works: earlier failures are forgotten.
STEADY_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A seated bot as stored: ids of the room's and the player's rows, the player's uid, and the submission to run."""

    room: int
    player: int
    uid: str
    sha256: str
    since: datetime


class PlayerFactory(Protocol):
    """A function that creates the player for a submission; ``stack`` closes the resources opened for it."""

    def __call__(self, sha256: str, limits: MatchLimits, stack: ExitStack) -> Player:
        """Create the player for the submission with this SHA-256. Raises ContentLost, DiskFull or StoreUnavailable."""


class JailedPlayerFactory:
    """A player factory that runs each bot in its own folder, in a jail that ``server`` starts.

    No core is reserved, because the bots mostly wait.
    """

    def __init__(self, server: Spawner) -> None:
        self._server = server

    def __call__(self, sha256: str, limits: MatchLimits, stack: ExitStack) -> Player:
        return JailedPlayer(self._server, stack.enter_context(unpacked_package(sha256)), jail_limits(limits))


class ArenaFailure(Exception):  # noqa: N818 - ours, never the bot's
    """Raised if the arena cannot run the bot at this time.

    ``counted``: whether the arena caused the failure, so that the attempt counts. ``unexpected``: whether the arena's
    code or the system failed in an unforeseen way.
    """

    def __init__(self, cause: Exception, *, counted: bool) -> None:
        super().__init__(str(cause))
        self.reason = reason_of(cause)
        self.counted = counted
        root = cause.__cause__ if isinstance(cause, RefereeFailure) else None
        self.unexpected = root is not None and not isinstance(root, SandboxError)


class HostedSession:
    """The session of a bot whose seat this worker holds. ``bot``: None until the first round is requested."""

    def __init__(self, lease: Lease, seat: SeatedBot) -> None:
        self.lease, self.seat = lease, seat
        self.bot: HostedBot | None = None
        self._stack = ExitStack()
        self._asked: RoundRequest | None = None
        self._token = ""
        self._has_submitted = False
        self._began_at: float | None = None

    @property
    def is_thinking(self) -> bool:
        """Return whether the bot is computing."""
        return self.bot is not None and self.bot.is_thinking

    def request_round(self, current: OpenRound, players: PlayerFactory, clock: Clock) -> None:
        """Request a new round if the bot is free; raises ArenaFailure."""
        if self._asked is not None and self._asked.guid == current.guid:
            return
        if self.bot is not None and not self.bot.is_free:
            return
        if self.bot is not None and self.bot.turns >= MAX_TURNS:
            self._discard_bot()
        round_request = self._asked = RoundRequest(
            guid=current.guid,
            numbers=current.numbers,
            rounds=current.rounds,
            index=current.index,
            own=observations.own_standing(self.seat.room, self.seat.player),
            news=observations.rounds_closed_since(self.seat.room, self.bot.observed if self.bot else 0),
        )
        self._token = current.token
        try:
            if self.bot is None:
                self.bot = self._start_bot(round_request, current.seconds, players, clock)
            self.bot.request_round(round_request)
        except (DiskFull, StoreUnavailable) as failure:
            raise ArenaFailure(failure, counted=False) from failure
        except (RefereeFailure, SandboxError, ContentLost) as failure:
            raise ArenaFailure(failure, counted=True) from failure

    def send_next_request(self) -> None:
        """Send the bot its next request, if one is waiting; raises ArenaFailure."""
        if self.bot is not None:
            try:
                self.bot.send_next_request()
            except RefereeFailure as failure:
                raise ArenaFailure(failure, counted=True) from failure

    def take_answer(self, *, ready: bool) -> SentPick | None:
        """Return the bot's answer as a pick, if any. ``ready``: whether it has output to read. Raises ArenaFailure."""
        if self.bot is None:
            return None
        try:
            answer = self.bot.process_reply(ready=ready)
        except RefereeFailure as failure:
            raise ArenaFailure(failure, counted=True) from failure
        return None if answer is None else self._convert_to_pick(answer)

    def record_accepted_pick(self, clock: Clock) -> None:
        """Record an accepted pick, which shows that this worker can run the bot.

        Earlier failures of the arena are forgotten only after a while, because a bot might play a round between any two
        failures.
        """
        if not self._has_submitted:
            self._has_submitted = True
            leased_row(self.lease).update(attempts=1)
        if self._began_at is not None and clock.now() - self._began_at >= STEADY_SECONDS:
            self._began_at = None
            leased_row(self.lease).update(failures=0, failure=None)

    def end_session(self, by: SeatEnd, now: datetime) -> None:
        """End the session and store the reason ``by``, which the bot's author can read."""
        diagnosis = self.bot.fault if self.bot else None
        self.close_bot()
        seating.end_session(self.lease, by, now=now, log=self._read_log(), diagnosis=diagnosis)

    def protect_files(self) -> None:
        """Protect the bot's files from the cleanup, because a session may outlast any task."""
        if self.bot is not None and self.bot.player.folder is not None:
            mark_in_use(self.bot.player.folder)

    def release_seat(self) -> None:
        """Release the seat, so that another worker can claim it and restart the bot."""
        self.close_bot()
        release(self.lease, counted=False)

    def record_failure(self, failure: ArenaFailure, now: datetime) -> None:
        """Release the seat for another attempt on this or another worker, unless it has no attempts left."""
        self.close_bot()
        details = failure if failure.unexpected else None
        logger.error("seat %s: an attempt failed: %s", self.lease.pk, failure, exc_info=details)
        if failure.counted:
            seating.record_failure(self.lease, failure.reason, now=now, log=self._read_log())
        else:
            release(self.lease, counted=False, failure=failure.reason)

    def close_bot(self) -> None:
        """Stop the bot's process; its output can still be read. Never raises, so that every session ends."""
        with self._log_exceptions("its bot could not be closed"):
            if self.bot is not None:
                self.bot.close()
        with self._log_exceptions("its files could not be removed"):
            self._stack.close()

    def _read_log(self) -> bytes:
        """Return the bot's output; empty if it is unreadable."""
        with self._log_exceptions("its log could not be read"):
            return self.bot.log() if self.bot else b""
        return b""

    @contextmanager
    def _log_exceptions(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception:
            logger.exception("seat %s: %s", self.lease.pk, what)

    def _start_bot(self, round_request: RoundRequest, seconds: int, players: PlayerFactory, clock: Clock) -> HostedBot:
        self._began_at = clock.now()
        player = players(self.seat.sha256, limits_for(seconds), self._stack)
        self._stack.callback(player.close)  # runs even if the start fails
        bot = HostedBot(player, limits_for(seconds), clock)
        bot.start(round_request)
        return bot

    def _discard_bot(self) -> None:
        self.close_bot()
        self.bot = None

    def _convert_to_pick(self, answer: SubmittedNumbers) -> SentPick:
        first, *second = answer.numbers
        return SentPick(
            uid=self.seat.uid,
            rid=str(answer.guid),
            n1=repr(first),
            n2=repr(second[0]) if second else "",
            token=pick_token(self.seat.uid, str(answer.guid), self._token) if self._token else "",
            seated=True,
        )


def seated_bot(seat_id: int) -> SeatedBot | None:
    """Return the bot in this seat as stored; None if the room has been deleted."""
    row = BotSeat.objects.select_related("player", "submission").filter(pk=seat_id).first()
    if row is None:
        return None
    return SeatedBot(row.room_id, row.player_id, str(row.player.uid), row.submission.sha256, row.seated_at)
