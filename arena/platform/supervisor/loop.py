"""Run the supervisor's event loop: forward output, supervise children, handle signals.

Invariants: a signal takes effect between two iterations of the loop, never in the middle of one; however ``run`` ends,
no children or descendants are left behind; a stop takes less than 5 s.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

from arena.platform.parent_death import become_subreaper
from arena.platform.supervisor.launcher import SystemLauncher, allow_many_sockets, kill_orphans
from arena.platform.supervisor.options import StartupError
from arena.platform.supervisor.output import Output
from arena.platform.supervisor.processes import ChildSpec, Supervision

TICK_SECONDS = 0.1
ORPHANS_SECONDS = 2.0
MAX_STOP_SECONDS = 4.6
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):  # noqa: N818 - an event, not an error
    """Raised when a signal requests a stop."""


class Loop:
    """The loop that runs children with working directory ``root`` until a stop signal.

    Create only one per process, because ``run`` makes the process a subreaper and installs its signal handlers.
    """

    def __init__(self, root: Path, output: Output, say: Callable[[str], None]) -> None:
        self._output, self._say = output, say
        self._launcher = SystemLauncher(root, output.attach)
        self._supervision = Supervision(launcher=self._launcher, clock=time.monotonic, say=say)
        self._stop_asked = False
        self._orphans_due = 0.0

    def run(self, start: Callable[[Loop], None]) -> None:
        """Call ``start``, then supervise the children that it added; an exception stops all of them and propagates."""
        become_subreaper()
        allow_many_sockets()
        self._install_signal_handlers()
        try:
            start(self)
            while True:
                self._run_iteration()
        except StopRequested:
            self._say("stopping")
        finally:
            self._end_children()

    def load(self, module: str, environment: Mapping[str, str]) -> None:
        """Import the code of child processes that can be forked; propagate any exception from the import."""
        self._launcher.load(module, environment)

    def add(self, spec: ChildSpec) -> None:
        """Start a child in the next iteration, and restart it whenever it exits."""
        self._supervision.add(spec)

    def run_step(self, spec: ChildSpec) -> int:
        """Run a command to completion and return its exit code; the children keep running in the meantime."""
        step = self._launcher.start(spec)
        while (code := step.poll()) is None:
            self._run_iteration()
        self._output.pump(0)
        return code

    def wait_until(self, ready: Callable[[], bool], seconds: float, refusal: str) -> None:
        """Run the loop until ``ready()`` is true; raises StartupError(``refusal``) after ``seconds``."""
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                raise StartupError(refusal)
            self._run_iteration()

    def _install_signal_handlers(self) -> None:
        # The descriptor wakes the loop immediately, wherever it is waiting.
        wake, wake_writer = os.pipe()
        os.set_blocking(wake_writer, False)
        self._output.watch(wake)
        signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop_asked = True

    def _run_iteration(self) -> None:
        """Wait briefly for output or a signal, then act on what is due."""
        if self._stop_asked:
            raise StopRequested
        self._output.pump(TICK_SECONDS)
        self._supervision.tick()
        if time.monotonic() >= self._orphans_due:
            self._orphans_due = time.monotonic() + ORPHANS_SECONDS
            kill_orphans(spared=self._launcher.pids())

    def _end_children(self) -> None:
        """Stop every child according to its escalation, then kill all other descendants."""
        self._supervision.begin_stop()
        deadline = time.monotonic() + MAX_STOP_SECONDS
        while not self._supervision.is_done and time.monotonic() < deadline:
            self._supervision.tick()
            self._output.pump(TICK_SECONDS / 2)
        kill_orphans()
