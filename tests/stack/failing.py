"""Run the site on one of its two stacks, and make its parts fail.

A stack consists of the site as ``make up`` starts it, but with leases of seconds instead of tens of seconds; a helper
process with the site's code, which the tests control; and an organizer's session. The site's data is on a separate disk
that can be filled, and its processes read a clock that can be stepped.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from arena.platform.supervisor import broker as embedded
from tests.running_site import ROOT, RunningSite, command_line, eventually, free_port, leave_unseeded, live_processes
from tests.stack.person import SiteUser
from tests.stack.servers import PostgreSQL, Redis, running_servers

BOT = Path(__file__).parent / "bots" / "hasty.py"
STEPPED_CLOCK = ROOT / "build" / "stepped-clock.so"
PASSWORD = "much-longer-than-needed-7"
LEASE_SECONDS = 5.0
SHORT_LEASES = {"LEASE_SECONDS": str(LEASE_SECONDS), "VISIBILITY_SECONDS": "5.0"}
MATCHES = 18  # six per worker, so each worker is killed with most of its work ahead
HOUR = 3600
# Everything ends within seconds, but a busy machine may be much slower.
TIMEOUT = 180.0


class SiteShell:
    """A client of the helper process that runs the site's code (see ``site_shell``): ``shell.call(argument=value)``."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stack.site_shell"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda **arguments: self._call(name, arguments)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, arguments]) + "\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], TIMEOUT)
        assert ready, f"{name} does not return"
        answer = json.loads(self._process.stdout.readline())
        assert "raised" not in answer, answer["raised"]
        return answer["returned"]


class Stack:
    """A running site.

    ``servers`` is None if the site runs on SQLite and its own broker; ``clock`` is None if it uses the system clock.
    """

    def __init__(
        self, site: RunningSite, servers: tuple[PostgreSQL, Redis] | None = None, clock: Path | None = None
    ) -> None:
        self.site, self.servers, self._clock = site, servers, clock
        self.shell = SiteShell(self._environment())
        self.organizer = SiteUser(site.address)
        self.bots: list[int] = []

    def populate(self, organizer: str = "olga", *, bots: int = 4) -> None:
        """Create an organizer and bots, each of which wins as black and loses as white."""
        self.shell.organizer(name=organizer, password=PASSWORD)
        self.organizer.sign_in(organizer, PASSWORD)
        self.bots = self.upload(*(f"Hasty {number + 1}" for number in range(bots)))

    def upload(self, *names: str) -> list[int]:
        """Upload bots with these names and different contents, and wait until they have passed their checks."""
        made = [self.shell.upload(name=name, source=f"{BOT.read_text()}# {name}\n") for name in names]
        eventually(lambda: set(self.shell.checks()) == {"passed"}, f"{names} do not pass", TIMEOUT)
        return made

    # --- tournaments

    def start_cup(self, *, finished: int = 3) -> int:
        """Start a tournament of 18 matches, wait until ``finished`` of them have finished, and return its id."""
        made: int = self.shell.tournament(bots=self.bots, repeats=MATCHES // 6, pace=0.0)
        self.wait_for(lambda: self.shell.progress(tournament=made)["matches"].get("finished", 0) >= finished, made)
        return made

    def start_duel(self, bots: list[int], pace: float) -> tuple[int, int]:
        """Start a tournament of one match, wait until the match is running, and return the ids of both.

        The match takes nine turns of at least ``pace`` seconds each.
        """
        made: int = self.shell.tournament(bots=bots, repeats=1, pace=pace)
        self.wait_for(lambda: len(self.shell.running_matches(tournament=made)) == 1, made)
        return made, self.shell.running_matches(tournament=made)[0]

    def expect_complete(self, tournament: int, matches: int = MATCHES) -> None:
        """Wait until the tournament is finished, and check its matches, records and standings.

        There must be ``matches`` of them, each played and stored exactly once, and the standings must agree with the
        records.
        """
        self.wait_for(lambda: self.shell.progress(tournament=tournament)["status"] == "finished", tournament)
        played, problems = self.shell.progress(tournament=tournament), self.shell.problems(tournament=tournament)
        assert played["matches"] == {"finished": matches}, played
        assert not problems, problems

    def wait_for(self, condition: Callable[[], bool], tournament: int) -> None:
        """Wait until a condition is true; on a timeout, report the state of the tournament."""
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            said = self.site.output()[-4000:]
            assert time.monotonic() < deadline, f"{self.shell.progress(tournament=tournament)}\n{said}"
            time.sleep(0.25)

    # --- what breaks

    def kill(self, *parts: str) -> None:
        """Send SIGKILL to all children of the supervisor whose command lines contain any of ``parts``."""
        children = [pid for pid, parent in live_processes().items() if parent == self.site.process.pid]
        chosen = [pid for pid in children if any(part in command_line(pid) for part in parts)]
        assert chosen, f"no process like {parts}"
        for pid in chosen:
            os.kill(pid, signal.SIGKILL)

    @property
    def name(self) -> str:
        return "SQLite" if self.servers is None else "PostgreSQL"

    @property
    def broker_url(self) -> str:
        return embedded.broker_url(self.site.var) if self.servers is None else self.servers[1].url

    def kill_broker(self) -> None:
        if self.servers is None:
            self.kill("valkey", "redis-server")
        else:
            self.servers[1].end(signal.SIGKILL)

    def start_broker(self) -> None:
        """Start the stack's Redis again; an embedded broker is restarted by the supervisor."""
        if self.servers is not None:
            self.servers[1].start()

    @contextmanager
    def database_outage(self) -> Iterator[None]:
        """Prevent all writes during the block: crash PostgreSQL, or lock SQLite."""
        if self.servers is not None:
            self.servers[0].crash()
            yield
            self.servers[0].start()
        else:
            holder = sqlite3.connect(self.site.var / "arena.sqlite3", isolation_level=None, timeout=TIMEOUT)
            try:
                holder.execute("BEGIN EXCLUSIVE")
                yield
                holder.execute("ROLLBACK")
            finally:
                holder.close()

    def step_clock(self, seconds: int) -> None:
        """Offset the clock of every site process by ``seconds`` from the true time."""
        assert self._clock is not None, "this site reads the true clock"
        with self._clock.open("r+b", buffering=0) as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))
        eventually(lambda: abs(self._clock_offset() - seconds) < HOUR / 2, "the site's clock is not stepped")

    def _clock_offset(self) -> float:
        """Return the offset of the site's clock from that of the tests, in seconds."""
        return parsedate_to_datetime(SiteUser(self.site.address).get("/i18n/catalog.js").date).timestamp() - time.time()

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """Keep the site's disk completely full, even if files on it are deleted."""
        if not self.site.var.is_mount():
            pytest.skip("filling the disk needs permission to mount file systems")
        path, over, full = self.site.var / "filler", threading.Event(), threading.Event()

        def fill_disk() -> None:
            with path.open("wb", buffering=0) as filler:
                while not over.wait(0.001 if full.is_set() else 0):
                    try:
                        filler.write(b"\0" * 65536)
                    except OSError:
                        full.set()

        with ThreadPoolExecutor(1) as threads:
            filling = threads.submit(fill_disk)
            try:
                assert full.wait(TIMEOUT)
                yield
            finally:
                over.set()
                filling.result()
                path.unlink()

    @contextmanager
    def second_beat(self) -> Iterator[None]:
        """Run a second Celery beat alongside the site's own."""
        command = [sys.executable, "-m", "celery", "-A", "arena.celery", "--quiet", "beat", "--pidfile="]
        process = subprocess.Popen(command, cwd=ROOT, env=self._environment(), stderr=subprocess.DEVNULL)
        try:
            yield
            assert process.poll() is None
        finally:
            process.kill()
            process.wait()

    def _environment(self) -> dict[str, str]:
        """Return the environment variables of a process that reads the true clock."""
        known = {name: value for name, value in self.site.environment().items() if name != "LD_PRELOAD"}
        return {"REDIS_URL": self.broker_url, "DJANGO_SETTINGS_MODULE": "arena.settings", **known}


@contextmanager
def running_stack(*, with_servers: bool) -> Iterator[Stack]:
    """Run the site on PostgreSQL and Redis (``with_servers``), or on SQLite and its own broker.

    The site's processes read a clock that tests can step; this needs a compiled library.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-stack-")))
        clock, var = folder / "clock", folder / "var"
        clock.write_bytes(bytes(8))
        var.mkdir()
        stack.enter_context(_mounted_disk(var))
        variables = {"LADDER": "off", **SHORT_LEASES}
        servers = stack.enter_context(running_servers()) if with_servers else None
        if servers is not None:
            variables |= {"DATABASE_URL": servers[0].url, "REDIS_URL": servers[1].url}
        # Unseeded, because the demonstrations would occupy two of the workers.
        leave_unseeded(var, variables)
        variables |= _stepped_clock_variables(clock)
        site = RunningSite(var, free_port(), said=folder, WORKER_CONCURRENCY="3", **variables)
        stack.callback(site.process.wait)
        stack.callback(site.process.kill)
        site.await_start()
        running = Stack(site, servers, clock)
        stack.callback(running.shell.close)
        running.populate()
        yield running
        site.stop()


@contextmanager
def _mounted_disk(folder: Path) -> Iterator[None]:
    """Mount a small file system at ``folder`` if this process is permitted to."""
    command = ["mount", "-t", "tmpfs", "-o", "size=128m,mode=700", "arena-test", str(folder)]
    if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode:
        yield
        return
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _stepped_clock_variables(clock: Path) -> dict[str, str]:
    """Return environment variables that make processes read the time from ``clock`` but measure durations correctly."""
    assert STEPPED_CLOCK.exists(), "the clock to step is missing: make servers"
    return {"LD_PRELOAD": str(STEPPED_CLOCK), "STEPPED_CLOCK": str(clock)}
