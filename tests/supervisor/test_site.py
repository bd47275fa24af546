"""The whole site, started as `make up` starts it: one process tree that comes, heals and goes as one."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from redis import Redis

from arena.supervisor import broker

pytestmark = pytest.mark.stack

ROOT = Path(__file__).resolve().parents[2]
CHILDREN = ("-m uvicorn", "-Q control", "-Q interactive", "-Q matches", " beat ", "valkey")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(condition: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def living() -> dict[int, int]:
    """Every process of this machine that has not ended, and its parent."""
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
    """A supervisor and the tree below it; everything lives in ``var``."""

    def __init__(self, var: Path, port: int) -> None:
        self.var, self.port = var, port
        (var / "seeded").touch()  # no first content: this is about processes
        self.process = self.start(port)

    def await_start(self) -> None:
        eventually(lambda: "The arena runs at" in self.output() or self.process.poll() is not None, "no start")
        assert self.process.poll() is None, self.output()

    def start(self, port: int, name: str = "output") -> subprocess.Popen[bytes]:
        environment = {**os.environ, "ARENA_VAR": str(self.var), "PORT": str(port), "WORKER_CONCURRENCY": "2"}
        for variable in ("DEBUG", "REDIS_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
            environment.pop(variable, None)
        with (self.var / name).open("wb") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "arena.supervisor"], cwd=ROOT, env=environment, stdout=file, stderr=file
            )

    def output(self, name: str = "output") -> str:
        return (self.var / name).read_text()

    def tree(self) -> set[int]:
        """The supervisor's living descendants."""
        parents = living()
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {self.process.pid}

    def child(self, part: str) -> int:
        """The supervisor's child whose command line holds ``part``; 0 if there is none."""
        children = [pid for pid, parent in living().items() if parent == self.process.pid]
        return next((pid for pid in children if part in command_line(pid)), 0)

    def keep_notes(self, text: str) -> None:
        """Leave a note in the database and one with the broker."""
        with closing(sqlite3.connect(self.var / "arena.sqlite3")) as database, database:
            database.execute("CREATE TABLE note (text)")
            database.execute("INSERT INTO note VALUES (?)", [text])
        with Redis.from_url(broker.url(self.var)) as client:
            client.set("note", text)

    def kept_notes(self) -> str:
        """What both notes say; "" where they differ."""
        with closing(sqlite3.connect(self.var / "arena.sqlite3")) as database:
            ((stored,),) = database.execute("SELECT text FROM note").fetchall()
        with Redis.from_url(broker.url(self.var), decode_responses=True) as client:
            return str(stored) if client.get("note") == stored else ""

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/i18n/catalog.js", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@pytest.fixture
def site() -> Iterator[RunningSite]:
    with tempfile.TemporaryDirectory(prefix="arena-site-") as folder:
        running = RunningSite(Path(folder), free_port())
        try:
            running.await_start()
            yield running
        finally:
            running.process.kill()
            running.process.wait()


def test_it_heals_keeps_its_data_and_goes_as_one(site: RunningSite) -> None:
    assert site.answers()
    eventually(lambda: all(site.child(part) for part in CHILDREN), "a child is missing")

    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=False).stdout
    marks = [f"pid={pid}," for pid in site.tree()]
    ports = {line.split()[3] for line in listening.splitlines() if any(mark in line for mark in marks)}
    assert ports <= {f"127.0.0.1:{site.port}"}

    second = site.start(free_port(), "second")
    assert second.wait(timeout=20) == 1
    assert "already runs from" in site.output("second")

    before = {part: site.child(part) for part in CHILDREN}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    for part, pid in before.items():
        eventually(lambda part=part, pid=pid: site.child(part) not in {0, pid}, f"{part} is not started again")
    eventually(site.answers, "the site does not answer again")

    site.keep_notes("kept")
    pids = site.tree()
    began = time.monotonic()
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(timeout=10) == 0
    assert time.monotonic() - began < 5
    assert not pids & living().keys()

    site.process = site.start(site.port)
    site.await_start()
    assert site.kept_notes() == "kept"


def test_a_killed_supervisor_leaves_nothing(site: RunningSite) -> None:
    everybody = len(CHILDREN) + 1 + 2 + 2  # the pools of the three workers
    eventually(lambda: len(site.tree()) >= everybody, "a process is missing")
    pids = site.tree()
    site.process.kill()
    site.process.wait()
    eventually(lambda: not pids & living().keys(), "processes are left", seconds=5)


def test_a_busy_port_is_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        environment = {**os.environ, "ARENA_VAR": str(tmp_path), "PORT": str(other.getsockname()[1])}
        result = subprocess.run(
            [sys.executable, "-m", "arena.supervisor"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "make up PORT=" in result.stderr
    assert "Traceback" not in result.stderr
