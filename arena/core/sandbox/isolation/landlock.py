"""Path-based file access control with Landlock.

Invariant: after `restrict`, only the given paths can be opened, nothing can be executed, and, if the kernel's Landlock
supports it, no TCP connection, abstract socket or signal leaves the jail.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from arena.core.sandbox.isolation import syscalls

# Without a mount namespace, Landlock must also confine signals and abstract sockets.
ABI_WITHOUT_NAMESPACES = 6

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_FIRST_ABI = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_NET_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract sockets, signals

_READ = _READ_FILE | _READ_DIR
_CHANGE = _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
_ON_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE


@dataclass(frozen=True, slots=True)
class AccessiblePaths:
    """The paths that a bot may only read, may read and write, or may read and remove. None is executable."""

    readable: tuple[str, ...]
    writable: tuple[str, ...] = ()
    removable: tuple[str, ...] = ()


def _handled_access(abi: int) -> int:
    handled = _FIRST_ABI
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if abi >= since:
            handled |= right
    return handled


def _attributes(abi: int) -> bytes:
    """Build struct landlock_ruleset_attr in the size that this kernel supports."""
    words = [_handled_access(abi)]
    if abi >= 4:
        words.append(_NET_TCP)
    if abi >= 6:
        words.append(_SCOPES)
    return struct.pack(f"{len(words)}Q", *words)


def _allow_path(ruleset: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            syscalls.landlock_allow(ruleset, rights if os.path.isdir(path) else rights & _ON_A_FILE, fd)  # noqa: PTH112
        finally:
            os.close(fd)


def restrict(access: AccessiblePaths) -> None:
    """Drop all access except `access`, permanently.

    Needs no_new_privs. Raises OSError, for example if the kernel lacks Landlock.
    """
    abi = syscalls.landlock_abi()
    ruleset = syscalls.landlock_create(_attributes(abi))
    try:
        handled = _handled_access(abi)
        _allow_path(ruleset, access.readable, _READ & handled)
        _allow_path(ruleset, access.writable, (_READ | _CHANGE) & handled)
        _allow_path(ruleset, access.removable, (_READ | _REMOVE_DIR | _REMOVE_FILE) & handled)
        syscalls.landlock_restrict(ruleset)
    finally:
        os.close(ruleset)
