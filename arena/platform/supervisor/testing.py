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
    """A fake process that ends on command, or at the first signal to which it responds."""

    def __init__(self, heeds: frozenset[signal.Signals]) -> None:
        self._heeds = heeds
        self._code: int | None = None
        self.signals: list[signal.Signals] = []

    def poll(self) -> int | None:
        return self._code

    def send(self, number: signal.Signals) -> None:
        if self._code is None:
            self.signals.append(number)
            if number in self._heeds:
                self._code = -number

    def end(self, code: int) -> None:
        self._code = code


class FakeLauncher:
    """Starts fake processes.

    ``heeds``: for each name, the signals that end the process; by default SIGTERM and SIGKILL.
    """

    def __init__(self) -> None:
        self.heeds: dict[str, set[signal.Signals]] = {}
        self.fails: set[str] = set()
        self.started: list[tuple[str, FakeProcess]] = []

    def start(self, spec: ChildSpec) -> FakeProcess:
        if spec.name in self.fails:
            raise FileNotFoundError(spec.argv[0])
        heeds = self.heeds.get(spec.name, {signal.SIGTERM}) | {signal.SIGKILL}
        process = FakeProcess(frozenset(heeds))
        self.started.append((spec.name, process))
        return process

    def latest(self, name: str) -> FakeProcess:
        """Return the last process started under ``name``."""
        return next(process for started, process in reversed(self.started) if started == name)

    def count(self, name: str) -> int:
        return sum(started == name for started, _ in self.started)
