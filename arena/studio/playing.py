"""Play a run on a worker, from the claim to the stored result.

Invariants: everything is stored under the lease's fencing token; only the draft's seat is monitored, so opponents'
output and faults are not disclosed; during a match, the draft's author only sees what the draft's seat may see.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from django.conf import settings
from django.utils import timezone

from arena.core.referee.bot_seeds import public_secret
from arena.core.referee.clock import Clock
from arena.core.referee.diagnosis import output_between
from arena.core.referee.events import MatchEvent, MatchStarted, TurnPlayed, outcome_json
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, jail_limits
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.players import Player
from arena.core.referee.record import dump
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.sandbox.supervision.cores import CorePool
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.uploads.package import Package
from arena.games.registry import GAMES
from arena.matches.broadcast import first_event_number
from arena.matches.match_limits import default_move_seconds
from arena.platform.jobs.lifecycle import Lease, leased_row, store_result
from arena.platform.live.publisher import EventSender, Journal
from arena.platform.live.store import MAX_EVENTS
from arena.studio import score
from arena.studio.answer_locations import with_locations
from arena.studio.models import Run, RunStatus
from arena.studio.runs import RUNS, topic
from arena.studio.snapshots import match_json, reader_json, seats_json
from arena.submissions.sources import texts_of
from arena.submissions.store import ContentLost, temporary_folder, unpacked_package

MOVE_SECONDS: Final = 10.0
MAX_FAULTS: Final = 1000  # kept for each run; a bot can give illegal answers at every turn of every match
# A batch ends early if too little time is left to start another match.
_MIN_MATCH_SECONDS: Final = 1.0


class RunSeating(Protocol):
    """A seating of one match's players, in seat order; closing the exit stack releases their resources."""

    def __call__(self, run: Run, limits: MatchLimits, stack: ExitStack) -> Callable[[int], Sequence[Player]]:
        """Return a function that takes the draft's seat and returns all players in order. Raises RefereeFailure."""


class JailedRunSeating:
    """A seating of the draft and its opponents in jails run by ``server``, all on one of the ``cores``."""

    def __init__(self, server: ForkServer, cores: CorePool) -> None:
        self._server, self._cores = server, cores

    def __call__(self, run: Run, limits: MatchLimits, stack: ExitStack) -> Callable[[int], Sequence[Player]]:
        core = stack.enter_context(self._cores.take_core(run.pk))
        own = stack.enter_context(temporary_folder(_package(bytes(run.package))))
        try:
            others = [stack.enter_context(unpacked_package(one["sha256"])) for one in run.opponents]
        except ContentLost as error:
            raise RefereeFailure(error.message, error.detail) from error
        jail = jail_limits(limits)

        def players(seat: int) -> Sequence[Player]:
            folders: list[Path] = [*others[:seat], own, *others[seat:]]
            return [JailedPlayer(self._server, folder, jail, core) for folder in folders]

        return players


def _package(data: bytes) -> Package:
    """Return the files of a run, which were checked when the run was requested."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return Package.from_files({name: packed.read(name) for name in packed.namelist()})


def play_claimed(
    lease: Lease, *, seating: RunSeating, clock: Clock, stopping: Callable[[], bool] = lambda: False
) -> bool:
    """Play a claimed run; return False if no result was stored."""

    def work(stop: Callable[[], bool]) -> bool:
        run: Run = lease.row or Run.objects.get(pk=lease.pk)
        rules = GAMES[run.game]
        keep = max(MAX_EVENTS, rules.max_turns(rules.settings(run.settings)) + 100)
        with EventSender(Journal(topic(run.pk), first_event_number(lease.fence), keep=keep)) as sender:
            return _Attempt(lease, run, sender, clock, stop).play(seating)

    return RUNS.run_job(lease, work, stopping=stopping)


@dataclass
class _Attempt:
    """One attempt to play a run, published as it proceeds."""

    lease: Lease
    run: Run
    sender: EventSender
    clock: Clock
    stop: Callable[[], bool]
    results: list[dict[str, Any]] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)  # of all matches

    def play(self, seating: RunSeating) -> bool:
        ends_at = self.clock.now() + settings.RUN_SECONDS
        seats = len(self.run.opponents) + 1
        last: _RunMatch | None = None
        with ExitStack() as stack:
            seat_at = seating(self.run, self._limits(settings.RUN_SECONDS), stack)
            for number in range(self.run.games):
                left = ends_at - self.clock.now()
                if last is not None and (left < _MIN_MATCH_SECONDS or last.cannot_start):
                    break
                seat = (self.run.first_seat + number) % seats
                last = _RunMatch(self, number, seat, seat_at(seat), self._limits(max(left, _MIN_MATCH_SECONDS)))
                last.play()
                self.results.append(score.result_of(last.result.outcome, seat))
                self.faults += last.faults[: MAX_FAULTS - len(self.faults)]
                self._publish_event({"type": "score", "score": self._score(last)})
                if not leased_row(self.lease).update(results=self.results):
                    raise MatchStopped
        return last is not None and self._store_result(last)

    def _limits(self, seconds: float) -> MatchLimits:
        return MatchLimits(move_seconds=default_move_seconds(self.run.game, MOVE_SECONDS), match_seconds=seconds)

    def _score(self, last: _RunMatch) -> dict[str, Any]:
        return score.score_summary(self.run.game, self.run.games, list(self.results), failed=last.cannot_start)

    def _publish_event(self, event: dict[str, Any]) -> None:
        self.sender.publish(lambda: event)

    def _store_result(self, last: _RunMatch) -> bool:
        result, texts = last.result, texts_of(_package(bytes(self.run.package)))
        stored = store_result(
            self.lease,
            status=RunStatus.FINISHED,
            finished_at=timezone.now(),
            package=b"",
            results=self.results,
            record=dump(result.record),
            log=result.logs[last.seat],
            marks=last.marks,
            faults=with_locations(self.faults, texts),
            last_event=self.sender.next_seq,
            lost=last.has_failed if self.run.games == 1 else last.cannot_start,
        )
        if stored:
            outcome = result.outcome
            self._publish_event(
                {
                    "type": "finished",
                    "outcome": outcome_json(outcome.points, outcome.ranks, outcome.termination),
                    **({"reveals": True} if GAMES[self.run.game].hides else {}),
                    "seats": seats_json(self.run, last.seat, outcome, last.fault_kinds),
                    "score": self._score(last),
                }
            )
        return stored


class _RunMatch:
    """One match of a run."""

    result: MatchResult

    def __init__(self, attempt: _Attempt, number: int, seat: int, players: Sequence[Player], limits: MatchLimits):
        self._attempt, self._number, self.seat, self._players, self._limits = attempt, number, seat, players, limits
        self.marks: list[int] = []

    def play(self) -> None:
        run, attempt = self._attempt.run, self._attempt
        seats = seats_json(run, self.seat)
        attempt._publish_event(
            {
                "type": "started",
                "match": match_json(run, RunStatus.RUNNING),
                "seats": seats,
                "reader": reader_json(self.seat),
                "game": self._number + 1,
            }
        )
        spec = MatchSpec(
            GAMES[run.game],
            run.settings,
            run.seed + self._number,
            self._limits,
            tuple(SeatSpec(seat["name"], "") for seat in seats),
            public_secret(run.seed + self._number),
        )
        self.result = play_match(spec, self._players, attempt.clock, self._on_event, attempt.stop)

    @property
    def has_failed(self) -> bool:
        """Return whether the draft lost the match because of a fault."""
        return self.result.diagnoses[self.seat] is not None

    @property
    def cannot_start(self) -> bool:
        """Return whether the draft failed before its first turn, so that it would fail in every further match."""
        fault = self.result.diagnoses[self.seat]
        return fault is not None and fault.turn == 0

    @property
    def fault_kinds(self) -> dict[int, str]:
        """Return the kinds of faults by seat, without the reasons, which only the author of each bot may see."""
        return {seat: found.kind.value for seat, found in enumerate(self.result.diagnoses) if found}

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Return the draft's faults in chronological order, with the number of the match in a series."""
        fault = self.result.diagnoses[self.seat]
        match = {"match": self._number + 1} if self._attempt.run.games > 1 else {}
        rejected = [{**one.to_json(), **match, "lost": False} for one in self.result.rejected[self.seat]]
        return [*rejected, *([{**fault.to_json(), **match, "lost": True}] if fault else ())]

    def _on_event(self, event: MatchEvent) -> None:
        if isinstance(event, MatchStarted | TurnPlayed):
            self._attempt.sender.publish(partial(_turn_event, event, self.seat, self._new_output()))

    def _new_output(self) -> str:
        """Return the draft's output since the last turn."""
        player = self._players[self.seat]
        begin, end = self.marks[-1] if self.marks else 0, player.printed_bytes()
        self.marks.append(end)
        return output_between(player.log(), begin, end) if end > begin else ""


def _turn_event(event: MatchStarted | TurnPlayed, seat: int, text: str) -> dict[str, Any]:
    turn = event.to_json(seat)
    return {"type": "turn", "turn": {**turn, "printed": text} if text else turn}
