"""Processes exit in order: no process outlives its worker, and no bot outlives its fork server."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.errors import SandboxFailure
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_log import BotLog
from arena.core.sandbox.supervision.exits import ExitReason
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import ByMode, jailed_bot, value_for_mode

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[4]
TIMEOUT = 60.0  # seconds, generous for busy machines


@dataclass
class Family:
    worker: subprocess.Popen[str]
    server: int
    pidfds: list[int]

    def all_gone(self) -> bool:
        for pidfd in self.pidfds:
            poller = select.poll()
            poller.register(pidfd, select.POLLIN)
            if not poller.poll(TIMEOUT * 1000):
                return False
        return True


@contextmanager
def family(scratch: Path, mode: Mode, bots: int, *arguments: str) -> Iterator[Family]:
    command = [sys.executable, "-m", "tests.core.sandbox.worker", str(bots), mode, *arguments]
    environment = {**os.environ, "TMPDIR": str(scratch)}  # the worker has no chance to clean up
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as worker:
        assert worker.stdout is not None
        processes = json.loads(worker.stdout.readline())
        pidfds = [os.pidfd_open(process) for process in (processes["server"], *processes["all"])]
        try:
            yield Family(worker, processes["server"], pidfds)
        finally:
            worker.kill()
            for pidfd in pidfds:
                os.close(pidfd)


@pytest.mark.long
@pytest.mark.parametrize("started_by", ["main thread", "thread"])
def test_nothing_outlives_a_killed_worker(config: SandboxConfig, public_path: Path, started_by: str) -> None:
    mode = config.mode.effective_mode
    with family(public_path, mode, 8, *(["thread"] if started_by == "thread" else [])) as relatives:
        assert len(relatives.pidfds) == value_for_mode(mode, ByMode(2, 1)) + 8, "the server's processes and eight bots"
        relatives.worker.kill()
        assert relatives.all_gone()


@pytest.mark.long
def test_nothing_outlives_a_killed_fork_server(config: SandboxConfig, public_path: Path) -> None:
    with family(public_path, config.mode.effective_mode, 8) as relatives:
        os.kill(relatives.server, signal.SIGKILL)
        assert relatives.all_gone()


@pytest.mark.long
def test_killed_fork_server_is_an_arena_failure(config: SandboxConfig) -> None:
    with ForkServer(config) as server, jailed_bot(server, "send('on')\nsignal.pause()") as bot:
        bot.receive()
        assert server.server_id is not None
        ended = os.pidfd_open(server.server_id)
        os.kill(server.server_id, signal.SIGKILL)
        with pytest.raises(SandboxFailure) as seen:
            bot.wait_for_exit()
        assert seen.value.message.code == "sandbox.server.exited"
        with pytest.raises(SandboxFailure), jailed_bot(server, ""):
            pass
        select.select([ended], [], [])  # its sockets close a moment before the process exits
        os.close(ended)
        assert not server.alive


@pytest.mark.long
def test_closing_the_server_ends_its_bots(config: SandboxConfig) -> None:
    with ForkServer(config) as server, jailed_bot(server, "send('on')\nsignal.pause()") as bot:
        bot.receive()
        pidfd = os.pidfd_open(bot.process.process_id)
        assert server.alive
        server.close()
        assert not server.alive
        poller = select.poll()
        poller.register(pidfd, select.POLLIN)
        assert poller.poll(TIMEOUT * 1000)
        os.close(pidfd)


def test_many_bots_leave_nothing_behind(fork_server: ForkServer) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(30):
        with jailed_bot(fork_server, "send('on')\nsignal.pause()") as bot:
            bot.receive()
            bot.process.kill()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.long
def test_two_hundred_bots_run_simultaneously(fork_server: ForkServer) -> None:
    with ExitStack() as stack:
        bots = [stack.enter_context(jailed_bot(fork_server, "send(receive())\nsignal.pause()")) for _ in range(200)]
        for number, bot in enumerate(bots):
            bot.send(number)
        assert [bot.receive() for bot in bots] == list(range(200))
        assert {bot.process.kill().reason for bot in bots} == {ExitReason.KILLED}


def test_bots_can_be_started_from_several_threads(fork_server: ForkServer) -> None:
    received = []

    def play() -> None:
        for number in range(5):
            with jailed_bot(fork_server, "send(receive())") as bot:
                bot.send(number)
                received.append(bot.receive())

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(received) == sorted([0, 1, 2, 3, 4] * 4)


def thread_states(process: int) -> set[str]:
    """Return the states of a process's threads as the kernel's letters: R runnable, S sleeping, T stopped."""
    stats = [task.read_text() for task in Path(f"/proc/{process}/task").glob("*/stat")]
    return {stat.rpartition(") ")[2][0] for stat in stats}


def test_suspended_bot_does_not_run(fork_server: ForkServer) -> None:
    body = """
        def think():
            while True: pass
        threading.Thread(target=think, daemon=True).start()
        send('on')
        think()
    """
    with jailed_bot(fork_server, body) as bot:
        bot.receive()
        bot.process.suspend()
        while thread_states(bot.process.process_id) != {"T"}:
            assert bot.process.wait_for_exit(0.01) is None  # a thread stops when it is next scheduled
        first = bot.process.usage()
        assert bot.process.wait_for_exit(0.2) is None
        assert bot.process.usage().cpu == first.cpu
        bot.process.resume()
        while bot.process.usage().cpu == first.cpu:
            assert bot.process.wait_for_exit(0.01) is None
        bot.process.suspend()
        assert bot.process.kill().reason is ExitReason.KILLED


def test_resumed_bot_answers(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "send('on')\nsend(receive())") as bot:
        bot.receive()
        bot.process.suspend()
        bot.send("a move, please")
        bot.process.resume()
        assert bot.receive() == "a move, please"


def test_usage_counts_all_threads_and_remains_after_exit(fork_server: ForkServer) -> None:
    body = """
        def work():
            end = time.thread_time() + 0.1
            while time.thread_time() < end: pass
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        send('done')
        signal.pause()
    """
    with jailed_bot(fork_server, body) as bot:
        bot.receive()
        usage = bot.process.usage()
        assert 0.2 <= usage.cpu < 2
        bot.process.kill()
        assert bot.process.usage().cpu >= usage.cpu


def test_usage_counts_the_wait_for_a_contested_core(fork_server: ForkServer) -> None:
    core = max(os.sched_getaffinity(0))
    spin = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint(flush=True)\nwhile True: pass"
    body = "receive()\nwhile time.process_time() < 0.3: pass\nsend('done')\nsignal.pause()"
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", spin], stdout=subprocess.PIPE) as rival:
        try:
            assert rival.stdout is not None
            rival.stdout.readline()
            with jailed_bot(fork_server, body, core=core) as bot:
                before, begun = bot.process.usage(), time.monotonic()
                bot.send("go")
                bot.receive()
                after, wall = bot.process.usage(), time.monotonic() - begun
                waited = after.runnable_wait - before.runnable_wait
                assert 0.05 < waited < wall - (after.cpu - before.cpu) + 0.05
                bot.process.kill()
                assert bot.process.usage().runnable_wait == after.runnable_wait
        finally:
            rival.kill()


@pytest.mark.long
def test_server_is_bound_to_its_process(config: SandboxConfig) -> None:
    """A forked worker must not use its parent's control socket."""
    with ForkServer(config) as server, closing(BotLog(10_000)) as log:
        child = os.fork()
        if child == 0:
            try:
                server.spawn(ROOT / "tests/core/sandbox/harness", log=log, limits=JailLimits())
            except SandboxFailure:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        with jailed_bot(server, "send('on')") as bot:
            assert bot.receive() == "on"


@pytest.mark.long
def test_starting_twice_is_an_arena_failure(config: SandboxConfig) -> None:
    with ForkServer(config) as server, pytest.raises(SandboxFailure):
        server.start()
    with pytest.raises(SandboxFailure) as seen, jailed_bot(server, ""):
        pass
    assert seen.value.message.code == "sandbox.server.not_running"
