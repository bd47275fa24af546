"""Transfer a bot's folder as one message (if the jail cannot see the host's paths), or copy it.

Invariant: only regular files and folders are transferred. A link or device file in the folder counts as an
arena failure (the upload reader accepts neither); links are never followed.

Format: the length of the index (4 bytes), the index as JSON [[relative path, size], ...], then the contents.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.core.sandbox import messages
from arena.core.sandbox.errors import SandboxFailure
from arena.core.sandbox.isolation import scratch_folder

# Well above the upload reader's limits: a safeguard for the arena, not a rule for authors.
_MAX_FILES = 2000
_MAX_BYTES = 64 * 2**20
_PAGE = 4096


def _regular_files(folder: Path) -> Iterator[tuple[str, Path, int]]:
    for parent, folders, files in os.walk(folder):
        for name in sorted(folders + files):
            path = Path(parent, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                yield path.relative_to(folder).as_posix(), path, status.st_size
            elif not stat.S_ISDIR(status.st_mode):
                raise SandboxFailure(messages.SPECIAL_FILE(), path)


def list_files(folder: Path) -> list[tuple[str, Path, int]]:
    """Return the files as (relative path, path, size). Raises SandboxFailure for files that no upload can contain."""
    try:
        found = list(_regular_files(folder))
    except OSError as error:
        raise SandboxFailure(messages.FOLDER_UNREADABLE(error=messages.error_name(error))) from error
    if not folder.is_dir():
        raise SandboxFailure(messages.NO_FOLDER(), folder)
    if len(found) > _MAX_FILES or sum(size for _, _, size in found) > _MAX_BYTES:
        raise SandboxFailure(messages.FOLDER_TOO_LARGE(), folder)
    return found


def pack_folder(folder: Path) -> int:
    """Copy a folder into an unnamed file in memory and return its descriptor. Raises SandboxFailure."""
    found = list_files(folder)
    encoded = json.dumps([[name, size] for name, _, size in found]).encode()
    packed = os.memfd_create("bot", os.MFD_CLOEXEC)
    try:
        os.write(packed, struct.pack("<I", len(encoded)) + encoded)
        for _, path, size in found:
            with path.open("rb", buffering=0) as file:
                _append_file(packed, file.fileno(), 0, size)
    except OSError as error:
        os.close(packed)
        raise SandboxFailure(messages.FOLDER_UNREADABLE(error=messages.error_name(error))) from error
    return packed


def _append_file(target: int, source: int, begin: int, size: int) -> None:
    """Append `size` bytes of `source`, starting at `begin`, to `target` inside the kernel. Raises OSError."""
    end = begin + size
    while begin < end:
        copied = os.sendfile(target, source, begin, end - begin)
        if not copied:
            raise OSError(errno.EIO, "a file became shorter while it was copied")
        begin += copied


def create_bot_folder(folder: Path, bot_folders: Path, owner: tuple[int, int] | None) -> Path:
    """Create a folder for one bot under ``bot_folders``, with a copy of the files. Raises SandboxFailure.

    This is for jails that see the host's paths. The fork server deletes the folder when the bot exits.
    owner: uid and gid of the created files; None for the worker's own.
    """
    found = list_files(folder)
    bot_folder = tempfile.mkdtemp(dir=bot_folders)
    made = [bot_folder]
    try:
        scratch_folder.create_subfolders(bot_folder)
        files = f"{bot_folder}/{scratch_folder.FILES}"
        made += [files, f"{bot_folder}/{scratch_folder.INODES}"]
        for name, path, size in found:
            _make_folders(files, name, made)
            made.append(f"{files}/{name}")
            with open(path, "rb", buffering=0) as source, open(made[-1], "xb", buffering=0) as target:
                _append_file(target.fileno(), source.fileno(), 0, size)
        if owner is not None:
            for one in made:
                os.chown(one, *owner)
    except OSError as error:
        shutil.rmtree(bot_folder, ignore_errors=True)
        raise SandboxFailure(messages.FOLDER_NOT_COPIED(error=messages.error_name(error))) from error
    return Path(bot_folder)


def _make_folders(root: str, name: str, made: list[str]) -> None:
    """Create the parent folders of the file `name` in `root`, and add new ones to `made`."""
    at = name.find("/")
    while at >= 0:
        folder = f"{root}/{name[:at]}"
        if not os.path.isdir(folder):  # noqa: PTH112 - pathlib costs start time
            os.mkdir(folder)  # noqa: PTH102
            made.append(folder)
        at = name.find("/", at + 1)


class ReceivedFolder:
    """A bot's folder as received inside the jail. Usable once: `unpack` closes the descriptor."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        (length,) = struct.unpack("<I", os.pread(fd, 4, 0))
        self._index: list[tuple[str, int]] = [(name, size) for name, size in json.loads(os.pread(fd, length, 4))]
        self._begin = 4 + length

    def tmpfs_options(self, more_bytes: int, more_files: int) -> str:
        """Return mount options for a tmpfs that has room for these files and for those that the bot creates.

        The bot can create `more_files` files with a total of `more_bytes`.
        """
        entries = sum(name.count("/") + 1 for name, _ in self._index)
        size = sum(-(-size // _PAGE) * _PAGE for _, size in self._index) + (entries + 4) * _PAGE
        return f"size={size + more_bytes},nr_inodes={entries + 8 + more_files},mode=755"

    def unpack(self, target: str) -> None:
        """Write the files to `target`, an empty folder. Raises OSError."""
        position = self._begin
        for name, size in self._index:
            path = f"{target}/{name}"
            if "/" in name:
                os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib costs start time
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            _append_file(file, self._fd, position, size)
            position += size
            os.close(file)
        os.close(self._fd)
