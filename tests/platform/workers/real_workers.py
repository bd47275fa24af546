"""Real worker processes for tests, with their own database and broker, playing real matches."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.broker import running_broker
from tests.migrated import copy_migrated
from tests.running_site import FOREIGN, ROOT, eventually


class WorkerCluster:
    """A database and a broker for real workers; ``start`` adds a worker, which may simulate a separate machine."""

    def __init__(self, folder: Path, redis_url: str, **variables: str) -> None:
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        self._environment = {
            **kept,
            "DATABASE_URL": f"sqlite:///{folder / 'arena.sqlite3'}",
            "REDIS_URL": redis_url,
            "ARENA_VAR": str(folder / "first"),
            "DJANGO_SETTINGS_MODULE": "arena.settings",
            **variables,
        }
        self._workers: list[RealWorker] = []
        copy_migrated(folder)

    def manage(self, *arguments: str) -> str:
        return self.run(sys.executable, "manage.py", *arguments)

    def run(self, *command: str) -> str:
        """Run a command on the first machine and return its output."""
        done = subprocess.run(command, cwd=ROOT, env=self._environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def queue(self, game: str, bot: str, number: int = 1, *, pace: float = 0.0) -> list[int]:
        """Queue matches between copies of a house bot and return their ids."""
        command = (sys.executable, "-m", "tests.platform.workers.queue_matches", game, bot, str(number), str(pace))
        made: list[int] = json.loads(self.run(*command))
        return made

    def start(self, *arguments: str, below: tuple[str, ...] = (), var: str = "first", **variables: str) -> RealWorker:
        """Start a worker with one process.

        ``below``: a command that runs the worker; ``var``: the folder that simulates the disk of the worker's machine.
        """
        environment = {**self._environment, "ARENA_VAR": str(self.folder / var), **variables}
        worker = RealWorker(environment, below, arguments, self.folder / f"worker-{len(self._workers)}.log")
        self._workers.append(worker)
        return worker

    def change(self, statement: str) -> None:
        """Change the database directly, bypassing the application."""
        with closing(sqlite3.connect(self.folder / "arena.sqlite3")) as connection, connection:
            connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run an SQL query on the workers' database; return the rows."""
        with closing(sqlite3.connect(f"file:{self.folder / 'arena.sqlite3'}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def match(self, pk: int) -> tuple[Any, ...]:
        """Return a match's status and number of attempts."""
        return self.rows(f"SELECT status, attempts FROM matches_match WHERE id = {pk}")[0]

    def await_match(self, pk: int, status: str) -> None:
        eventually(lambda: self.match(pk)[0] == status, f"match {pk} is not {status}: {self.match(pk)}")

    def end_workers(self) -> None:
        for worker in self._workers:
            worker.kill()


class RealWorker:
    """A Celery worker, started with the same options as in docker-compose.yml."""

    def __init__(
        self, environment: dict[str, str], below: tuple[str, ...], arguments: tuple[str, ...], log: Path
    ) -> None:
        self._log = log
        command = [
            *below,
            sys.executable,
            "-m",
            "celery",
            "-A",
            "arena.celery",
            "worker",
            "-c",
            "1",
            "-l",
            "INFO",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            *arguments,
        ]
        environment = {**environment, "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [*command, "-n", f"{log.stem}@%h"],
                cwd=ROOT,
                env=environment,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def output(self) -> str:
        return self._log.read_text()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def await_end(self, seconds: float = 60.0) -> int:
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the worker does not end: {self.output()}") from None

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def running_site(**variables: str) -> Iterator[WorkerCluster]:
    with running_broker() as broker, tempfile.TemporaryDirectory(prefix="arena-workers-") as folder:
        site = WorkerCluster(Path(folder), broker.url, **variables)
        try:
            yield site
        finally:
            site.end_workers()
