"""Probe which capabilities this machine provides, and say how to provide the others.

Invariants:
- A capability is probed, never inferred from the user id or the name of a distribution.
- Probes run in a separate process; they do not change the worker's process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from arena.core.sandbox.config import INTERPRETER_ENVIRONMENT, Mode, SandboxConfig
from arena.core.sandbox.errors import MissingCapability, SandboxFailure
from arena.core.sandbox.isolation import Layers, landlock, namespaces, scratch_folder, seccomp, syscalls
from arena.core.sandbox.machine import control_groups
from arena.core.sandbox.machine.remedies import (
    CONTAINER,
    CONTROL_GROUPS,
    LANDLOCK,
    OWN_IDS,
    SCRATCH_FOLDERS,
    USER_NAMESPACES,
    Remedy,
    as_text,
    everywhere,
)


class CapabilityName(StrEnum):
    """The capabilities that a sandbox may need."""

    MACHINE = "machine"  # Linux on a processor whose system calls the filter knows
    ORDINARY_USER = "ordinary_user"  # running as, or switching to, a user other than root
    PIDFD = "pidfd"  # signals that cannot reach the wrong process
    SECCOMP = "seccomp"  # system-call filters
    SECCOMP_QUESTIONS = "seccomp_questions"  # filters that notify another process, needed without namespaces
    LANDLOCK = "landlock"  # file access by path
    LANDLOCK_SCOPES = "landlock_scopes"  # Landlock for signals and abstract sockets, needed without namespaces
    USER_NAMESPACES = "user_namespaces"  # creating a user namespace and mapping an id in it
    NAMESPACES = "namespaces"  # mount, pid, net, ipc, uts and cgroup namespaces
    MOUNTS = "mounts"  # building a root file system
    CONTROL_GROUPS = "control_groups"  # a control group for each bot; optional
    SCRATCH_FOLDERS = "scratch_folders"  # writable folders for bots without namespaces; optional
    OWN_IDS = "own_ids"  # a separate host UID for each bot; optional


_BOTH = frozenset({Mode.NAMESPACES, Mode.LANDLOCK})
_NAMESPACES = frozenset({Mode.NAMESPACES})
_LANDLOCK = frozenset({Mode.LANDLOCK})
_NOBODY: frozenset[Mode] = frozenset()


@dataclass(frozen=True, slots=True)
class Capability:
    """A probed capability. `detail`: what the probe observed; `remedies`: how to provide it."""

    name: CapabilityName
    present: bool
    detail: str
    remedies: tuple[Remedy, ...]
    needed_by: frozenset[Mode]


def _probe_seccomp() -> None:
    """Probe by installing a filter, because seccomp(GET_ACTION_AVAIL) does not prove that installing works."""
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.install_seccomp(seccomp.build_filter(syscalls.MACHINE, os.getpid()))


def _probe_seccomp_notification() -> None:
    """Probe by installing a user-notification filter; this fails if the container's own filter has a listener."""
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    os.close(syscalls.install_seccomp_listener(seccomp.build_notify_filter(syscalls.MACHINE, files=True)))


def _need_landlock(least: int) -> Callable[[], None]:
    def probe() -> None:
        abi = syscalls.landlock_abi()
        if abi < least:
            raise OSError(f"version {least} or later is required; this kernel has {abi}")

    return probe


def _need_machine() -> None:
    if syscalls.MACHINE not in seccomp.MACHINES or sys.maxsize < 2**32:
        raise OSError(f"unsupported processor: {syscalls.MACHINE} ({sys.maxsize.bit_length() + 1}-bit)")


def _leave(who: namespaces.Identity, enter_root: Callable[[], None]) -> None:
    """Leave the current namespaces and root for new ones, as an unprivileged user."""
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    namespaces.enter_namespaces(proc, who, Layers(), enter_root)


def _need_own_ids(who: namespaces.Identity) -> None:
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    if not namespaces.enter_namespaces(proc, who, Layers(), lambda: None):
        raise OSError("all bots run under the same host UID, each in its own user namespace")


def _need_control_groups(setting: str) -> None:
    granted = control_groups.find_group(setting)
    missing = control_groups.NEEDED - control_groups.prepare_group(granted)
    control_groups.probe_entering(granted)
    if missing:
        raise OSError(f"missing controllers: {', '.join(sorted(missing))}")


def _need_scratch_folders(who: namespaces.Identity) -> None:
    who.assume()
    with tempfile.TemporaryDirectory() as bot_folders:
        scratch_folder.check_support(bot_folders)


def _need_user_namespace(who: namespaces.Identity) -> None:
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    who.assume()
    uid, gid = os.getuid(), os.getgid()
    syscalls.unshare(syscalls.CLONE_NEWUSER)
    namespaces.map_ids(proc, uid, gid)


def _build_test_root() -> None:
    syscalls.make_mounts_private()
    tree = syscalls.clone_tree("/dev/null")
    syscalls.mount_tmpfs("/tmp", "size=64k,nr_inodes=16,mode=755")  # noqa: S108 - our own mount namespace
    target = "/tmp/null"  # noqa: S108
    os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    syscalls.restrict_tree(tree, syscalls.ATTR_NOEXEC | syscalls.ATTR_NOSUID)
    syscalls.attach_tree(tree, target)
    os.chdir("/tmp")  # noqa: S108
    syscalls.pivot_root_here()


def _run_in_child(probe: Callable[[], None]) -> str | None:
    """Run a probe in a child and return its error, or None. The probe affects only the child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            probe()
        except BaseException as error:  # noqa: BLE001 - any failure is reported
            os.write(writer, f"{type(error).__name__}: {error}"[:500].encode())
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as report:
        message = report.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    return None if status == 0 else message or f"wait status {status}"


def _probes(
    who: namespaces.Identity,
    cgroup: str,
) -> list[tuple[CapabilityName, Callable[[], None], tuple[Remedy, ...], frozenset[Mode]]]:
    name = CapabilityName
    machine = everywhere("a 64-bit kernel and interpreter on x86_64 or aarch64")
    user = everywhere("run the worker as an ordinary user, or with CAP_SETUID and CAP_SETGID")
    scopes = _need_landlock(landlock.ABI_WITHOUT_NAMESPACES)
    questions = everywhere("a container whose seccomp profile does not use `SECCOMP_RET_USER_NOTIF`")
    return [
        (name.MACHINE, _need_machine, machine, _BOTH),
        (name.ORDINARY_USER, who.assume, user, _BOTH),
        (name.PIDFD, lambda: os.close(os.pidfd_open(os.getpid())), everywhere("Linux 5.12 or newer"), _BOTH),
        (name.SECCOMP, _probe_seccomp, everywhere("a kernel with CONFIG_SECCOMP_FILTER"), _BOTH),
        (name.SECCOMP_QUESTIONS, _probe_seccomp_notification, questions, _LANDLOCK),
        (name.LANDLOCK, _need_landlock(1), LANDLOCK, _BOTH),
        (name.LANDLOCK_SCOPES, scopes, everywhere("Linux 6.12 or newer"), _LANDLOCK),
        (name.USER_NAMESPACES, lambda: _need_user_namespace(who), USER_NAMESPACES, _NAMESPACES),
        (name.NAMESPACES, lambda: _leave(who, lambda: None), USER_NAMESPACES, _NAMESPACES),
        (name.MOUNTS, lambda: _leave(who, _build_test_root), CONTAINER, _NAMESPACES),
        (name.CONTROL_GROUPS, lambda: _need_control_groups(cgroup), CONTROL_GROUPS, _NOBODY),
        (name.SCRATCH_FOLDERS, lambda: _need_scratch_folders(who), SCRATCH_FOLDERS, _NOBODY),
        (name.OWN_IDS, lambda: _need_own_ids(who), OWN_IDS, _NOBODY),
    ]


def main(arguments: Sequence[str]) -> NoReturn:
    """Probe in a separate process; `arguments`: uid, gid and the control group setting. Prints the results as JSON."""
    who = namespaces.Identity(int(arguments[0]), int(arguments[1]))
    seen = {name: _run_in_child(probe) for name, probe, _, _ in _probes(who, arguments[2])}
    print(json.dumps(seen))
    sys.exit(0)


def probe_capabilities(config: SandboxConfig | None = None) -> tuple[Capability, ...]:
    """Probe all capabilities, as the user configured for bots or else the default user. Raises SandboxFailure."""
    config = config or SandboxConfig(libraries=(), harness=Path("/"))
    done = subprocess.run(
        config.command("arena.core.sandbox.machine.probe", [str(config.uid), str(config.gid), config.cgroup]),
        env=INTERPRETER_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=30,
    )
    if done.returncode != 0:
        raise SandboxFailure(f"the probes failed: {done.stderr.decode(errors='replace')[-2000:]}")
    seen: dict[str, str | None] = json.loads(done.stdout)
    return tuple(
        Capability(name, seen[name] is None, seen[name] or "granted", remedies, needed_by)
        for name, _, remedies, needed_by in _probes(namespaces.Identity(config.uid, config.gid), config.cgroup)
    )


def missing_capabilities(config: SandboxConfig) -> tuple[MissingCapability, ...]:
    """Return the capabilities that the configured mode needs and this machine denies."""
    return tuple(
        MissingCapability(found.name, f"{found.detail}. {as_text(found.remedies)}")
        for found in probe_capabilities(config)
        if not found.present and config.mode.effective_mode in found.needed_by
    )
