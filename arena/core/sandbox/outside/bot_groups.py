"""A control group for each bot: what the kernel limits and counts for it as a whole, threads and files included.

Invariants:
- Groups are never needed. Where none is granted, or one cannot be made, a bot runs as it does elsewhere.
- A fork server holds a lock on the folder of its groups. Whoever gets the lock may remove them: their owner is dead.
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
from arena.core.sandbox.outside.memory import MemoryWatch, Shortage

_PREFIX: Final = "arena-"
_PATIENCE: Final = 1.0  # seconds until the kernel has let go of processes that were killed
# For the copy of a bot's files and what the kernel itself needs for it (MiB); the address space is limited besides.
_ALLOWANCE: Final = 128
# Microseconds in each 100 ms: more than one core has, so that a bot alone on its core is never held back.
_CPU: Final = "110000 100000"
_FULL: Final = re.compile(rb"^full .*total=(\d+)", re.MULTILINE)


class BotGroup:
    """The group of one bot; also the counters that say whose memory ran out."""

    def __init__(self, folder: Path, limits: JailLimits, pinned: bool, otherwise: MemoryWatch) -> None:
        """Makes it. pinned: the bot has one core. otherwise: asked where the kernel does not count memory by groups."""
        self._folder = folder
        self._otherwise = otherwise
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

    def open_door(self) -> int:
        """A descriptor to which a process writes "0" to enter; the caller's to close. Raises OSError."""
        return os.open(self._folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)

    def waited(self) -> int | None:
        """Nanoseconds in which something of it was runnable and nothing ran; None where that is not measured."""
        if self._pressure is None:
            return None
        try:
            found = _FULL.search(os.pread(self._pressure, 256, 0))
        except OSError:
            return None
        return None if found is None else int(found[1]) * 1000

    def shortage(self) -> Shortage | None:
        """Its own limit was reached where the group was out of memory itself; else it was a group around it."""
        try:
            lines = (self._folder / "memory.events.local").read_text().splitlines()
        except OSError:
            return self._otherwise.shortage()
        counts = {name: int(value) for name, _, value in (line.partition(" ") for line in lines)}
        if not counts.get("oom_kill"):
            return None
        return Shortage.OWN if counts.get("oom") else Shortage.MACHINE

    def remove(self) -> None:
        """To be called when the bot is dead. Kills what it left; raises nothing."""
        if self._pressure is not None:
            with contextlib.suppress(OSError):
                os.close(self._pressure)
            self._pressure = None
        _remove_group(self._folder)


class BotGroups:
    """The groups of one fork server."""

    def __init__(self, granted: Path, enable: Callable[[Path, Iterable[str]], None] = control_groups.enable) -> None:
        """Makes their folder and enables the controllers of its groups. Raises OSError and leaves nothing behind."""
        controllers = control_groups.prepare(granted)
        sweep(granted)
        self._lock, self.folder = _locked_folder(granted)
        self._made = 0
        try:
            if controllers:
                enable(self.folder, sorted(controllers))
        except BaseException:
            self.close()
            raise

    @classmethod
    def granted(cls, setting: str) -> Self | None:
        """None where this worker may make no groups."""
        try:
            return cls(control_groups.find(setting))
        except OSError:
            return None

    def add(self, limits: JailLimits, pinned: bool, otherwise: MemoryWatch) -> BotGroup | None:
        """A new group; None if the kernel makes no more, or somebody took the grant away."""
        self._made += 1
        try:
            return BotGroup(self.folder / f"bot-{self._made}", limits, pinned, otherwise)
        except OSError:
            return None

    def close(self) -> None:
        """To be called when all bots are dead."""
        _remove(self.folder)
        os.close(self._lock)


def sweep(granted: Path) -> None:
    """Remove the groups of workers that were killed, with whatever runs in them."""
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
        with contextlib.suppress(FileNotFoundError):  # a sweep was faster than the lock
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
    """Kill what is left in the groups and remove them. What stays is for the next sweep."""
    for group in [*folder.glob("bot-*"), folder]:
        _remove_group(group)


def _remove_group(group: Path) -> None:
    """Remove a group, after killing what is left in it."""
    try:
        group.rmdir()
    except OSError:
        with contextlib.suppress(OSError):
            (group / "cgroup.kill").write_text("1")
        _patiently(group.rmdir)


def _patiently(remove: Callable[[], None]) -> None:
    until = time.monotonic() + _PATIENCE
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
    """What is written into which file of a bot's group, as far as the kernel has the file."""
    memory = limits.memory_mb + 2 * limits.tmp_mb + _ALLOWANCE
    return {
        "memory.max": str(memory * 2**20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": str(limits.threads),
        "cpu.max": _CPU,
    }
