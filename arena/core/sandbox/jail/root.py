"""The root file system of the fork server and of every jail.

Invariants:
- It contains the `MountSource`s and empty folders, read-only; /proc, /sys, /etc and home folders do not exist.
- After `enter_root`, no path of the host is reachable, not even for the fork server.
- Each bot gets its own /bot and /tmp on top; both are limited in bytes and inodes and disappear with the bot.
- /bot contains a copy of the bot's files: no other bot and no other match sees its changes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.sandbox.isolation import syscalls
from arena.core.sandbox.jail.bundle import ReceivedFolder
from arena.core.sandbox.jail.limits import JailLimits

BOT, SCRATCH, SDK = "/bot", "/tmp", "/sdk"  # noqa: S108 - the jail's own /tmp
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")

_BASE = "/tmp"  # noqa: S108 - any folder that exists; covered in our own mount namespace only
_SAFE = syscalls.ATTR_NOSUID | syscalls.ATTR_NODEV
_LIBRARY = syscalls.ATTR_RDONLY | _SAFE
_DEVICE = syscalls.ATTR_NOSUID | syscalls.ATTR_NOEXEC


@dataclass(frozen=True, slots=True)
class MountSource:
    """A folder or device on the host, and its path in the jail; without a host path, the jail has an empty folder."""

    host: str | None
    path: str


def _make_folder(path: str) -> None:
    os.makedirs(path, exist_ok=True)  # noqa: PTH103


def _make_file(path: str) -> None:
    _make_folder(os.path.dirname(path))  # noqa: PTH120
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))


def enter_root(sources: Sequence[MountSource], empty_packages: Sequence[str]) -> None:
    """Build the root file system and enter it. Needs a private mount namespace. Raises OSError.

    empty_packages: folders in which an empty __init__.py is created.
    """
    syscalls.make_mounts_private()
    # Opened before the new root covers anything, so that a source can be anywhere, including /tmp.
    trees = [(source, None if source.host is None else syscalls.clone_tree(source.host)) for source in sources]
    syscalls.mount_tmpfs(_BASE, "size=1m,nr_inodes=1024,mode=755")
    for folder in (BOT, SCRATCH, SDK, "/empty", *empty_packages):
        _make_folder(_BASE + folder)
    for package in empty_packages:
        _make_file(f"{_BASE}{package}/__init__.py")
    for source, tree in trees:
        _attach_source(source, tree)
    os.chdir(_BASE)
    syscalls.pivot_root_here()
    syscalls.restrict_mount("/", syscalls.ATTR_RDONLY | _SAFE | syscalls.ATTR_NOEXEC)


def _attach_source(source: MountSource, tree: int | None) -> None:
    path = _BASE + source.path
    if tree is None:
        tree = syscalls.clone_tree(f"{_BASE}/empty")
    elif stat.S_ISDIR(os.fstat(tree).st_mode):
        _make_folder(path)
    else:
        _make_file(path)
    syscalls.restrict_tree(tree, _DEVICE if source.path in DEVICES else _LIBRARY)
    syscalls.attach_tree(tree, path)
    os.close(tree)


def mount_bot_folders(bundle: ReceivedFolder, limits: JailLimits) -> None:
    """Give one bot a copy of its folder and its own /tmp. Needs a private mount namespace."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    # Inodes are limited as well: a size alone does not bound them.
    syscalls.mount_tmpfs(BOT, bundle.tmpfs_options(limits.tmp_mb * 2**20, limits.tmp_files), flags)
    bundle.unpack(BOT)
    syscalls.mount_tmpfs(SCRATCH, f"size={limits.tmp_mb}m,nr_inodes={limits.tmp_files},mode=700", flags)
