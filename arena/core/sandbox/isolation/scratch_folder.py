"""The writable folder of a bot that has no file system of its own.

The bot itself can only read and remove files there, which is all that Landlock allows. This module runs in the fork
server: it creates files, opens them for writing, and passes the descriptors to the bot.

Invariants:
- A path never leads outside the folder: the kernel resolves it with RESOLVE_BENEATH, and there are no links.
- Every file that the bot could ever write to has a second hard link in `INODES`, out of the bot's reach. If the bot
  removes or replaces a file that is open or mapped, the server still sees the file and counts it until nobody has it
  open.
- A file is opened for writing only while less than `FolderLimits.total` is in use; at most `MAX_WRITTEN` files are
  open for writing at a time. The kernel's file size limit keeps the total of all files below twice
  `FolderLimits.total`.
- Folders nest at most `_DEEPEST` levels deep, or as deep as in the upload if that is deeper, and file modes cannot
  change, so removing everything needs little recursion and no permission changes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import stat
import tempfile
import time
from dataclasses import dataclass
from typing import Final

from arena.core.sandbox.isolation import syscalls

FILES: Final = "files"  # visible to the bot
INODES: Final = "inodes"  # second hard links to files opened for writing, by inode number

MAX_WRITTEN = 8
_DEEPEST = 32
_PAGE = 4096
_PAUSE = 0.2  # seconds until the next search for space to reclaim, after one that found too little
_WORTHWHILE = 8  # a search found enough if it reclaimed at least one in this many entries
_OPEN_FLAGS = (
    os.O_ACCMODE | os.O_CREAT | os.O_EXCL | os.O_TRUNC | os.O_APPEND | os.O_NONBLOCK | os.O_DIRECTORY | os.O_NOFOLLOW
)


@dataclass(frozen=True, slots=True)
class FolderLimits:
    """The limits on what a bot may add to its folder.

    total: bytes in all files together. files: number of files and folders. longest: bytes in one file, if enough space
    is left. least: the size limit of a single file never falls below this number of bytes, because the limit also
    applies to the bot's log.
    """

    total: int
    files: int
    longest: int
    least: int


def create_subfolders(path: str) -> None:
    """Create the two subfolders of a scratch folder in an empty folder. Raises OSError."""
    for name in (FILES, INODES):
        os.mkdir(f"{path}/{name}", 0o700)  # noqa: PTH102 - pathlib costs start time


def check_support(bot_folders: str) -> None:
    """Check whether the kernel supports scratch folders on this file system. Raises OSError if not."""
    with tempfile.TemporaryDirectory(dir=bot_folders) as path:
        create_subfolders(path)
        folder = ScratchFolder(path, FolderLimits(_PAGE, 2, _PAGE, _PAGE))
        try:
            descriptor = folder.open("file", os.O_RDWR | os.O_CREAT)
            while_open = folder.update_written_files()
            os.close(descriptor)
            if (while_open, folder.update_written_files()) != (1, 0):
                raise OSError(f"the kernel does not report which files below {bot_folders} are open for writing")
        finally:
            folder.close()


class ScratchFolder:
    """The fork server's side of one bot's folder. Paths are relative to it. Every method may raise OSError."""

    def __init__(self, path: str, bounds: FolderLimits, process: int | None = None) -> None:
        """Open a folder.

        path: a folder prepared by `create_subfolders`. process: the process whose file size is limited, or None.
        """
        self._path = f"{path}/{FILES}"
        self._bounds = bounds
        self._folder = os.open(self._path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._inodes = os.open(f"{path}/{INODES}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._sizes: dict[int, int] = {}  # last known size of each file with a second link, in whole pages
        self._total = 0  # sum of the known sizes of files with a second link
        self._written: set[int] = set()  # files that may be open for writing
        self._uploaded = 0  # bytes of the files that came with the upload
        self._uploaded_folders: int | None = None
        self._folders = 0
        self._search_again = 0.0
        self._process = process
        self._length = bounds.longest

    def close(self) -> None:
        os.close(self._folder)
        os.close(self._inodes)

    def open(self, path: str, flags: int) -> int:
        """Open or create a file for the bot; return its new descriptor."""
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, "unnamed temporary files are not supported")
        flags &= _OPEN_FLAGS
        self.update_written_files()
        there = self._find_status(path)
        if there is None:
            if not flags & os.O_CREAT:
                raise FileNotFoundError(errno.ENOENT, path)
            _check_depth(path)
            self._need_room_for_one()
            flags |= os.O_EXCL
        else:
            if flags & os.O_CREAT and flags & os.O_EXCL:
                raise FileExistsError(errno.EEXIST, path)
            flags &= ~os.O_CREAT  # if the bot removes the file at this moment, no file is created unnoticed
        self._need_room_for_bytes(there, flags)
        descriptor = syscalls.open_beneath(self._folder, path, flags | os.O_CLOEXEC, 0o600)
        try:
            self._register(descriptor, path, 0 if there is None else there.st_size)
            self._limit_file_size()
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def make_folder(self, path: str) -> None:
        _check_depth(path)
        if self._uploaded_folders is None:
            self._uploaded_folders = self._count_folders()
        self._need_room_for_one()
        parent, name = self._open_parent(path)
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
        finally:
            os.close(parent)
        self._folders += 1

    def rename(self, old: str, new: str) -> None:
        found = self._find_status(old)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, old)
        if stat.S_ISDIR(found.st_mode) and new.count("/") > old.count("/"):
            raise OSError(errno.EXDEV, "a non-empty folder cannot be moved to a deeper level")  # programs then copy it
        _check_depth(new)
        old_parent, old_name = self._open_parent(old)
        try:
            new_parent, new_name = self._open_parent(new)
            try:
                os.rename(old_name, new_name, src_dir_fd=old_parent, dst_dir_fd=new_parent)
            finally:
                os.close(new_parent)
        finally:
            os.close(old_parent)

    def truncate(self, path: str, length: int) -> None:
        descriptor = self.open(path, os.O_WRONLY)
        try:
            if length > self._length:
                raise OSError(errno.EFBIG, path)
            os.ftruncate(descriptor, length)
        finally:
            os.close(descriptor)

    def check_folder(self, path: str) -> None:
        """Raise OSError unless the folder at `path` can be entered."""
        os.close(syscalls.open_beneath(self._folder, path or ".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))

    def update_written_files(self) -> int:
        """Determine which files the bot has closed, and their sizes. Return how many are open for writing."""
        for inode in tuple(self._written):
            descriptor = self._reopen(inode, os.O_RDONLY)
            try:
                if _can_lease(descriptor, fcntl.F_RDLCK):
                    self._written.discard(inode)
                self._record_size(inode, os.fstat(descriptor).st_size)
            finally:
                os.close(descriptor)
        return len(self._written)

    def _record_size(self, inode: int, size: int) -> None:
        self._total += _round_up_to_pages(size) - self._sizes.get(inode, 0)
        self._sizes[inode] = _round_up_to_pages(size)

    @property
    def _used_bytes(self) -> int:
        return self._total - self._uploaded

    def _need_room_for_one(self) -> None:
        if len(self._sizes) + self._folders >= self._bounds.files:
            self._release()
            if len(self._sizes) + self._folders >= self._bounds.files:
                raise OSError(errno.ENOSPC, "too many files and folders")

    def _need_room_for_bytes(self, there: os.stat_result | None, flags: int) -> None:
        inode = None if there is None else there.st_ino
        if len(self._written) >= MAX_WRITTEN and inode not in self._written:
            raise OSError(errno.EMFILE, "too many files open for writing")
        cut = 0
        if inode is not None and flags & os.O_TRUNC and flags & os.O_ACCMODE:
            cut = self._sizes.get(inode, 0)
        if self._used_bytes - cut >= self._bounds.total:
            self._release()
            if self._used_bytes - cut >= self._bounds.total:
                raise OSError(errno.ENOSPC, "too many bytes")

    def _register(self, descriptor: int, path: str, uploaded: int) -> None:
        inode = os.fstat(descriptor).st_ino
        if inode not in self._sizes:
            parent, name = self._open_parent(path)
            try:
                os.link(name, str(inode), src_dir_fd=parent, dst_dir_fd=self._inodes, follow_symlinks=False)
            finally:
                os.close(parent)
            self._uploaded += _round_up_to_pages(uploaded)
        self._record_size(inode, os.fstat(descriptor).st_size)
        self._written.add(inode)

    def _limit_file_size(self) -> None:
        """Set the maximum length of a file open for writing, so that all files fit in twice ``FolderLimits.total``.

        Every such file gets an equal share of the free space, from ``FolderLimits.least`` to ``FolderLimits.longest``.
        """
        sizes = sorted((self._sizes[inode] for inode in self._written), reverse=True)
        left = 2 * self._bounds.total - self._used_bytes + sum(sizes)
        share = 0
        for position, size in enumerate(sizes):
            share = left // (len(sizes) - position)
            if size <= share:
                break
            left -= size
        self._length = min(max(share, self._bounds.least), self._bounds.longest)
        if self._process is not None:
            _, hard = resource.prlimit(self._process, resource.RLIMIT_FSIZE)
            soft = max(self._length, self._bounds.least)
            resource.prlimit(self._process, resource.RLIMIT_FSIZE, (min(soft, hard), hard))

    def _release(self) -> None:
        """Release removed files that nobody has open, and count the remaining folders."""
        if time.monotonic() < self._search_again:
            return  # a bot with a full folder must not keep the server busy
        before = len(self._sizes) + self._folders
        for inode in self._sizes.keys() - self._written:
            if os.stat(str(inode), dir_fd=self._inodes).st_nlink == 1:
                self._delete_file(inode)
        if self._uploaded_folders is not None:
            self._folders = max(0, self._count_folders() - self._uploaded_folders)
        found = before - len(self._sizes) - self._folders
        if found * _WORTHWHILE < before:
            self._search_again = time.monotonic() + _PAUSE

    def _delete_file(self, inode: int) -> None:
        descriptor = self._reopen(inode, os.O_RDWR)
        try:
            if _can_lease(descriptor, fcntl.F_WRLCK):
                os.ftruncate(descriptor, 0)  # a process that opened it at the last moment gets an empty file
                os.unlink(str(inode), dir_fd=self._inodes)
                self._record_size(inode, 0)
                del self._sizes[inode]
        finally:
            os.close(descriptor)

    def _reopen(self, inode: int, flags: int) -> int:
        return os.open(str(inode), flags | os.O_CLOEXEC, dir_fd=self._inodes)

    def _find_status(self, path: str) -> os.stat_result | None:
        try:
            descriptor = syscalls.open_beneath(self._folder, path or ".", os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def _open_parent(self, path: str) -> tuple[int, str]:
        """Return a descriptor of the parent folder of a path, and the name in that folder."""
        if not path:
            raise OSError(errno.EBUSY, "the folder itself")
        folder, _, name = path.rpartition("/")
        flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
        return syscalls.open_beneath(self._folder, folder or ".", flags), name

    def _count_folders(self) -> int:
        return sum(len(folders) for _, folders, _ in os.walk(self._path))


def _round_up_to_pages(size: int) -> int:
    return -(-size // _PAGE) * _PAGE


def _check_depth(path: str) -> None:
    if path.count("/") >= _DEEPEST:
        raise OSError(errno.ENAMETOOLONG, "nested too deep")


def _can_lease(descriptor: int, kind: int) -> bool:
    """Return whether the kernel grants a lease.

    It grants a read lease if nobody has the file open or mapped for writing, and a write lease if nobody else has the
    file open at all.
    """
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, kind)
    except BlockingIOError:
        return False
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True
