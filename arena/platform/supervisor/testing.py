"""A scripted clock and launcher for testing supervision."""

from __future__ import annotations

import signal

from arena.platform.supervisor.processes import ChildSpec


class ManualClock:
    """A clock that is advanced manually."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class FakeProcess:
    """A fake process that exits on command, or at the first signal to which it responds."""

    def __init__(self, handled_signals: frozenset[signal.Signals]) -> None:
        self._handled_signals = handled_signals
        self._code: int | None = None
        self.signals: list[signal.Signals] = []

    def poll(self) -> int | None:
        return self._code

    def send_signal(self, number: signal.Signals) -> None:
        if self._code is None:
            self.signals.append(number)
            if number in self._handled_signals:
                self._code = -number

    def exit(self, code: int) -> None:
        self._code = code


class FakeLauncher:
    """A launcher that starts fake processes.

    ``handled_signals``: by process name, the signals that stop the process besides SIGKILL; SIGTERM by default.
    """

    def __init__(self) -> None:
        self.handled_signals: dict[str, set[signal.Signals]] = {}
        self.fails: set[str] = set()
        self.started: list[tuple[str, FakeProcess]] = []

    def start(self, spec: ChildSpec) -> FakeProcess:
        if spec.name in self.fails:
            raise FileNotFoundError(spec.argv[0])
        handled_signals = self.handled_signals.get(spec.name, {signal.SIGTERM}) | {signal.SIGKILL}
        process = FakeProcess(frozenset(handled_signals))
        self.started.append((spec.name, process))
        return process

    def latest_process(self, name: str) -> FakeProcess:
        """Return the last process started under ``name``."""
        return next(process for started, process in reversed(self.started) if started == name)

    def count_starts(self, name: str) -> int:
        return sum(started == name for started, _ in self.started)
