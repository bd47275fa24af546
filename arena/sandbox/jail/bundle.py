"""A bot's folder as one message, so that no path of the host has to exist in a jail, or as a copy where they do.

Invariant: regular files and folders only. A link or a device in the folder is our failure (the upload reader lets
none through), never something to follow.

Format: 4 bytes length of the index, the index as JSON [[relative path, size], ...], the contents one after another.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.sandbox.errors import SandboxFailure

# Well above what the upload reader accepts: a guard for ourselves, not a rule for authors.
_MOST_FILES = 2000
_MOST_BYTES = 64 * 2**20
_PAGE = 4096


def _regular_files(folder: Path) -> Iterator[tuple[str, Path, int]]:
    for parent, folders, files in os.walk(folder):
        for name in sorted(folders + files):
            path = Path(parent, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                yield path.relative_to(folder).as_posix(), path, status.st_size
            elif not stat.S_ISDIR(status.st_mode):
                raise SandboxFailure(f"neither a file nor a folder: {path}")


def check(folder: Path) -> list[tuple[str, Path, int]]:
    """The files as (relative path, path, size). Raises SandboxFailure for what no upload can have become."""
    try:
        found = list(_regular_files(folder))
    except OSError as error:
        raise SandboxFailure(f"cannot read the bot folder: {error}") from error
    if not folder.is_dir():
        raise SandboxFailure(f"no such bot folder: {folder}")
    if len(found) > _MOST_FILES or sum(size for _, _, size in found) > _MOST_BYTES:
        raise SandboxFailure(f"the bot folder is too large: {folder}")
    return found


def pack(folder: Path) -> int:
    """Copy a folder into an unnamed file in memory and return its descriptor. Raises SandboxFailure."""
    found = check(folder)
    try:
        contents = [path.read_bytes() for _, path, _ in found]
    except OSError as error:
        raise SandboxFailure(f"cannot read the bot folder: {error}") from error
    index = [[name, len(content)] for (name, _, _), content in zip(found, contents, strict=True)]
    encoded = json.dumps(index).encode()
    fd = os.memfd_create("bot", os.MFD_CLOEXEC)
    with open(fd, "wb", closefd=False) as file:
        file.write(struct.pack("<I", len(encoded)) + encoded)
        file.writelines(contents)
    return fd


def shelf_of(uid: int, gid: int) -> Path:
    """A new folder that this user alone owns and enters."""
    shelf = Path(tempfile.mkdtemp(prefix="arena-bots-"))
    os.chown(shelf, uid, gid)
    return shelf


def lend(folder: Path, shelf: Path, uid: int, gid: int) -> Path:
    """A copy of the files in a new folder on the shelf, owned by the shelf's user. Raises SandboxFailure.

    For a jail that sees the host's paths as another user than the worker. The fork server deletes it with the bot.
    """
    found = check(folder)
    lent = Path(tempfile.mkdtemp(dir=shelf))
    try:
        for name, path, _ in found:
            target = lent / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        for path in (lent, *lent.rglob("*")):
            os.chown(path, uid, gid)
    except OSError as error:
        shutil.rmtree(lent, ignore_errors=True)
        raise SandboxFailure(f"cannot copy the bot folder: {error}") from error
    return lent


class Bundle:
    """The receiving end, read once inside the jail. Closes the descriptor."""

    def __init__(self, fd: int) -> None:
        with open(fd, "rb") as file:
            file.seek(0)
            data = file.read()
        (length,) = struct.unpack_from("<I", data)
        self._index: list[tuple[str, int]] = [(name, size) for name, size in json.loads(data[4 : 4 + length])]
        self._data = memoryview(data)[4 + length :]

    def tmpfs_options(self) -> str:
        """Room for the files and nothing more."""
        entries = sum(name.count("/") + 1 for name, _ in self._index)
        size = sum(-(-size // _PAGE) * _PAGE for _, size in self._index) + (entries + 4) * _PAGE
        return f"size={size},nr_inodes={entries + 8},mode=755"

    def unpack(self, target: str) -> None:
        """Write the files below `target`, an empty folder."""
        position = 0
        for name, size in self._index:
            path = f"{target}/{name}"
            if "/" in name:
                os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib costs start time
            with open(path, "wb", buffering=0) as file:
                file.write(self._data[position : position + size])
            position += size
