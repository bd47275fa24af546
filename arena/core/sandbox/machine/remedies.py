"""Instructions for operators on granting the capabilities that the sandbox needs.

Invariant: this module contains only data. Each remedy is for one environment; operators follow the one for their
machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class WorkerEnvironment(StrEnum):
    """An environment in which a worker runs."""

    ANY = "any"  # every Linux
    UBUNTU = "ubuntu"  # 23.10 and later, including 24.04
    OTHER_LINUX = "other_linux"  # Debian and others with a sysctl for user namespaces
    DOCKER = "docker"
    PODMAN = "podman"
    NO_NAMESPACES = "no_namespaces"  # Landlock mode, if nothing else is possible

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS: Final = {
    WorkerEnvironment.ANY: "Everywhere",
    WorkerEnvironment.UBUNTU: "Ubuntu 23.10 and later",
    WorkerEnvironment.OTHER_LINUX: "Debian and others",
    WorkerEnvironment.DOCKER: "Docker",
    WorkerEnvironment.PODMAN: "Podman",
    WorkerEnvironment.NO_NAMESPACES: "If that is not an option",
}


@dataclass(frozen=True, slots=True)
class Remedy:
    """An instruction for one environment, as one sentence or command."""

    environment: WorkerEnvironment
    what: str

    def __str__(self) -> str:
        return self.what if self.environment is WorkerEnvironment.ANY else f"{self.environment.label}: {self.what}"


def everywhere(what: str) -> tuple[Remedy, ...]:
    """Return a tuple of one remedy, which works in every environment."""
    return (Remedy(WorkerEnvironment.ANY, what),)


def as_text(remedies: Iterable[Remedy]) -> str:
    """Join the remedies into one paragraph."""
    return ". ".join(map(str, remedies))


_PERMITTED: Final = "unshare, setns, mount, open_tree, move_mount, mount_setattr, pivot_root and umount2"
CONTAINER: Final = (
    Remedy(
        WorkerEnvironment.DOCKER,
        "`--security-opt seccomp=docker/seccomp-worker.json --security-opt apparmor=unconfined` "
        f"(any profile that permits {_PERMITTED})",
    ),
    Remedy(
        WorkerEnvironment.PODMAN,
        "`--security-opt seccomp=docker/seccomp-worker.json --security-opt label=disable`",
    ),
    Remedy(WorkerEnvironment.NO_NAMESPACES, "`SANDBOX_MODE=landlock`, if the kernel is 6.12 or newer"),
)
USER_NAMESPACES: Final = (
    Remedy(
        WorkerEnvironment.UBUNTU,
        "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or an AppArmor profile with `userns,` for the "
        "interpreter",
    ),
    Remedy(
        WorkerEnvironment.OTHER_LINUX,
        "`sysctl kernel.unprivileged_userns_clone=1` and `sysctl user.max_user_namespaces=65536`",
    ),
    *CONTAINER,
)
LANDLOCK: Final = (
    *everywhere("Linux 5.13 or newer with `landlock` in the kernel's `lsm=` list (`cat /sys/kernel/security/lsm`)"),
    Remedy(
        WorkerEnvironment.DOCKER,
        "Docker Engine 20.10.18 or newer; the default seccomp profile of older versions blocks Landlock's system calls",
    ),
)
OWN_IDS: Final = everywhere(
    "with namespaces, a worker that runs as root with CAP_SYS_ADMIN and the host's full UID range"
)
SCRATCH_FOLDERS: Final = everywhere(
    "a temporary folder (`TMPDIR`) on a local file system, and a container whose seccomp profile permits openat2"
)
CONTROL_GROUPS: Final = (
    Remedy(WorkerEnvironment.ANY, "cgroup v2, and a systemd unit with `Delegate=memory pids cpu` for the worker"),
    Remedy(WorkerEnvironment.DOCKER, "version 29 or newer with `--security-opt writable-cgroups=true`"),
    Remedy(WorkerEnvironment.PODMAN, "`--runtime runc --cgroupns=private --security-opt unmask=/sys/fs/cgroup`"),
)
