"""A worker process that runs bots in rooms: many bots, one loop, each bot under a lease of its own.

Invariants: a bot is started once a stay and asked once a round; what it names goes the way of everybody's submissions.
A seat that this process holds no more (a click, a finished room, another worker) is dropped at the next look. A failure
of ours gives the seat back and is never the bot's fault. Whatever fails about one bot, a mistake in our own code
included, ends that attempt of that bot and concerns no other; only a database that is away concerns all. When the loop
ends, no bot runs and no lease is held.
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
from arena.games.golden_point.rooms.bots.observations import OpenRound
from arena.games.golden_point.rooms.bots.players import Players
from arena.games.golden_point.rooms.bots.seating import JOBS
from arena.games.golden_point.rooms.bots.stay import ArenaFailed, Stay, guest_of
from arena.games.golden_point.rooms.models import BotSeat, SeatEnd
from arena.games.golden_point.rooms.rounds.submitting import Submission, submit_all
from arena.games.golden_point.rooms.rules import Refusal, RoomState
from arena.platform.jobs.lifecycle import HEARTBEAT_SECONDS, extend

logger = logging.getLogger(__name__)

MOST_BOTS = 24  # that one process runs; more wait for another, or for a place
LOOK_SECONDS = 0.2  # between two looks at the rooms: a bot may learn of a round so much later than a program
STAYS_SECONDS = 10.0  # how long a process without bots waits for others, lest it start for each one
AGAIN = timedelta(seconds=20)  # after a failure of ours
# What concerns all bots at once; any other error of a database is about one row.
_DATABASE_AWAY = (OperationalError, InterfaceError)
# How long bots play on where only bots are left.
ALONE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a host needs of its process. ``now``: the time of day by which rooms run; ``stopping``: asks it to end;
    ``thinking``: how many bots may compute at once."""

    worker: str
    players: Players
    clock: Clock
    now: Callable[[], datetime]
    stopping: Callable[[], bool]
    thinking: int


class Host:
    """The bots of one process."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._outside = surroundings
        self._stays: dict[int, Stay] = {}
        self._failed: dict[int, datetime] = {}  # seats that could not be run here, and when that was
        self._answers: list[tuple[Stay, Submission]] = []
        self._beat_at = self._look_at = surroundings.clock.now()
        self._ending = False

    def run(self) -> None:
        """Serve whatever waits; returns when nothing did for a while, or when the worker is told to end."""
        idle_since = self._outside.clock.now()
        try:
            while not self._ending and self._outside.clock.now() - idle_since < STAYS_SECONDS:
                self.turn()
                if self._stays:
                    idle_since = self._outside.clock.now()
        finally:
            self._leave()

    def turn(self) -> None:
        """Look at the rooms where it is time, hand in what was answered, then listen until the next look is due."""
        try:
            if self._outside.clock.now() >= self._look_at:
                self._look_at = self._outside.clock.now() + LOOK_SECONDS
                self._look()
            self._hand_in()
            self._listen()
        except _DATABASE_AWAY as error:
            logger.warning("the bots in rooms cannot reach the database: %s", error)
            connections.close_all()
            self._outside.clock.wait((), LOOK_SECONDS)

    # --- the rooms

    def _look(self) -> None:
        self._keep_leases()
        self._claim()
        rounds = observations.open_rounds(stay.guest.room for stay in self._stays.values())
        for stay in list(self._stays.values()):
            with self._contained(stay):
                self._see_to(stay, rounds.get(stay.guest.room))

    def _see_to(self, stay: Stay, current: OpenRound | None) -> None:
        if current is None or current.state is RoomState.FINISHED:
            self._end(stay, SeatEnd.OVER)
        elif self._outside.now() - max(stay.guest.since, current.last_played) >= ALONE:
            self._end(stay, SeatEnd.ALONE)
        elif current.state is RoomState.RUNNING:
            stay.ask(current, self._outside.players, self._outside.clock)

    def _keep_leases(self) -> None:
        """Say that the bots live, and let go of those that were taken away."""
        beat = self._outside.clock.now() >= self._beat_at
        if beat:
            self._beat_at = self._outside.clock.now() + HEARTBEAT_SECONDS
            self._ending = self._outside.stopping()
        rows = BotSeat.objects.filter(pk__in=list(self._stays), status=JOBS.running).values_list("pk", "fence")
        ours = dict(rows)
        for pk, stay in list(self._stays.items()):
            if ours.get(pk) != stay.lease.fence or (beat and not extend(stay.lease, now=self._outside.now())):
                stay.close()
                del self._stays[pk]
            elif beat:
                with self._contained(stay):
                    stay.keep_files()

    def _claim(self) -> None:
        now = self._outside.now()
        self._failed = {pk: at for pk, at in self._failed.items() if timedelta(0) <= now - at < AGAIN}
        while len(self._stays) < MOST_BOTS:
            lease = seating.claim_in_turn(worker=self._outside.worker, now=now, but=self._failed)
            if lease is None:
                return
            guest = guest_of(lease.pk)
            if guest is not None:
                self._stays[lease.pk] = Stay(lease, guest)

    def _hand_in(self) -> None:
        answers, self._answers = self._answers, []
        if answers:
            self._submit(answers)

    def _submit(self, answers: list[tuple[Stay, Submission]]) -> None:
        try:
            receipts = submit_all([submission for _, submission in answers], self._outside.now)
        except _DATABASE_AWAY:
            self._answers += answers  # a round that has closed meanwhile refuses them
            raise
        except Exception:
            if len(answers) > 1:  # one of them: the others must not pay for it
                for answer in answers:
                    self._submit([answer])
                return
            with self._contained(answers[0][0]):
                raise
            return
        for (stay, _), receipt in zip(answers, receipts, strict=True):
            with self._contained(stay):
                if receipt.refusal is None:
                    stay.has_submitted(self._outside.clock)
                elif receipt.refusal is Refusal.FULL and stay.lease.pk in self._stays:
                    self._end(stay, SeatEnd.FULL)

    # --- the bots

    def _listen(self) -> None:
        thinking = self._thinking()
        due = min([self._look_at, *(stay.bot.check_at for stay in thinking if stay.bot)])
        players = [stay.bot.player for stay in thinking if stay.bot]
        try:
            ready = self._outside.clock.wait(players, max(0.0, due - self._outside.clock.now()))
        except Exception:
            if not self._drop_unwaitable(thinking):
                raise
            return
        there = {id(player) for player in ready}
        for stay in thinking:
            with self._contained(stay):
                self._hear(stay, ready=stay.bot is not None and id(stay.bot.player) in there)
        for stay in [stay for stay in self._stays.values() if stay.bot is not None and stay.bot.fault]:
            with self._contained(stay):
                self._end(stay, SeatEnd.FAULT)

    def _drop_unwaitable(self, thinking: Sequence[Stay]) -> bool:
        """A wait for all has failed: waiting for each alone tells whose fault it was. False where it was nobody's."""
        before = len(self._stays)
        for stay in thinking:
            with self._contained(stay):
                if stay.bot is not None:
                    self._outside.clock.wait([stay.bot.player], 0.0)
        return len(self._stays) < before

    def _thinking(self) -> list[Stay]:
        """Those whose bots compute; lets as many more begin as may."""
        found = [stay for stay in self._stays.values() if stay.thinks]
        for stay in [stay for stay in self._stays.values() if not stay.thinks]:
            if len(found) >= self._outside.thinking:
                break
            with self._contained(stay):
                stay.wake()
                if stay.thinks:
                    found.append(stay)
        return found

    def _hear(self, stay: Stay, *, ready: bool) -> None:
        submission = stay.hear(ready=ready)
        if submission is not None:
            self._answers.append((stay, submission))

    def _leave(self) -> None:
        while self._stays:
            pk, stay = self._stays.popitem()
            try:
                stay.release()
            except _DATABASE_AWAY as error:
                logger.warning("seat %s is given back by the sweep: %s", pk, error)
                connections.close_all()

    @contextmanager
    def _contained(self, stay: Stay) -> Iterator[None]:
        """What fails about one bot ends its attempt here, and nothing else."""
        try:
            yield
        except _DATABASE_AWAY:
            raise
        except ArenaFailed as failure:
            self._fail(stay, failure)
        except (RefereeFailure, SandboxError) as failure:
            self._fail(stay, ArenaFailed(failure, counted=True))
        except Exception as error:
            logger.exception("seat %s: the arena's own code failed while it ran this bot", stay.lease.pk)
            self._fail(stay, ArenaFailed(error, counted=True))

    def _end(self, stay: Stay, by: SeatEnd) -> None:
        del self._stays[stay.lease.pk]
        stay.end(by, self._outside.now())

    def _fail(self, stay: Stay, failure: ArenaFailed) -> None:
        self._stays.pop(stay.lease.pk, None)
        self._failed[stay.lease.pk] = self._outside.now()
        stay.fail(failure, self._outside.now())
