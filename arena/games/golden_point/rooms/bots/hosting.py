"""Host bots in rooms: one loop per worker process runs many bots, each under its own lease.

Invariants: a bot starts once per session and gets one request per round; its numbers are submitted like everybody
else's. A seat whose lease is lost (the bot was removed, the room finished, or another worker took over) is dropped at
the next refresh. A failure of the arena releases the seat and is never counted against the bot. A failure that concerns
one bot, including bugs in the arena's own code, ends the current attempt of that bot and affects no other; only an
unavailable database affects all bots. When the loop ends, no bot is running and no lease is held.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connections

from arena.core.referee.clock import Clock
from arena.core.referee.faults import RefereeFailure
from arena.core.sandbox.errors import SandboxError
from arena.games.golden_point.rooms.bots import observations, seating
from arena.games.golden_point.rooms.bots.hosted_session import ArenaFailure, HostedSession, PlayerFactory, seated_bot
from arena.games.golden_point.rooms.bots.observations import OpenRound
from arena.games.golden_point.rooms.bots.seating import JOBS
from arena.games.golden_point.rooms.models import BotSeat, SeatEnd
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import Refusal, RoomState
from arena.platform.jobs.lifecycle import HEARTBEAT_SECONDS, extend

logger = logging.getLogger(__name__)

MAX_BOTS = 24  # per process; further bots wait until a process has room
REFRESH_SECONDS = 0.2  # between two refreshes of the rooms: bots learn of a round at most this long after programs
IDLE_SECONDS = 10.0  # how long a process without bots waits for new bots, to avoid restarts
RETRY_DELAY = timedelta(seconds=20)  # after an arena failure
# These errors affect all bots; other database errors concern one row.
_DATABASE_OUTAGE = (OperationalError, InterfaceError)
# How long bots continue in a room that has only bots.
ALONE_LIMIT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """The dependencies of a host.

    ``now``: returns the current time for the rooms; ``stopping``: returns whether the host has been asked to stop;
    ``thinking``: how many bots may compute simultaneously.
    """

    worker: str
    players: PlayerFactory
    clock: Clock
    now: Callable[[], datetime]
    stopping: Callable[[], bool]
    thinking: int


class Host:
    """A host, which runs the hosted bots of one worker process."""

    def __init__(self, environment: HostEnvironment) -> None:
        self._environment = environment
        self._sessions: dict[int, HostedSession] = {}
        self._failed: dict[int, datetime] = {}  # when this process failed to run a seat, by seat
        self._answers: list[tuple[HostedSession, SentPick]] = []
        self._beat_at = self._refresh_at = environment.clock.now()
        self._ending = False

    def run(self) -> None:
        """Run until no bot has needed this process for a while, or until the worker is shutting down."""
        idle_since = self._environment.clock.now()
        try:
            while not self._ending and self._environment.clock.now() - idle_since < IDLE_SECONDS:
                self.run_once()
                if self._sessions:
                    idle_since = self._environment.clock.now()
        finally:
            self._release_all()

    def run_once(self) -> None:
        """Refresh the rooms if due, submit the answers, then wait for more until the next refresh."""
        try:
            if self._environment.clock.now() >= self._refresh_at:
                self._refresh_at = self._environment.clock.now() + REFRESH_SECONDS
                self._refresh()
            self._submit_collected_picks()
            self._wait_for_answers()
        except _DATABASE_OUTAGE as error:
            logger.warning("the bots in rooms cannot reach the database: %s", error)
            connections.close_all()
            self._environment.clock.wait((), REFRESH_SECONDS)

    # --- Rooms

    def _refresh(self) -> None:
        self._extend_leases()
        self._claim_seats()
        rounds = observations.open_rounds(session.seat.room for session in self._sessions.values())
        for session in list(self._sessions.values()):
            with self._contain_failures(session):
                self._update_session(session, rounds.get(session.seat.room))

    def _update_session(self, session: HostedSession, current: OpenRound | None) -> None:
        if current is None or current.state is RoomState.FINISHED:
            self._end_session(session, SeatEnd.OVER)
        elif self._environment.now() - max(session.seat.since, current.last_played) >= ALONE_LIMIT:
            self._end_session(session, SeatEnd.ALONE)
        elif current.state is RoomState.RUNNING:
            session.request_round(current, self._environment.players, self._environment.clock)

    def _extend_leases(self) -> None:
        """Extend the leases, and drop the sessions whose leases are lost."""
        beat = self._environment.clock.now() >= self._beat_at
        if beat:
            self._beat_at = self._environment.clock.now() + HEARTBEAT_SECONDS
            self._ending = self._environment.stopping()
        rows = BotSeat.objects.filter(pk__in=list(self._sessions), status=JOBS.running).values_list("pk", "fence")
        ours = dict(rows)
        for pk, session in list(self._sessions.items()):
            if ours.get(pk) != session.lease.fence or (beat and not extend(session.lease, now=self._environment.now())):
                session.close_bot()
                del self._sessions[pk]
            elif beat:
                with self._contain_failures(session):
                    session.protect_files()

    def _claim_seats(self) -> None:
        now = self._environment.now()
        self._failed = {pk: at for pk, at in self._failed.items() if timedelta(0) <= now - at < RETRY_DELAY}
        while len(self._sessions) < MAX_BOTS:
            lease = seating.claim_next_seat(worker=self._environment.worker, now=now, but=self._failed)
            if lease is None:
                return
            seat = seated_bot(lease.pk)
            if seat is not None:
                self._sessions[lease.pk] = HostedSession(lease, seat)

    def _submit_collected_picks(self) -> None:
        answers, self._answers = self._answers, []
        if answers:
            self._submit_picks(answers)

    def _submit_picks(self, answers: list[tuple[HostedSession, SentPick]]) -> None:
        try:
            receipts = submit_all([sent for _, sent in answers], self._environment.now)
        except _DATABASE_OUTAGE:
            self._answers += answers  # a round that has closed in the meantime rejects them
            raise
        except Exception:
            if len(answers) > 1:  # one of them caused the error and must not affect the others
                for answer in answers:
                    self._submit_picks([answer])
                return
            with self._contain_failures(answers[0][0]):
                raise
            return
        for (session, _), receipt in zip(answers, receipts, strict=True):
            with self._contain_failures(session):
                if receipt.refusal is None:
                    session.record_accepted_pick(self._environment.clock)
                elif receipt.refusal is Refusal.FULL and session.lease.pk in self._sessions:
                    self._end_session(session, SeatEnd.FULL)

    # --- Bots

    def _wait_for_answers(self) -> None:
        thinking = self._wake_sessions()
        due = min([self._refresh_at, *(session.bot.check_at for session in thinking if session.bot)])
        players = [session.bot.player for session in thinking if session.bot]
        try:
            ready = self._environment.clock.wait(players, max(0.0, due - self._environment.clock.now()))
        except Exception:
            if not self._drop_broken_sessions(thinking):
                raise
            return
        there = {id(player) for player in ready}
        for session in thinking:
            with self._contain_failures(session):
                self._collect_answer(session, ready=session.bot is not None and id(session.bot.player) in there)
        for session in [
            session for session in self._sessions.values() if session.bot is not None and session.bot.fault
        ]:
            with self._contain_failures(session):
                self._end_session(session, SeatEnd.FAULT)

    def _drop_broken_sessions(self, thinking: Sequence[HostedSession]) -> bool:
        """Wait for each session separately, to find and drop those that made the joint wait fail.

        Return False if no session was dropped.
        """
        before = len(self._sessions)
        for session in thinking:
            with self._contain_failures(session):
                if session.bot is not None:
                    self._environment.clock.wait([session.bot.player], 0.0)
        return len(self._sessions) < before

    def _wake_sessions(self) -> list[HostedSession]:
        """Wake as many sessions as the limit allows, and return those whose bot is computing."""
        found = [session for session in self._sessions.values() if session.is_thinking]
        for session in [session for session in self._sessions.values() if not session.is_thinking]:
            if len(found) >= self._environment.thinking:
                break
            with self._contain_failures(session):
                session.send_next_request()
                if session.is_thinking:
                    found.append(session)
        return found

    def _collect_answer(self, session: HostedSession, *, ready: bool) -> None:
        sent = session.take_answer(ready=ready)
        if sent is not None:
            self._answers.append((session, sent))

    def _release_all(self) -> None:
        while self._sessions:
            pk, session = self._sessions.popitem()
            try:
                session.release_seat()
            except _DATABASE_OUTAGE as error:
                logger.warning("seat %s will be released by the sweep: %s", pk, error)
                connections.close_all()

    @contextmanager
    def _contain_failures(self, session: HostedSession) -> Iterator[None]:
        """Limit the effect of a failure to one bot: the failure ends only that bot's current attempt."""
        try:
            yield
        except _DATABASE_OUTAGE:
            raise
        except ArenaFailure as failure:
            self._fail_session(session, failure)
        except (RefereeFailure, SandboxError) as failure:
            self._fail_session(session, ArenaFailure(failure, counted=True))
        except Exception as error:
            logger.exception("seat %s: the arena's own code failed while it ran this bot", session.lease.pk)
            self._fail_session(session, ArenaFailure(error, counted=True))

    def _end_session(self, session: HostedSession, by: SeatEnd) -> None:
        del self._sessions[session.lease.pk]
        session.end_session(by, self._environment.now())

    def _fail_session(self, session: HostedSession, failure: ArenaFailure) -> None:
        self._sessions.pop(session.lease.pk, None)
        self._failed[session.lease.pk] = self._environment.now()
        session.record_failure(failure, self._environment.now())
