"""Find and prepare the control group (cgroup v2) in which this worker may create groups.

An operator grants a group in one of three ways: a systemd unit with `Delegate=`, a container whose /sys/fs/cgroup is
writable, or the setting `SANDBOX_CGROUP`, which names a folder. Being root is not sufficient: the groups that systemd
creates belong to it.

Invariant: nothing outside the granted group is changed. Within it, processes move into the group `workers`, because a
group with controllers for its children must not contain processes itself.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

OFF: Final = "off"
CONTROLLERS: Final = ("memory", "pids", "cpu")
NEEDED: Final = frozenset({"memory", "pids"})
_WORKERS: Final = "workers"
_DELEGATED: Final = ("user.delegate", "trusted.delegate")  # how systemd marks a delegated group
_TRIES: Final = 20


def find_group(setting: str) -> Path:
    """Find the control group that was granted to this worker.

    setting: a folder, `OFF`, or "" for automatic detection. Raises OSError with the reason.
    """
    if setting == OFF:
        raise OSError("disabled by SANDBOX_CGROUP=off")
    if not permits_entering(os.uname().release):
        raise OSError("Linux 5.16 or later is required")
    if setting:
        if not Path(setting, "cgroup.procs").is_file():
            raise OSError(f"SANDBOX_CGROUP={setting} is not a control group")
        group = Path(setting).resolve()
        _check_reach(group)
        return group
    own = _own_group()
    for group in (own, own.parent):  # systemd's DelegateSubgroup= puts the worker one level below
        if _is_delegated(group):
            return group
    raise OSError(f"{own} is not delegated to this worker")


def permits_entering(release: str) -> bool:
    """Return whether a kernel checks the permissions of whoever opened cgroup.procs, not of whoever writes to it.

    ``release``: the kernel's release, such as "6.1.0-13-amd64".
    """
    found = re.match(r"(\d+)\.?(\d*)", release)
    return found is not None and (int(found[1]), int(found[2] or 0)) >= (5, 16)


def prepare_group(group: Path) -> frozenset[str]:
    """Enable the available CONTROLLERS for the group's children, and return them. Raises OSError."""
    there = (group / "cgroup.controllers").read_text().split()
    wanted = [name for name in CONTROLLERS if name in there]
    for _ in range(_TRIES):
        try:
            enable_controllers(group, wanted)
            return frozenset(wanted)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
        _move_processes(group)
    raise OSError(errno.EBUSY, "processes keep starting in the group", str(group))


def enable_controllers(group: Path, controllers: Iterable[str]) -> None:
    """Enable these controllers for the group's children. Raises OSError."""
    (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in controllers))


def probe_entering(group: Path) -> None:
    """Create a group, let a process enter it as a bot does, and remove it. Raises OSError.

    Only for a single-threaded process.
    """
    trial = group / f"trial-{os.getpid()}"
    trial.mkdir()
    try:
        door = os.open(trial / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        try:
            process = os.fork()
            if process == 0:
                try:
                    os.write(door, b"0")
                except OSError as error:
                    os._exit(error.errno or errno.EIO)
                os._exit(0)
        finally:
            os.close(door)
        failed = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if failed:
            raise OSError(failed, f"a process cannot join the control group: {os.strerror(failed)}", str(trial))
    finally:
        trial.rmdir()


def _check_reach(group: Path) -> None:
    """Raise OSError if this process is not allowed to move processes from its own group into ``group``.

    The kernel checks permissions on the common ancestor of the two groups, which is ``group`` itself if the worker is
    inside it.
    """
    around = Path(os.path.commonpath((_own_group(), group)))
    if not os.access(around / "cgroup.procs", os.W_OK, effective_ids=True):
        raise OSError(
            f"this worker is not permitted to move processes into {group}: start it in that group, or let it write to "
            f"{around}/cgroup.procs"
        )


def _own_group() -> Path:
    """Return the path of this process's control group. Raises OSError if cgroup v2 is not mounted."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), None)
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, kind = line.partition(" - ")
        if path is not None and kind.startswith("cgroup2 ") and fields.split()[3] == "/":
            return Path(fields.split()[4] + path)
    raise OSError("cgroup v2 is not mounted")


def _is_delegated(group: Path) -> bool:
    if not os.access(group / "cgroup.subtree_control", os.W_OK) or not os.access(group, os.W_OK):
        return False
    if _is_container_root(group):
        return True
    for name in _DELEGATED:
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _is_container_root(group: Path) -> bool:
    """Return whether this is the root group of a container; the machine's root group has no ``cgroup.events``."""
    return group.is_mount() and (group / "cgroup.events").is_file()


def _move_processes(group: Path) -> None:
    workers = group / _WORKERS
    workers.mkdir(exist_ok=True)
    for process in (group / "cgroup.procs").read_text().split():
        with contextlib.suppress(ProcessLookupError):
            (workers / "cgroup.procs").write_text(process)
