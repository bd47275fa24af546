"""A real broker for tests: the one that the site embeds, in a folder of its own."""

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
    """Starts, kills and forgets."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return broker.url(self._folder)

    def start(self) -> None:
        """Start it, with what it kept; returns when it answers."""
        command = broker.command(broker.find_server(), self._folder)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)
        deadline = time.monotonic() + 120
        while not broker.answers(broker.socket_path(self._folder)):
            assert time.monotonic() < deadline, "the broker does not start"
            time.sleep(0.02)

    def kill(self, *, forget: bool = False) -> None:
        """End it the hard way; with ``forget`` its data are gone too."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if forget:
            for path in sorted((self._folder / "broker").rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()


@contextmanager
def running_broker() -> Iterator[EmbeddedBroker]:
    """A broker for the length of the block. Its path is short: Unix sockets want that."""
    with tempfile.TemporaryDirectory(prefix="arena-broker-") as folder:
        server = EmbeddedBroker(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
