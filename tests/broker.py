"""A real broker for tests: the site's embedded broker in a temporary folder."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.platform.parent_death import die_with_parent
from arena.platform.supervisor import broker


class EmbeddedBroker:
    """An embedded broker that tests can start and kill, with or without losing its data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return broker.broker_url(self._folder)

    def start(self) -> None:
        """Start the broker with its saved data; return once it responds."""
        command = broker.broker_command(broker.find_server(), self._folder)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)
        deadline = time.monotonic() + 120
        while not broker.is_responding(broker.socket_path(self._folder)):
            assert time.monotonic() < deadline, "the broker does not start"
            time.sleep(0.02)

    def kill(self, *, delete_data: bool = False) -> None:
        """Kill the process; with ``delete_data``, delete its data too."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if delete_data:
            for path in sorted((self._folder / "broker").rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()


@contextmanager
def running_broker() -> Iterator[EmbeddedBroker]:
    """Yield a running broker. Its folder has a short path, because the length of Unix socket paths is limited."""
    with tempfile.TemporaryDirectory(prefix="arena-broker-") as folder:
        server = EmbeddedBroker(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
