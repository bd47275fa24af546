"""The limits that a bot's control group enforces when all other isolation mechanisms are disabled.

Nearly all of these tests need the cgroup v2 controllers ``memory``, ``pids`` and ``cpu``.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.isolation import Layers
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.bot_groups import BotGroups
from arena.core.sandbox.supervision.exits import ExitReason
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot
from tests.core.sandbox.supervision.test_lifetime import family
from tests.core.sandbox.temporary_control_group import read_counters, require_controller

pytestmark = pytest.mark.sandbox

SMALL = JailLimits(memory_mb=32, tmp_mb=4, threads=9)  # a group of 168 MiB
FILL = "send(1); blocks = [bytearray(b'x') * 2**20 for _ in range(600)]; send('all of it')"


@pytest.fixture
def server_with_only_groups(config: SandboxConfig, granted: Path) -> Iterator[ForkServer]:
    """Yield a server without resource limits or a system-call filter, so that only control groups confine its bots."""
    with ForkServer(
        dataclasses.replace(config, cgroup=str(granted)), layers=Layers(limits=False, seccomp=False)
    ) as server:
        yield server


def only_group(granted: Path) -> Path:
    (group,) = granted.glob("arena-*/bot-*")
    return group


def test_bot_that_exceeds_its_group_memory_is_killed_and_blamed(
    server_with_only_groups: ForkServer, granted: Path
) -> None:
    require_controller(granted, "memory")
    with (
        jailed_bot(server_with_only_groups, FILL, limits=SMALL) as bot,
        jailed_bot(server_with_only_groups, "send(receive())", limits=SMALL) as neighbour,
    ):
        groups = sorted(granted.glob("arena-*/bot-*"))
        assert bot.wait_for_exit().reason is ExitReason.MEMORY_LIMIT
        events = [read_counters(group, "memory.events.local") for group in groups]
        assert sorted((seen["oom"] > 0, seen["oom_kill"] > 0) for seen in events) == [(False, False), (True, True)]
        neighbour.send("unharmed")
        assert neighbour.receive() == "unharmed"


def test_forked_processes_are_killed_with_the_bot(server_with_only_groups: ForkServer, granted: Path) -> None:
    """The whole group is killed, whichever process requested the memory page that exceeded the limit."""
    require_controller(granted, "memory")
    body = "send(1)\nfor _ in range(3):\n    if not os.fork(): signal.pause()\n" + FILL.partition("; ")[2]
    with jailed_bot(server_with_only_groups, body, limits=SMALL) as bot:
        assert bot.wait_for_exit().reason is ExitReason.MEMORY_LIMIT
        group = only_group(granted)
        assert read_counters(group, "memory.events.local")["oom_group_kill"] == 1
        assert read_counters(group, "cgroup.events")["populated"] == 0


def test_unmapped_files_count_as_memory(server_with_only_groups: ForkServer, granted: Path) -> None:
    require_controller(granted, "memory")
    body = """
        send(1)
        held = os.memfd_create('hoard')
        for _ in range(600): os.write(held, bytes(2**20))
    """
    with jailed_bot(server_with_only_groups, body, limits=SMALL) as bot:
        assert bot.wait_for_exit().reason is ExitReason.MEMORY_LIMIT


def test_parent_group_out_of_memory_is_an_arena_failure(server_with_groups: ForkServer, granted: Path) -> None:
    """If the parent group, such as the worker's systemd unit or container, runs out of memory, no bot is at fault."""
    require_controller(granted, "memory")
    (granted / "memory.max").write_text(str(64 * 2**20))
    with jailed_bot(server_with_groups, "send(1); receive(); " + FILL) as bot:
        bot.receive()
        bot.send("go")
        assert bot.wait_for_exit().reason is ExitReason.OUT_OF_MEMORY
        events = read_counters(only_group(granted), "memory.events.local")
        assert events["oom"] == 0
        assert events["oom_kill"] > 0


@pytest.mark.long
def test_external_kill_is_not_mistaken_for_a_memory_kill(server_with_only_groups: ForkServer, granted: Path) -> None:
    """A kill from outside is reported as such, even if the kernel's counter shows a recent out-of-memory kill."""
    require_controller(granted, "memory")
    with (
        jailed_bot(server_with_only_groups, "send(1); signal.pause()") as victim,
        jailed_bot(server_with_only_groups, FILL, limits=SMALL) as glutton,
    ):
        victim.receive()
        assert glutton.wait_for_exit().reason is ExitReason.MEMORY_LIMIT
        os.kill(victim.process.process_id, signal.SIGKILL)
        assert victim.wait_for_exit().reason is ExitReason.KILLED_FROM_OUTSIDE


def test_kernel_limits_the_number_of_threads(server_with_groups: ForkServer, granted: Path) -> None:
    require_controller(granted, "pids")
    body = """
        def start(_): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        send(count(start, 100))
    """
    with jailed_bot(server_with_groups, body, limits=JailLimits(threads=9)) as bot:
        assert bot.receive() == 8


@pytest.mark.parametrize(
    "start",
    [
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "os.fork() or signal.pause()",
    ],
    ids=["threads", "processes"],
)
def test_group_alone_contains_a_fork_bomb(server_with_only_groups: ForkServer, granted: Path, start: str) -> None:
    require_controller(granted, "pids")
    with jailed_bot(
        server_with_only_groups, f"send(count(lambda _: {start}, 100)); signal.pause()", limits=SMALL
    ) as bot:
        assert bot.receive() == SMALL.threads - 1
        group = only_group(granted)
        assert (group / "pids.current").read_text().strip() == str(SMALL.threads)
        assert read_counters(group, "pids.events")["max"] >= 1
    assert list(granted.glob("arena-*/bot-*")) == [], "nothing that it started is left"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_many_threads_on_many_cores_get_little_more_than_one_core(
    server_with_groups: ForkServer, granted: Path
) -> None:
    require_controller(granted, "cpu")
    body = """
        import hashlib
        def burn():
            while True: hashlib.pbkdf2_hmac('sha256', b'', b'', 100_000)
        receive()
        for _ in range(6): threading.Thread(target=burn, daemon=True).start()
        send('burning')
        signal.pause()
    """
    with jailed_bot(server_with_groups, body) as bot:
        bot.send("go")
        bot.receive()
        before, begun = bot.process.usage().cpu, time.monotonic()
        time.sleep(2)
        cores = (bot.process.usage().cpu - before) / (time.monotonic() - begun)
        stat = read_counters(only_group(granted), "cpu.stat")
        assert cores < 1.25
        assert stat["nr_throttled"] > 0 or cores < 1.05, "a busy machine gave it no more than one"


@pytest.mark.long
def test_groups_of_real_bots_are_swept_after_their_worker_was_killed(
    config: SandboxConfig, granted: Path, public_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_CGROUP", str(granted))
    with family(public_path, config.mode.effective_mode, 3) as relatives:
        assert len([group for group in granted.glob("arena-*/bot-*") if (group / "cgroup.procs").read_text()]) == 3
        relatives.worker.kill()
        assert relatives.all_gone()
    BotGroups(granted).close()
    assert list(granted.glob("arena-*")) == []
