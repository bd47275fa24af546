"""Restart children that exit, and stop all children within a time limit.

Invariants:

- A child that dies is restarted with exponential backoff: after 0.5 s, then twice as long each time, at most 30 s;
  after a child has run for a minute, the delay is reset.
- Children are stopped stage by stage, the lowest stage first. Each child gets increasingly forceful signals at the
  times in its escalation, which ends with SIGKILL to its whole group, so stopping takes at most the sum of the stages'
  times.
- Time and processes are injected: the same code runs under a scripted clock and launcher.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

FIRST_DELAY, MAX_DELAY = 0.5, 30.0
# A child that lived this long was healthy, so its next death counts as the first.
HEALTHY_SECONDS = 60.0

Escalation = tuple[tuple[float, signal.Signals], ...]


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """The specification of a child process: how it starts and stops.

    ``escalation``: pairs of the seconds since the stop began and the signal to send then.

    ``copies``: whether the child may be forked from the supervisor (see ``forking``); if so, ``argv`` is a command
    line for this interpreter.
    """

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    escalation: Escalation = ((0.0, signal.SIGTERM), (2.8, signal.SIGKILL))
    stage: int = 0
    copies: bool = False


class RunningProcess(Protocol):
    """A child process that the supervisor has started."""

    def poll(self) -> int | None:
        """Return the exit code (negative: the signal that ended the process), or None while it is running."""
        ...

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process; SIGKILL goes to its whole group. Does nothing once the process has exited."""
        ...


class Launcher(Protocol):
    """A launcher of processes; raises OSError if a process cannot be started."""

    def start(self, spec: ChildSpec) -> RunningProcess: ...


class ChildPhase(StrEnum):
    """A phase in a child's life cycle."""

    WAITING = "waiting"  # will be started at a given time
    UP = "up"
    STOPPING = "stopping"  # signals are being sent
    ENDED = "ended"  # permanently


class Child:
    """The state of one child process."""

    def __init__(self, spec: ChildSpec, now: float) -> None:
        self.spec = spec
        self.phase = ChildPhase.WAITING
        self.running: RunningProcess | None = None
        self.due = now  # WAITING: the next start
        self.since = now  # UP: start time; STOPPING: time of first signal
        self.deaths = 0
        self.sent = 0  # STOPPING: number of escalation signals sent


class Supervision:
    """The child processes launched by one run.

    Call ``tick`` often; call ``begin_stop`` once, then tick until ``is_done``.
    """

    def __init__(self, *, launcher: Launcher, clock: Callable[[], float], say: Callable[[str], None]) -> None:
        self._launcher, self._clock, self._say = launcher, clock, say
        self._children: list[Child] = []
        self._stopping = False

    def add(self, spec: ChildSpec) -> None:
        """Start a child on the next tick, and keep it running."""
        self._children.append(Child(spec, self._clock()))

    @property
    def is_done(self) -> bool:
        return all(child.phase is ChildPhase.ENDED for child in self._children)

    def phases(self) -> dict[str, ChildPhase]:
        return {child.spec.name: child.phase for child in self._children}

    def begin_stop(self) -> None:
        """Begin to stop all children; none of them is restarted."""
        self._stopping = True
        for child in self._children:
            if child.phase is ChildPhase.WAITING:
                child.phase = ChildPhase.ENDED

    def tick(self) -> None:
        """Detect dead children, start children that are due, and send signals that are due."""
        now = self._clock()
        for child in self._children:
            self._notice_exit(child, now)
        if not self._stopping:
            for child in self._children:
                if child.phase is ChildPhase.WAITING and child.due <= now:
                    self._start(child, now)
            return
        alive = [child for child in self._children if child.phase is not ChildPhase.ENDED]
        stage = min((child.spec.stage for child in alive), default=0)
        for child in alive:
            if child.spec.stage == stage:
                self._escalate(child, now)

    def _notice_exit(self, child: Child, now: float) -> None:
        if child.running is None:
            return
        code = child.running.poll()
        if code is None:
            return
        child.running.send_signal(signal.SIGKILL)  # whatever remains of its group
        child.running = None
        if self._stopping:
            child.phase = ChildPhase.ENDED
            return
        self._plan_restart(child, now, f"ended {_exit_text(code)}")

    def _plan_restart(self, child: Child, now: float, reason: str) -> None:
        if child.phase is ChildPhase.UP and now - child.since >= HEALTHY_SECONDS:
            child.deaths = 0
        delay = min(MAX_DELAY, FIRST_DELAY * 2**child.deaths)
        child.deaths += 1
        child.phase, child.due = ChildPhase.WAITING, now + delay
        self._say(f"{child.spec.name} {reason}; it restarts in {delay:g} s")

    def _start(self, child: Child, now: float) -> None:
        try:
            child.running = self._launcher.start(child.spec)
        except OSError as error:
            self._plan_restart(child, now, f"could not start: {error}")
            return
        child.phase, child.since = ChildPhase.UP, now

    def _escalate(self, child: Child, now: float) -> None:
        if child.phase is ChildPhase.UP:
            child.phase, child.since = ChildPhase.STOPPING, now
        for after, number in child.spec.escalation[child.sent :]:
            if now - child.since < after:
                break
            child.sent += 1
            if child.running is not None:
                child.running.send_signal(number)


def _exit_text(code: int) -> str:
    if code >= 0:
        return f"with code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"
