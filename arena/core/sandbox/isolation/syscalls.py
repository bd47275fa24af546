"""Thin typed wrappers for system calls that Python does not offer.

Invariant: a call either succeeds or raises OSError with the call's name. No decisions are made here.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

_libc = ctypes.CDLL(None, use_errno=True)

MACHINE = platform.machine()

# Numbers above 424 are the same on every architecture.
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_OPENAT2 = 437
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SECCOMP = {"x86_64": 317, "aarch64": 277}

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_REC, MS_PRIVATE = 0x4000, 0x4_0000
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8

_AT_FDCWD = -100
_AT_EMPTY_PATH, _AT_RECURSIVE = 0x1000, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC = 1, os.O_CLOEXEC
_MOVE_MOUNT_F_EMPTY_PATH = 4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

# Created once: every bot drops all of them.
_CAPABILITIES = tuple(map(ctypes.c_ulong, range(64)))
_DROP, _ZERO = ctypes.c_int(PR_CAPBSET_DROP), ctypes.c_ulong(0)
_LINUX_CAPABILITY_VERSION_3 = 0x2008_0522
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_SECCOMP_FILTER_FLAG_NEW_LISTENER = 8
_SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV = 32
_RESOLVE_BENEATH_WITHOUT_LINKS = 0x08 | 0x04 | 0x02


def _check_result(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _syscall(name: str, number: int, *arguments: object) -> int:
    return _check_result(int(_libc.syscall(ctypes.c_long(number), *arguments)), name)


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    arguments = (ctypes.c_ulong(first), ctypes.c_ulong(second), zero, zero)
    return _check_result(int(_libc.prctl(ctypes.c_int(option), *arguments)), f"prctl {option}")


def unshare(flags: int) -> None:
    _check_result(_libc.unshare(ctypes.c_int(flags)), f"unshare {flags:#x}")


def setns(fd: int, kind: int) -> None:
    _check_result(_libc.setns(ctypes.c_int(fd), ctypes.c_int(kind)), f"setns {kind:#x}")


def sethostname(name: bytes) -> None:
    _check_result(_libc.sethostname(name, ctypes.c_size_t(len(name))), "sethostname")


def mount_tmpfs(target: str, options: str, flags: int = MS_NOSUID | MS_NODEV) -> None:
    result = _libc.mount(b"tmpfs", os.fsencode(target), b"tmpfs", ctypes.c_ulong(flags), options.encode())
    _check_result(result, f"mount tmpfs {target}")


def make_mounts_private() -> None:
    """Stop mount events from propagating in either direction."""
    _check_result(_libc.mount(None, b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None), "mount private /")


def clone_tree(path: str) -> int:
    """Return a descriptor of a detached copy of the mount at `path` with its submounts."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    where = os.fsencode(path)
    return _syscall(f"open_tree {path}", _OPEN_TREE, ctypes.c_int(_AT_FDCWD), where, ctypes.c_uint(flags))


def attach_tree(tree: int, target: str) -> None:
    """Mount at `target` the tree that `clone_tree` returned."""
    where = os.fsencode(target)
    flags = ctypes.c_uint(_MOVE_MOUNT_F_EMPTY_PATH)
    _syscall(f"move_mount {target}", _MOVE_MOUNT, ctypes.c_int(tree), b"", ctypes.c_int(_AT_FDCWD), where, flags)


def _set_attributes(name: str, fd: int, path: bytes, flags: int, attributes: int) -> None:
    packed = struct.pack("QQQQ", attributes, 0, 0, 0)  # only adds: locked attributes remain
    size = ctypes.c_size_t(len(packed))
    _syscall(name, _MOUNT_SETATTR, ctypes.c_int(fd), path, ctypes.c_uint(flags), packed, size)


def restrict_tree(tree: int, attributes: int) -> None:
    """Add attributes to every mount of a detached tree."""
    _set_attributes("mount_setattr", tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, attributes)


def restrict_mount(path: str, attributes: int) -> None:
    """Add attributes to the one mount at `path`."""
    _set_attributes(f"mount_setattr {path}", _AT_FDCWD, os.fsencode(path), 0, attributes)


def pivot_root_here() -> None:
    """Make the working directory the root and detach the old one."""
    _syscall("pivot_root", _PIVOT_ROOT[MACHINE], b".", b".")
    _check_result(_libc.umount2(b".", ctypes.c_int(MNT_DETACH)), "umount2")
    os.chdir("/")


def open_beneath(folder: int, path: str, flags: int, mode: int = 0) -> int:
    """Open a path relative to the folder. Raises OSError if it leads outside or contains a symbolic link."""
    how = struct.pack("QQQ", flags, mode if flags & os.O_CREAT else 0, _RESOLVE_BENEATH_WITHOUT_LINKS)
    where = os.fsencode(path)
    return _syscall("openat2", _OPENAT2, ctypes.c_int(folder), where, how, ctypes.c_size_t(len(how)))


def clear_capabilities() -> None:
    """Empty all capability sets: ambient, bounding, permitted, effective and inheritable."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in _CAPABILITIES:
        if _libc.prctl(_DROP, capability, _ZERO, _ZERO, _ZERO) < 0:
            break  # past the last one that this kernel knows
    set_capabilities(0)


def set_capabilities(held: int) -> None:
    """Set this thread's effective, permitted and inheritable capabilities to the bit mask ``held``.

    The mask covers the first 32 capabilities; all others are dropped.
    """
    header = struct.pack("Ii", _LINUX_CAPABILITY_VERSION_3, 0)
    _check_result(_libc.capset(header, struct.pack("6I", held, held, held, 0, 0, 0)), "capset")


def landlock_abi() -> int:
    """Return the version of the kernel's Landlock interface, or 0 if Landlock is unavailable."""
    number = ctypes.c_long(_LANDLOCK_CREATE)
    return max(0, int(_libc.syscall(number, None, ctypes.c_size_t(0), ctypes.c_uint(1))))


def landlock_create(attributes: bytes) -> int:
    size = ctypes.c_size_t(len(attributes))
    return _syscall("landlock_create_ruleset", _LANDLOCK_CREATE, attributes, size, ctypes.c_uint(0))


def landlock_allow(ruleset: int, access: int, path_fd: int) -> None:
    rule = struct.pack("=Qi", access, path_fd)
    _syscall("landlock_add_rule", _LANDLOCK_ADD, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))


def landlock_restrict(ruleset: int) -> None:
    _syscall("landlock_restrict_self", _LANDLOCK_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint(0))


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _install_filter(program: bytes, flags: int) -> int:
    buffer = ctypes.create_string_buffer(program, len(program))
    described = _FilterProgram(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p).value)
    arguments = (ctypes.c_uint(_SECCOMP_SET_MODE_FILTER), ctypes.c_uint(flags))
    return _syscall("seccomp", _SECCOMP[MACHINE], *arguments, ctypes.byref(described))


def install_seccomp(program: bytes) -> None:
    """Install a BPF program (8 bytes per instruction) on all threads, permanently."""
    _install_filter(program, _SECCOMP_FILTER_FLAG_TSYNC)


def install_seccomp_listener(program: bytes) -> int:
    """Install a BPF program on this thread and return a descriptor from which its notifications are read.

    Once a notification has been read, only a fatal signal can interrupt the call that is waiting for the response.
    """
    return _install_filter(program, _SECCOMP_FILTER_FLAG_NEW_LISTENER | _SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
