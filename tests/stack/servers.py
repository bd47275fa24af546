"""PostgreSQL and Redis for tests, in temporary folders and on free local ports.

PostgreSQL refuses to run as root; its package creates a separate user, which tests use too.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import redis

from tests.running_site import eventually, free_port

POSTGRESQL_FOLDERS = "/usr/lib/postgresql/*/bin"  # where Debian's package installs programs that are not on the PATH
POSTGRESQL_USER = "postgres"


def program(name: str) -> str:
    """Return the path of a server's program; fail if it is not installed."""
    folders = sorted(Path("/").glob(POSTGRESQL_FOLDERS.lstrip("/")), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, folders)]))
    assert found, f"{name} is missing: make servers"
    return found


class _Server:
    """A process that can be started, killed and restarted on the same data and port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(self.command(), stdout=output, stderr=output, **self.identity)
        eventually(self.answers, f"{self.command()[0]} does not start; see {self.folder}")

    def end(self, number: signal.Signals) -> None:
        """Send a signal and wait until the process has ended."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(timeout=120)
            self._process = None

    @property
    def identity(self) -> dict[str, Any]:
        """Return the Popen arguments that select the process's user; by default, the user who runs the tests."""
        return {}

    def answers(self) -> bool:
        raise NotImplementedError


class Redis(_Server):
    """A Redis server that persists acknowledged writes, as in production."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        place = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)]
        return [program("redis-server"), *place, "--appendonly", "yes", "--save", ""]

    def answers(self) -> bool:
        with redis.Redis.from_url(self.url) as client, suppress(redis.RedisError):
            return bool(client.ping())
        return False


class PostgreSQL(_Server):
    """A PostgreSQL server; ``url`` opens the database ``postgres`` as the superuser ``arena``."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if "user" in self.identity:
            shutil.chown(folder, POSTGRESQL_USER)
        initialize = ["-D", self._data, "-U", "arena", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([program("initdb"), *initialize], check=True, capture_output=True, cwd="/", **self.identity)

    @property
    def url(self) -> str:
        return f"postgres://arena@127.0.0.1:{self.port}/postgres"

    @property
    def identity(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        return {"user": POSTGRESQL_USER, "group": POSTGRESQL_USER, "extra_groups": []}

    def command(self) -> list[str]:
        # Without fsync, data is only lost if the machine crashes, not if the server is killed.
        options = ["fsync=off", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}"]
        return [
            program("postgres"),
            *("-D", self._data, "-p", str(self.port)),
            *(part for option in options for part in ("-c", option)),
        ]

    def answers(self) -> bool:
        """Return whether a client can log in: a server in recovery accepts connections but refuses clients."""
        with suppress(psycopg.OperationalError):
            psycopg.connect(self.url, connect_timeout=2).close()
            return True
        return False

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def crash(self) -> None:
        """Shut down immediately: every connection breaks, and the next start recovers from the log."""
        self.end(signal.SIGQUIT)


@contextmanager
def running_servers() -> Iterator[tuple[PostgreSQL, Redis]]:
    """Run PostgreSQL and Redis for the duration of the block."""
    with (
        tempfile.TemporaryDirectory(prefix="arena-postgresql-", ignore_cleanup_errors=True) as first,
        tempfile.TemporaryDirectory(prefix="arena-redis-") as second,
    ):
        database, broker = PostgreSQL(Path(first)), Redis(Path(second))
        try:
            database.start()
            broker.start()
            yield database, broker
        finally:
            database.crash()
            broker.end(signal.SIGKILL)
