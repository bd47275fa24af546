"""Run a program with the restrictions of the workers in docker-compose.yml that affect the sandbox.

The program runs as an ordinary user, without capabilities, with no_new_privs, a read-only root and /tmp in memory. The
system calls that Docker's default filter denies to containers without capabilities are blocked. This module uses only
the standard library, because that user may not be able to read other packages.

Usage: container.py FOLDER COMMAND...; the command runs in the folder, which is mounted at /tmp/app.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from arena.core.sandbox.isolation import syscalls
from tests.core.sandbox.pythons import ORDINARY_USER

# name: (x86_64, aarch64). From Docker's documented profile, only the calls that require a capability.
DENIED = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mbind": (237, 235),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "set_mempolicy": (238, 237),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
CLONE, CLONE3 = (56, 220), 435
ANY_NAMESPACE = 0x7E020000


def program() -> bytes:
    column = {"x86_64": 0, "aarch64": 1}[syscalls.MACHINE]

    def op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, value)

    def refuse(number: int) -> bytes:
        return op(0x06, 0x00050000 | number)

    steps = [op(0x20, 0)]
    for numbers in DENIED.values():
        steps += [op(0x15, numbers[column], 0, 1), refuse(errno.EPERM)]
    steps += [op(0x15, CLONE3, 0, 1), refuse(errno.ENOSYS)]
    steps += [op(0x15, CLONE[column], 0, 3), op(0x20, 16), op(0x45, ANY_NAMESPACE, 0, 1), refuse(errno.EPERM)]
    return b"".join([*steps, op(0x06, 0x7FFF0000)])


def build_root(folder: str) -> None:
    syscalls.unshare(syscalls.CLONE_NEWNS)
    syscalls.make_mounts_private()
    tree = syscalls.clone_tree(folder)
    syscalls.mount_tmpfs("/tmp", "size=64m,mode=1777", syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC)
    Path("/tmp/app").mkdir()
    syscalls.attach_tree(tree, "/tmp/app")
    syscalls.restrict_mount("/", syscalls.ATTR_RDONLY)


def become_ordinary_user() -> None:
    for capability in range(64):
        try:
            syscalls.prctl(syscalls.PR_CAPBSET_DROP, capability)
        except OSError:
            break
    os.setgroups([])
    os.setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)
    os.setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)


if __name__ == "__main__":
    where, *command = sys.argv[1:]
    if os.geteuid() == 0:
        build_root(where)
        become_ordinary_user()
        where = "/tmp/app"
    os.chdir(where)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.install_seccomp(program())
    os.execv(command[0], command)
