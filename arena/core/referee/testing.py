"""Players that follow a script, for tests that need no processes and never sleep.

Use them with ``clock.FakeClock``: time passes only while the referee waits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee.clock import Clock
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.person import PersonPlayer
from arena.core.referee.players import PlayerExit, PlayerGone, restart_line
from arena.games.base import Json

NEVER = float("inf")
SCRIPTED_FAILURE = "The sandbox is broken."


@dataclass(frozen=True, slots=True)
class ScriptedUsage:
    """The CPU usage that a scripted turn reports, with the same fields as ``fair_time.Usage``."""

    cpu: float
    runnable_wait: float
    late: float = 0.0


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """The scripted answer to one ``move`` or ``again`` request.

    ``takes``: seconds of wall time until the answer, of which ``waits`` are spent waiting for a core; ``cpu``: CPU
    seconds, ``takes - waits`` if None. ``raw``: bytes to send instead of a valid message. ``ends``: how the process
    ends instead of answering. ``prints``: output before the answer or the end.
    """

    answer: Json = None
    takes: float = 0.0
    waits: float = 0.0
    cpu: float | None = None
    raw: bytes | None = None
    failed: dict[str, Json] | None = None
    ends: PlayerExit | None = None
    prints: bytes = b""


class ScriptedPlayer:
    """A player that answers from ``turns``, and after the last of them with the result of ``then(request)``.

    ``start``: the answers to the requests before turn 1, keyed by kind; ``again``: the answers for each later start.
    ``breaks``: whether the first start fails, as if the sandbox were broken; ``breaks_again``: whether a restart fails
    in this way.
    """

    def __init__(
        self,
        clock: Clock,
        turns: Iterable[ScriptedTurn] = (),
        then: Callable[[Json], ScriptedTurn] | None = None,
        start: dict[str, ScriptedTurn] | None = None,
        breaks: bool = False,
        printed: bytes = b"",
        again: Iterable[dict[str, ScriptedTurn]] = (),
        breaks_again: bool = False,
    ) -> None:
        self.folder: Path | None = None
        self.ready_at = NEVER
        self.requests: list[Json] = []
        self.closed = 0
        self.starts = 0
        self.resting = True
        self._again = iter(again)
        self._breaks_again = breaks_again
        self._clock = clock
        self._turns = iter(turns)
        self._then = then
        self._start = start or {}
        self._breaks = breaks
        self._printed = printed
        self._turn = ScriptedTurn()
        self._move: Json = None
        self._asked_at = 0.0
        self._cpu = 0.0
        self._waited = 0.0

    def start(self) -> None:
        if self._breaks:
            raise RefereeFailure(SCRIPTED_FAILURE)
        self.starts += 1

    def restart(self) -> None:
        if self._breaks_again:
            raise RefereeFailure(SCRIPTED_FAILURE)
        self.starts += 1
        self._start = next(self._again, {})
        self._cpu = self._waited = 0.0
        self._printed += restart_line(self._printed, self.starts)

    def fileno(self) -> int | None:
        return None

    def ask(self, payload: bytes) -> None:
        request = json.loads(payload)
        self.requests.append(request)
        self._turn = self._script(request)
        self.resting = False
        self._asked_at = self._clock.now()
        self.ready_at = self._asked_at + self._turn.takes

    def receive(self) -> bytes | None:
        if self._clock.now() < self.ready_at:
            return None
        self._printed += self._turn.prints
        if self._turn.ends:
            raise PlayerGone(self._turn.ends)
        return self._turn.raw if self._turn.raw is not None else self._reply()

    def suspend(self) -> None:
        usage = self.usage()
        self._cpu, self._waited = usage.cpu, usage.runnable_wait
        self.resting = True
        self.ready_at = NEVER

    def usage(self) -> ScriptedUsage:
        """Return the usage, which grows while the bot thinks: first it waits for a core, then it computes."""
        if self.resting:
            return ScriptedUsage(self._cpu, self._waited)
        passed = self._clock.now() - self._asked_at
        waited = min(passed, self._turn.waits)
        cpu = passed - waited
        if self._turn.cpu is not None:
            cpu = self._turn.cpu if self._clock.now() >= self.ready_at else 0.0
        return ScriptedUsage(self._cpu + cpu, self._waited + waited)

    def close(self) -> None:
        self.closed += 1

    def log(self) -> bytes:
        return self._printed

    def printed_bytes(self) -> int:
        return len(self._printed)

    def _script(self, request: Json) -> ScriptedTurn:
        if request["do"] not in ("move", "again"):
            return self._start.get(request["do"], ScriptedTurn())
        if request["do"] == "move":
            self._move = request
        turn = next(self._turns, None)
        if turn is None:
            if self._then is None:
                raise AssertionError(f"the script has no answer to {request}")
            turn = self._then(self._move)
        return turn

    def _reply(self) -> bytes:
        request = self.requests[-1]
        if self._turn.failed is not None:
            fields: dict[str, Json] = {"t": "failed", **self._turn.failed}
        elif request["do"] in ("move", "again"):
            fields = {"t": "answer", "value": self._turn.answer}
        else:
            fields = {"t": "done"}
        return json.dumps({**fields, "nonce": request["nonce"]}).encode()


class ScriptedInbox:
    """An inbox with scripted answers, each with the seconds it takes; after the last answer nothing arrives."""

    def __init__(self, clock: Clock, answers: Iterable[tuple[Json, float]]) -> None:
        self.opened = 0
        self.closed = 0
        self.ready_at = NEVER
        self._clock = clock
        self._answers = iter(answers)
        self._answer: Json = None

    def open_request(self) -> None:
        self.opened += 1
        self._answer, takes = next(self._answers, (None, NEVER))
        self.ready_at = self._clock.now() + takes

    def take_answer(self) -> Json:
        return self._answer if self._clock.now() >= self.ready_at else None

    def fileno(self) -> int | None:
        return None

    def close(self) -> None:
        self.closed += 1


class ScriptedPerson(PersonPlayer):
    """A person with a scripted inbox, for ``clock.FakeClock``."""

    def __init__(self, inbox: ScriptedInbox) -> None:
        super().__init__(inbox)
        self._inbox = inbox

    @property
    def ready_at(self) -> float:
        return self._inbox.ready_at if self._asked else 0.0
