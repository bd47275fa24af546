"""A real site for tests, started as ``make up`` does, in its own folder and on its own port."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from arena.games.bot_packages import house_digest, house_folders
from arena.platform.supervisor.prepare import seeded_marker
from tests.bundle import bundle_once
from tests.migrated import copy_migrated

ROOT = Path(__file__).resolve().parents[1]
# Variables that a developer's shell may set but a fresh site does not have.
FOREIGN = (
    "DEBUG",
    "REDIS_URL",
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",
    "ARENA_ENV",
    "BIND",
    "WORKER_CONCURRENCY",
)
TIMEOUT = 180.0  # seconds; generous for busy machines


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(condition: Callable[[], bool], what: str, seconds: float = TIMEOUT) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def live_processes() -> dict[int, int]:
    """Map every live process on this machine to its parent."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(") ")[2].split()[:2]
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def command_line(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


class RunningSite:
    """A supervisor and its process tree.

    Data is stored in ``var``; output goes to ``said``, which defaults to ``var``.
    """

    def __init__(self, var: Path, port: int, *, said: Path | None = None, **variables: str) -> None:
        self.var, self.port, self._said, self._variables = var, port, said or var, variables
        bundle_once()
        self.process = self.start(port)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, port: int, name: str = "output") -> subprocess.Popen[bytes]:
        """Start a supervisor on this site's data; its output goes to the file ``name``."""
        with (self._said / name).open("wb") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "arena.platform.supervisor"],
                cwd=ROOT,
                env={**self.environment(), "PORT": str(port)},
                stdout=file,
                stderr=file,
            )

    def await_start(self) -> None:
        eventually(lambda: "The arena runs at" in self.output() or self.process.poll() is not None, "no start", 300.0)
        assert self.process.poll() is None, self.output()

    def stop(self) -> None:
        """Stop the site with SIGTERM and check that no process is left."""
        pids = self.tree()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=TIMEOUT) == 0, self.output()
        assert not pids & live_processes().keys()

    def output(self, name: str = "output") -> str:
        return (self._said / name).read_text()

    def manage(self, *arguments: str) -> str:
        """Run ``manage.py`` on this site's data and return its output."""
        command = [sys.executable, "manage.py", *arguments]
        ended = subprocess.run(command, cwd=ROOT, env=self.environment(), capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def tree(self) -> set[int]:
        """Return the pids of the supervisor's live descendants."""
        parents = live_processes()
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {self.process.pid}

    def child(self, part: str) -> int:
        """Return the pid of the supervisor's child whose command line contains ``part``, or 0."""
        children = [pid for pid, parent in live_processes().items() if parent == self.process.pid]
        return next((pid for pid in children if part in command_line(pid)), 0)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/i18n/catalog.js", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def json(self, path: str) -> Any:
        """Fetch JSON from ``path`` directly, without a browser."""
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as answer:
            return json.load(answer)

    def environment(self) -> dict[str, str]:
        """Return the environment of the site's processes."""
        kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        # The ladder and automatic analyses would take the cores from the tests.
        idle = {"LADDER": "off", "LOSSES_ANALYSED_A_DAY": "0"}
        return {**kept, **idle, **self._variables, "ARENA_VAR": str(self.var)}


def leave_unseeded(var: Path, variables: Mapping[str, str]) -> None:
    """Prepare ``var`` so that the site skips seeding its initial content and house bots.

    Also create the migrated tables, unless DATABASE_URL is set.
    """
    if "DATABASE_URL" not in variables:
        copy_migrated(var)
    (var / seeded_marker(variables.get("DATABASE_URL", ""))).write_text(_house_digest(variables))


def _house_digest(variables: Mapping[str, str]) -> str:
    if "EXTRA_GAMES" not in variables:
        return house_digest(house_folders().values())
    # This process has registered other games.
    digest = "from arena.games.bot_packages import *; print(house_digest(house_folders().values()), end='')"
    command = [sys.executable, "-c", digest]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=True
    ).stdout


@contextmanager
def run_site(*, seeded: bool, **variables: str) -> Iterator[RunningSite]:
    """Run a site with these environment variables; ``seeded``: whether it has its initial content.

    The site's folder has a short path, because the length of Unix socket paths is limited.
    """
    with tempfile.TemporaryDirectory(prefix="arena-site-") as folder:
        if not seeded:
            leave_unseeded(Path(folder), variables)
        running = RunningSite(Path(folder), free_port(), said=None, **variables)
        try:
            running.await_start()
            yield running
        finally:
            running.process.kill()
            running.process.wait()
