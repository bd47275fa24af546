"""Drop privileges and enter new namespaces.

Invariants:
- `enter_namespaces` ends with an unprivileged uid (never 0) in new user, mount, PID, network, IPC, UTS and
  cgroup namespaces and in the new root.
- The host's /proc is reached through a descriptor opened beforehand, which no bot inherits.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass

from arena.core.sandbox.isolation import Layers, syscalls
from arena.core.sandbox.isolation.user_ids import INSIDE_ID, IdMapper

NAMES = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")

_NEW_WORLD = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWIPC
    | syscalls.CLONE_NEWUTS
    | syscalls.CLONE_NEWCGROUP
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The ids of an unprivileged user and group."""

    uid: int
    gid: int

    def assume(self) -> None:
        """Switch to this user if running as root. Raises OSError, or PermissionError if the process is still root."""
        if os.geteuid() == 0 or os.getuid() == 0:
            os.setgroups([])
            os.setresgid(self.gid, self.gid, self.gid)
            os.setresuid(self.uid, self.uid, self.uid)
            # Changing ids gave /proc/self to root, so that an ordinary user could not map its own id there.
            syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)
        if 0 in (*os.getresuid(), *os.getresgid()):
            raise PermissionError(errno.EPERM, "a bot must not run as root")


def _write_file(proc: int, name: str, text: str) -> None:
    fd = os.open(f"self/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def map_ids(proc: int, outside_uid: int, outside_gid: int) -> None:
    _write_file(proc, "setgroups", "deny")
    _write_file(proc, "uid_map", f"{INSIDE_ID} {outside_uid} 1")
    _write_file(proc, "gid_map", f"{INSIDE_ID} {outside_gid} 1")


def namespace_inodes(proc: int) -> dict[str, int]:
    """Return the inode of each current namespace: equal inodes mean the same namespace."""
    return {name: os.stat(f"self/ns/{name}", dir_fd=proc).st_ino for name in NAMES}


def enter_namespaces(proc: int, who: Identity, layers: Layers, enter_root: Callable[[], None]) -> int:
    """Switch to the user `who` and enter new namespaces. Raises OSError.

    The next child is the first process in the new PID namespace.

    Return the number of ids for bots, which start at `user_ids.FIRST_INSIDE`.
    """
    new_world = _NEW_WORLD | (syscalls.CLONE_NEWNET if layers.network else 0)
    built = False
    mapper = None
    if os.geteuid() == 0:
        try:
            # First as root, because other users cannot read a library under /root.
            syscalls.unshare(syscalls.CLONE_NEWNS)
        except PermissionError:
            pass  # root of a container without CAP_SYS_ADMIN: continue as an unprivileged user
        else:
            enter_root()
            built = True
            mapper = IdMapper(proc, who.uid, who.gid)
    who.assume()
    uid, gid = os.getuid(), os.getgid()
    syscalls.unshare(new_world)
    count = 0 if mapper is None else mapper.map()
    if not count:
        map_ids(proc, uid, gid)
    if not built:
        enter_root()
    syscalls.sethostname(b"jail")
    return count


def enter_bot_namespaces(proc: int, own_id: int | None) -> None:
    """Enter new user, mount and IPC namespaces for one bot, in which limits apply to that bot alone.

    own_id: one of the ids for bots; None for the id of the fork server.
    """
    syscalls.unshare(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWNS | syscalls.CLONE_NEWIPC)
    outside = INSIDE_ID if own_id is None else own_id
    map_ids(proc, outside, outside)


def switch_to_own_id(own_id: int) -> None:
    """Switch to the bot's own user. This clears process attributes such as the parent-death signal."""
    os.setresgid(own_id, own_id, own_id)
    os.setresuid(own_id, own_id, own_id)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)  # as in Identity.assume


def prefer_for_oom_kill(proc: int) -> None:
    """Make this process the first to be killed if the machine runs out of memory."""
    _write_file(proc, "oom_score_adj", "1000")
