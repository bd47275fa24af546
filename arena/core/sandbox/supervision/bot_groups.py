"""Create a control group for each bot: kernel limits and counters for the whole bot, including threads and files.

Invariants:
- Groups are optional. If no group is granted or a group cannot be created, bots run without one.
- A fork server holds a lock on the folder of its groups. Another process that gets the lock may remove the groups,
  because their owner is dead.
- A bot is in its group before any of its code runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Self

from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.machine import control_groups
from arena.core.sandbox.supervision.memory import MemoryShortage, MemoryWatch

_PREFIX: Final = "arena-"
_RELEASE_TIMEOUT: Final = 1.0  # seconds for the kernel to release killed processes
# For the copy of a bot's files and the kernel's overhead (MiB); the address space is limited separately.
_ALLOWANCE: Final = 128
# Microseconds per 100 ms: more than one core, so that a bot alone on its core is never throttled.
_CPU: Final = "110000 100000"
_FULL: Final = re.compile(rb"^full .*total=(\d+)", re.MULTILINE)


class BotGroup:
    """The control group of one bot, with the counters that show whether the bot ran out of memory."""

    def __init__(self, folder: Path, limits: JailLimits, pinned: bool, fallback: MemoryWatch) -> None:
        """Create the group.

        ``pinned``: whether the bot is pinned to one core. ``fallback``: the counters to use if the kernel has no
        memory accounting per group.
        """
        self._folder = folder
        self._fallback = fallback
        self._pressure: int | None = None
        folder.mkdir()
        try:
            for name, value in group_limits(limits).items():
                if (folder / name).exists():
                    (folder / name).write_text(value)
            if pinned:
                with contextlib.suppress(OSError):  # a kernel that does not measure pressure
                    self._pressure = os.open(folder / "cpu.pressure", os.O_RDONLY | os.O_CLOEXEC)
        except BaseException:
            self.remove()
            raise

    def open_procs(self) -> int:
        """Return a descriptor to which a process writes "0" to enter the group; the caller closes it.

        Raises OSError.
        """
        return os.open(self._folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)

    def read_wait_nanoseconds(self) -> int | None:
        """Return for how many nanoseconds the bot was runnable but not running; None if this was not measured."""
        if self._pressure is None:
            return None
        try:
            found = _FULL.search(os.pread(self._pressure, 256, 0))
        except OSError:
            return None
        return None if found is None else int(found[1]) * 1000

    def shortage(self) -> MemoryShortage | None:
        """Return which memory ran out: the bot's own if its group reached the limit, else an enclosing group's.

        Returns None if none ran out.
        """
        try:
            lines = (self._folder / "memory.events.local").read_text().splitlines()
        except OSError:
            return self._fallback.shortage()
        counts = {name: int(value) for name, _, value in (line.partition(" ") for line in lines)}
        if not counts.get("oom_kill"):
            return None
        return MemoryShortage.OWN if counts.get("oom") else MemoryShortage.MACHINE

    def remove(self) -> None:
        """Remove the group after the bot's death. Kills remaining processes; never raises."""
        if self._pressure is not None:
            with contextlib.suppress(OSError):
                os.close(self._pressure)
            self._pressure = None
        _remove_group(self._folder)


class BotGroups:
    """The control groups of one fork server's bots."""

    def __init__(
        self, granted: Path, enable: Callable[[Path, Iterable[str]], None] = control_groups.enable_controllers
    ) -> None:
        """Create the folder of the groups and enable their controllers. Leaves nothing behind if it raises OSError."""
        controllers = control_groups.prepare_group(granted)
        sweep_groups(granted)
        self._lock, self.folder = _locked_folder(granted)
        self._made = 0
        try:
            if controllers:
                enable(self.folder, sorted(controllers))
        except BaseException:
            self.close()
            raise

    @classmethod
    def create_if_permitted(cls, setting: str) -> Self | None:
        """Create the folder of the groups; return None if this worker is not allowed to create groups."""
        try:
            return cls(control_groups.find_group(setting))
        except OSError:
            return None

    def add(self, limits: JailLimits, pinned: bool, fallback: MemoryWatch) -> BotGroup | None:
        """Create a group; return None if the kernel refuses or the grant was revoked."""
        self._made += 1
        try:
            return BotGroup(self.folder / f"bot-{self._made}", limits, pinned, fallback)
        except OSError:
            return None

    def close(self) -> None:
        """Remove the groups after all bots have died."""
        _remove(self.folder)
        os.close(self._lock)


def sweep_groups(granted: Path) -> None:
    """Remove the control groups that killed workers left behind, and kill the processes in them."""
    for folder in granted.glob(f"{_PREFIX}*"):
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            _remove(folder)
        finally:
            os.close(lock)


def _locked_folder(granted: Path) -> tuple[int, Path]:
    while True:
        folder = granted / f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
        folder.mkdir()
        with contextlib.suppress(FileNotFoundError):  # a concurrent sweep removed it before the lock
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
            except BaseException:
                os.close(lock)
                folder.rmdir()
                raise
            if folder.exists():
                return lock, folder
            os.close(lock)


def _remove(folder: Path) -> None:
    """Kill the remaining processes of the groups and remove the groups. The next sweep removes any that are left."""
    for group in [*folder.glob("bot-*"), folder]:
        _remove_group(group)


def _remove_group(group: Path) -> None:
    """Remove a group, after killing its remaining processes."""
    try:
        group.rmdir()
    except OSError:
        with contextlib.suppress(OSError):
            (group / "cgroup.kill").write_text("1")
        _retry_removal(group.rmdir)


def _retry_removal(remove: Callable[[], None]) -> None:
    until = time.monotonic() + _RELEASE_TIMEOUT
    while True:
        try:
            return remove()
        except FileNotFoundError:
            return None
        except OSError:
            if time.monotonic() > until:
                return None
        time.sleep(0.005)


def group_limits(limits: JailLimits) -> dict[str, str]:
    """Return the values for a bot group's control files; callers skip files that this kernel does not provide."""
    memory = limits.memory_mb + 2 * limits.tmp_mb + _ALLOWANCE
    return {
        "memory.max": str(memory * 2**20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": str(limits.threads),
        "cpu.max": _CPU,
    }
