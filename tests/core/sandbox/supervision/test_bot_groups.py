"""Control groups are created before a bot runs, are removed with it, and never cause failures."""

from __future__ import annotations

import dataclasses
import errno
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.machine import control_groups
from arena.core.sandbox.supervision.bot_groups import BotGroup, BotGroups, group_limits, sweep_groups
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.supervision.memory import MemoryShortage
from tests.core.sandbox.jailed_bots import jailed_bot


class NoShortage:
    """A watch that reports no memory shortage."""

    def shortage(self) -> MemoryShortage | None:
        return None


class MachineShortage:
    """A watch that reports that the machine ran out of memory."""

    def shortage(self) -> MemoryShortage | None:
        return MemoryShortage.MACHINE


def group_of(process: int) -> str:
    lines = Path(f"/proc/{process}/cgroup").read_text().splitlines()
    return next(line.removeprefix("0::") for line in lines if line.startswith("0::"))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.sandbox
def test_bot_has_its_own_group_that_is_removed_with_it(server_with_groups: ForkServer, granted: Path) -> None:
    with (
        jailed_bot(server_with_groups, "send(1); signal.pause()") as one,
        jailed_bot(server_with_groups, "send(1); signal.pause()") as other,
    ):
        one.receive(), other.receive()
        groups = {group_of(one.process.process_id), group_of(other.process.process_id)}
        assert len(groups) == 2
        assert all(granted.name in group and "/bot-" in group for group in groups)
        assert len(list(granted.glob("arena-*/bot-*"))) == 2
    assert list(granted.glob("arena-*/bot-*")) == []
    server_with_groups.close()
    assert list(granted.glob("arena-*")) == []


@pytest.mark.sandbox
def test_threads_of_a_bot_are_in_its_group_which_is_hidden_from_it(
    server_with_groups: ForkServer, granted: Path
) -> None:
    body = """
        threads = [threading.Thread(target=time.sleep, args=(60,), daemon=True) for _ in range(3)]
        for thread in threads: thread.start()
        send([os.path.exists(path) for path in ('/sys/fs/cgroup', '/proc/self/cgroup')])
        signal.pause()
    """
    with jailed_bot(server_with_groups, body) as bot:
        seen = bot.receive()
        (group,) = granted.glob("arena-*/bot-*")
        assert len((group / "cgroup.threads").read_text().split()) == 4
        if server_with_groups.namespaces:
            assert seen == [False, False]


@pytest.mark.long
@pytest.mark.sandbox
def test_group_creation_adds_little_to_a_start(server_with_groups: ForkServer) -> None:
    groups = BotGroups(Path(server_with_groups.config.cgroup))
    took = []
    for _ in range(30):
        begun = time.perf_counter()
        group = groups.add(JailLimits(), True, NoShortage())
        assert group is not None
        os.close(group.open_procs())
        group.remove()
        took.append(time.perf_counter() - begun)
    groups.close()
    print(f"{statistics.median(took) * 1e3:.2f} ms")
    assert min(took) < 0.01


@pytest.mark.sandbox
def test_only_groups_of_killed_workers_are_swept(granted: Path) -> None:
    """A killed worker's groups are removed, even with a process still in them; a running worker's groups are kept."""
    script = (
        "import subprocess, sys, time; from pathlib import Path;"
        "from arena.core.sandbox.supervision.bot_groups import BotGroups;"
        "from arena.core.sandbox.jail.limits import JailLimits;"
        "group = BotGroups(Path(sys.argv[1])).add(JailLimits(), False, None);"
        "child = subprocess.Popen(['sleep', '60']);"
        "Path(sys.argv[1], next(Path(sys.argv[1]).glob('arena-*/bot-1')), 'cgroup.procs').write_text(str(child.pid));"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    worker = subprocess.Popen([sys.executable, "-c", script, str(granted)], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    left = int(worker.stdout.readline())
    sweep_groups(granted)
    assert len(list(granted.glob("arena-*/bot-*"))) == 1, "its owner lives"
    worker.kill()
    worker.wait()
    worker.stdout.close()
    others = BotGroups(granted)
    assert [path.name for path in granted.glob("arena-*")] == [others.folder.name]
    assert not Path(f"/proc/{left}").exists() or " Z " in Path(f"/proc/{left}/stat").read_text()
    others.close()


@pytest.mark.sandbox
def test_revoked_grant_affects_no_bot(server_with_groups: ForkServer, granted: Path) -> None:
    for folder in granted.glob("arena-*"):
        folder.rmdir()
    with jailed_bot(server_with_groups, "send('on')") as bot:
        assert bot.receive() == "on"


def test_controllers_that_cannot_be_enabled_leave_nothing_behind(tmp_path: Path) -> None:
    """A failure leaves behind neither the folder nor its lock's descriptor.

    Otherwise they would accumulate, because a worker retries for each fork server.
    """
    (tmp_path / "cgroup.controllers").write_text("memory pids")
    tried: list[Path] = []

    def refuse_access(group: Path, controllers: Iterable[str]) -> None:
        assert list(controllers) == ["memory", "pids"]
        tried.append(group)
        raise PermissionError(errno.EACCES, "denied", str(group))

    before = open_files()
    with pytest.raises(PermissionError):
        BotGroups(tmp_path, refuse_access)
    assert open_files() == before
    (folder,) = tried
    assert folder.parent == tmp_path
    assert list(tmp_path.glob("arena-*")) == []


@pytest.mark.long
@pytest.mark.sandbox
def test_bots_run_without_a_grant(config: SandboxConfig) -> None:
    for setting in ("off", "/nowhere"):
        with ForkServer(dataclasses.replace(config, cgroup=setting)) as server, jailed_bot(server, "send('on')") as bot:
            assert bot.receive() == "on"


@pytest.mark.long
@pytest.mark.sandbox
def test_waiting_of_unsampled_threads_is_counted(server_with_groups: ForkServer, granted: Path) -> None:
    """A control group's counter includes the wait time of short-lived threads on a contended core."""
    if "full" not in (granted / "cpu.pressure").read_text():
        pytest.skip("this kernel does not measure pressure")
    core = max(os.sched_getaffinity(0))
    spin = [sys.executable, "-I", "-S", "-c", f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"]
    others = [subprocess.Popen(spin, start_new_session=True) for _ in range(3)]
    body = """
        def burn():
            end = time.thread_time() + 0.002
            while time.thread_time() < end: pass
        receive()
        for _ in range(100):
            thread = threading.Thread(target=burn)
            thread.start()
            thread.join()
        send('done')
        signal.pause()
    """
    try:
        with jailed_bot(server_with_groups, body, core=core) as bot:
            time.sleep(0.5)
            before, begun = bot.process.usage(), time.monotonic()
            bot.send("go")
            while bot.process.receive() is None:
                bot.process.usage()
                time.sleep(0.02)
            after, wall = bot.process.usage(), time.monotonic() - begun
    finally:
        for other in others:
            other.kill()
            other.wait()
    cpu, waited = after.cpu - before.cpu, after.runnable_wait - before.runnable_wait
    assert wall > 2 * cpu, "it was crowded"
    assert 0.7 * (wall - cpu) < waited < wall - cpu + 0.02


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 1\n", MemoryShortage.OWN),
        ("low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 0\n", MemoryShortage.MACHINE),
        ("low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n", None),
    ],
)
def test_group_counters_show_the_cause_of_a_memory_shortage(
    tmp_path: Path, events: str, expected: MemoryShortage | None
) -> None:
    group = BotGroup(tmp_path / "bot-1", JailLimits(), False, MachineShortage())
    (tmp_path / "bot-1" / "memory.events.local").write_text(events)
    assert group.shortage() is expected


def test_machine_counters_are_used_without_group_counters(tmp_path: Path) -> None:
    assert BotGroup(tmp_path / "1", JailLimits(), False, MachineShortage()).shortage() is MemoryShortage.MACHINE
    assert BotGroup(tmp_path / "2", JailLimits(), False, NoShortage()).shortage() is None


def test_every_limit_of_the_jail_has_its_file() -> None:
    assert group_limits(JailLimits(memory_mb=512, tmp_mb=16, threads=9)) == {
        "memory.max": str((512 + 32 + 128) * 2**20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "9",
        "cpu.max": "110000 100000",
    }


@pytest.mark.long
@pytest.mark.sandbox
def test_limits_are_set_where_the_kernel_supports_them(server_with_groups: ForkServer, granted: Path) -> None:
    with jailed_bot(server_with_groups, "send(1); signal.pause()") as bot:
        bot.receive()
        (group,) = granted.glob("arena-*/bot-*")
        limits = group_limits(JailLimits())
        found = {name: (group / name).read_text().strip() for name in limits if (group / name).exists()}
        assert found == {name: limits[name] for name in found}
        controllers = set((granted / "cgroup.controllers").read_text().split())
        assert {name.partition(".")[0] for name in found} == controllers & set(control_groups.CONTROLLERS)


@pytest.mark.parametrize(
    ("release", "permitted"),
    [
        ("6.18.44-fc", True),
        ("5.16.0", True),
        ("5.16-rc1", True),
        ("5.15.0-91-generic", False),
        ("6", True),
        ("", False),
    ],
)
def test_kernel_version_decides_whether_groups_can_be_entered(release: str, permitted: bool) -> None:
    assert control_groups.permits_entering(release) is permitted


def test_folder_that_is_not_a_group_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=f"SANDBOX_CGROUP={tmp_path} "):
        control_groups.find_group(str(tmp_path))
    with pytest.raises(OSError, match="SANDBOX_CGROUP"):
        control_groups.find_group("off")


def test_group_that_refuses_bots_is_reported_with_a_remedy(granted: Path, tmp_path: Path) -> None:
    """A group that would refuse every bot is detected when the worker looks for its group."""
    (tmp_path / "cgroup.procs").touch()  # no writable group contains both it and the worker
    with pytest.raises(OSError, match=f" {tmp_path}: start"):
        control_groups.find_group(str(tmp_path))
    assert control_groups.find_group(str(granted)) == granted


@pytest.mark.sandbox
def test_probe_enters_a_group_and_leaves_none_behind(granted: Path) -> None:
    control_groups.probe_entering(granted)
    assert [path for path in granted.iterdir() if path.is_dir()] == []
    (granted / "cgroup.max.descendants").write_text("0")
    with pytest.raises(OSError, match="trial-"):
        control_groups.probe_entering(granted)
