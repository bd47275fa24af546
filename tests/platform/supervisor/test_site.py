"""The whole site as `make up` starts it: one process tree that starts, recovers and stops together."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from redis import Redis

from arena.platform.supervisor import broker
from tests.running_site import ROOT, TIMEOUT, RunningSite, eventually, free_port, live_processes, run_site

pytestmark = pytest.mark.stack

KINDS = ("control", "mail", "webhooks", "checks", "scrimmages", "hosted", "duels", "matches")
CHILDREN = ("-m uvicorn", *(f"-Q {kind}" for kind in KINDS), " beat ", "valkey")


def write_notes(site: RunningSite, text: str) -> None:
    """Write one note to the database and one to the broker."""
    with closing(sqlite3.connect(site.var / "arena.sqlite3")) as database, database:
        database.execute("CREATE TABLE note (text)")
        database.execute("INSERT INTO note VALUES (?)", [text])
    with Redis.from_url(broker.broker_url(site.var)) as client:
        client.set("note", text)


def read_notes(site: RunningSite) -> str:
    """Return the text of the two notes if they are the same, otherwise ""."""
    with closing(sqlite3.connect(site.var / "arena.sqlite3")) as database:
        ((stored,),) = database.execute("SELECT text FROM note").fetchall()
    with Redis.from_url(broker.broker_url(site.var), decode_responses=True) as client:
        return str(stored) if client.get("note") == stored else ""


def listening_ports(pids: set[int]) -> set[int]:
    """Return the TCP ports on which these processes listen, from /proc (state 0A is LISTEN)."""
    sockets = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(OSError):
                sockets.add(str(descriptor.readlink()))
    rows = [
        line.split()
        for table in ("tcp", "tcp6")
        if Path(f"/proc/net/{table}").exists()
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
    ]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets}


@pytest.fixture
def site() -> Iterator[RunningSite]:
    """Yield a running site without seed content, because these tests only look at processes."""
    with run_site(seeded=False, WORKER_CONCURRENCY="2") as running:
        yield running


def test_site_recovers_keeps_its_data_and_stops_as_one(site: RunningSite) -> None:
    assert site.answers()
    eventually(lambda: all(site.child(part) for part in CHILDREN), "a child is missing")

    assert listening_ports(site.tree()) == {site.port}

    second = site.start(free_port(), "second")
    assert second.wait(timeout=TIMEOUT) == 1
    assert str(site.var) in site.output("second")

    before = {part: site.child(part) for part in CHILDREN}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    for part, pid in before.items():
        eventually(lambda part=part, pid=pid: site.child(part) not in {0, pid}, f"{part} is not started again")
    eventually(site.answers, "the site does not answer again")

    write_notes(site, "kept")
    site.stop()

    site.process = site.start(site.port)
    site.await_start()
    assert read_notes(site) == "kept"


def test_killed_supervisor_leaves_nothing_running(site: RunningSite) -> None:
    everybody = len(CHILDREN) + 1 + 1 + 2 + 2 + 1 + 4 + 2  # plus the pool processes of the workers
    eventually(lambda: len(site.tree()) >= everybody, "a process is missing")
    pids = site.tree()
    site.process.kill()
    site.process.wait()
    eventually(lambda: not pids & live_processes().keys(), "processes are left")


def test_busy_port_is_reported_briefly_and_changes_nothing(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        environment = {**os.environ, "ARENA_VAR": str(tmp_path), "PORT": str(other.getsockname()[1])}
        result = subprocess.run(
            [sys.executable, "-m", "arena.platform.supervisor"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "make up PORT=" in result.stderr
    assert "Traceback" not in result.stderr
