"""PostgreSQL and Redis of a test's own: in a folder that goes with it, on free ports of this machine.

PostgreSQL refuses to run as root; its package makes a user for it, who runs it here, too.
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

POSTGRESQL_FOLDERS = "/usr/lib/postgresql/*/bin"  # where Debian's package puts what is not for the PATH
POSTGRESQL_USER = "postgres"


def program(name: str) -> str:
    """Where a server's program is; the tests cannot run without."""
    folders = sorted(Path("/").glob(POSTGRESQL_FOLDERS.lstrip("/")), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, folders)]))
    assert found, f"{name} is missing: make servers"
    return found


class _Server:
    """A process that is started, killed and started again on the same data and port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        """Start it; returns when it answers."""
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(self.command(), stdout=output, stderr=output, **self.identity)
        eventually(self.answers, f"{self.command()[0]} does not start; see {self.folder}")

    def end(self, number: signal.Signals) -> None:
        """End it by a signal, and wait until it is gone."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(timeout=120)
            self._process = None

    @property
    def identity(self) -> dict[str, Any]:
        """Whose process it is: ours."""
        return {}

    def answers(self) -> bool:
        raise NotImplementedError


class Redis(_Server):
    """Keeps what it acknowledged, as an operator would have it."""

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
    """A cluster with one database, ``arena``."""

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
        # Without fsync it loses nothing when it is killed, only when the machine is.
        options = ["fsync=off", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}"]
        return [
            program("postgres"),
            *("-D", self._data, "-p", str(self.port)),
            *(part for option in options for part in ("-c", option)),
        ]

    def answers(self) -> bool:
        """One that recovers from its log takes connections, and refuses them."""
        with suppress(psycopg.OperationalError):
            psycopg.connect(self.url, connect_timeout=2).close()
            return True
        return False

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def crash(self) -> None:
        """An immediate shutdown: every connection breaks, the next start recovers from the log."""
        self.end(signal.SIGQUIT)


@contextmanager
def running_servers() -> Iterator[tuple[PostgreSQL, Redis]]:
    """Both, for the length of the block."""
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
