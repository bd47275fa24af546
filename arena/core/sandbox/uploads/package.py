"""An upload as the arena stores it: files by path, and a content hash.

Invariants: a package has ``main.py``, safe relative paths and bytes within the limits; the same files give the same
hash regardless of their archive. Nothing in it has been compiled or executed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from arena.core.messages import Message, gettext_noop
from arena.core.sandbox.uploads import messages
from arena.core.sandbox.uploads.archive import MAX_FILES, MAX_UNPACKED_BYTES, read_archive, round_up_mebibytes
from arena.core.sandbox.uploads.problems import PackageError, PackageProblem
from arena.core.sandbox.uploads.sources import check_encoding, check_source, refuse_other_formats

__all__ = [
    "MAIN",
    "MAX_ARCHIVE_BYTES",
    "MAX_FILES",
    "MAX_SOURCE_BYTES",
    "MAX_UNPACKED_BYTES",
    "Package",
    "PackageError",
    "PackageFile",
    "PackageProblem",
    "read_package",
    "too_large_error",
]

MAIN: Final = "main.py"
_PROGRAM: Final = "__main__.py"  # Python runs this file in an archive, and Botzone requires it
MAX_SOURCE_BYTES: Final = 1024 * 1024
MAX_ARCHIVE_BYTES: Final = 8 * 1024 * 1024
_ZIP_MARKS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_SOURCES: Final = (".py", ".pyw", ".pyi")
_PLAYER: Final = re.compile(rb"^class\s+AIPlayer\b", re.MULTILINE)
_LISTED: Final = 8  # number of names shown when main.py is missing
# Windows cannot open files relative to a folder's descriptor; only a user's own bots are unpacked there.
_OPENS_BESIDE: Final = hasattr(os, "O_NOFOLLOW") and {os.open, os.mkdir} <= os.supports_dir_fd


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One file; ``path`` is relative, with slashes."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Package:
    """The files ordered by path, and the SHA-256 of their paths and contents, in hexadecimal."""

    files: tuple[PackageFile, ...]
    sha256: str

    @classmethod
    def from_files(cls, contents: Mapping[str, bytes]) -> Package:
        """Create a package from these files, keyed by path; the paths and ``main.py`` have already been checked."""
        files = tuple(PackageFile(path, contents[path]) for path in sorted(contents))
        digest = hashlib.sha256()
        for file in files:
            path = file.path.encode()
            digest.update(f"{len(path)} {len(file.data)}\n".encode() + path + file.data)
        return cls(files, digest.hexdigest())

    def write_to(self, folder: Path) -> None:
        """Write the files into a new or empty folder. Raises FileExistsError instead of overwriting.

        Creates or opens every part of a path without following links, if the system supports that.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if not _OPENS_BESIDE:
            for file in self.files:
                _write_by_path(folder, file)
            return
        root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            for file in self.files:
                _write(root, file)
        finally:
            os.close(root)


def read_package(data: bytes, filename: str) -> Package:
    """Read an uploaded file as a package. Raises PackageError.

    The content, not the name, determines the type: a .zip archive, otherwise one Python file, which becomes main.py.
    """
    shown = "".join(char for char in PurePosixPath(filename.replace("\\", "/")).name if char.isprintable())[:80]
    shown = shown or ("bot.zip" if data.startswith(_ZIP_MARKS) else MAIN)
    if not data:
        raise PackageError(PackageProblem.EMPTY, messages.EMPTY(name=shown))
    if data.startswith(_ZIP_MARKS):
        _check_size(data, MAX_ARCHIVE_BYTES, shown)
        contents = _move_main_to_top(read_archive(data, shown))
        refuse_other_formats(contents[MAIN], MAIN)
        check_source(MAIN, contents[MAIN])
        for path, content in contents.items():
            if path.endswith(_SOURCES):
                check_encoding(path, content)
        return Package.from_files(contents)
    refuse_other_formats(data, shown)
    if shown.lower().endswith(".zip"):
        raise PackageError(PackageProblem.DAMAGED_ARCHIVE, messages.NOT_A_ZIP(name=shown))
    _check_size(data, MAX_SOURCE_BYTES, shown)
    check_source(shown, data)
    return Package.from_files({MAIN: data})


def _check_size(data: bytes, max_size: int, shown: str) -> None:
    if len(data) > max_size:
        raise too_large_error(shown, len(data), max_size)


def too_large_error(name: str, size: int, max_size: int) -> PackageError:
    """Return the refusal of a file whose size in bytes exceeds ``max_size``."""
    message = messages.TOO_LARGE(name=name, size=round_up_mebibytes(size), most=max_size // (1024 * 1024))
    return PackageError(PackageProblem.TOO_LARGE, message)


def _move_main_to_top(contents: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with main.py at the top level.

    If a single folder contains all files, it is removed from their paths.

    If there is no main.py, a ``__main__.py`` replaces it.
    """
    if MAIN in contents:
        return contents
    if _PROGRAM in contents:
        return {MAIN if path == _PROGRAM else path: data for path, data in contents.items()}
    tops = {path.partition("/")[0] for path in contents}
    top = next(iter(tops), "")
    if len(tops) == 1 and contents.keys() & {f"{top}/{MAIN}", f"{top}/{_PROGRAM}"}:
        return _move_main_to_top({path.removeprefix(f"{top}/"): data for path, data in contents.items()})
    raise _no_main_error(contents)


def _no_main_error(contents: Mapping[str, bytes]) -> PackageError:
    paths = sorted(contents)
    players = [path for path in paths if path.endswith(".py") and _PLAYER.search(contents[path])]
    elsewhere = [path for path in paths if path.rpartition("/")[2] == MAIN]
    sources = [path for path in paths if path.endswith(".py")]
    similar = [path for path in sources if path.rpartition("/")[2].lower() == MAIN]
    if elsewhere:
        message = messages.MAIN_ELSEWHERE(paths=_list_names(elsewhere))
        hint = gettext_noop(
            "Create the archive from the folder that contains main.py, or from the files in that folder."
        )
        return PackageError(PackageProblem.NO_MAIN, message, hint)
    if similar:
        return PackageError(PackageProblem.NO_MAIN, messages.MAIN_IN_CAPITALS(path=similar[0]))
    if len(sources) == 1:
        message = messages.NO_MAIN_ONE_SOURCE(path=sources[0])
        hint = gettext_noop("Rename this file to main.py, or upload it on its own.")
        return PackageError(PackageProblem.NO_MAIN, message, hint)
    if len(players) == 1:
        message = messages.NO_MAIN_ONE_PLAYER(path=players[0])
        hint = gettext_noop("Rename this file to main.py and create the archive again.")
        return PackageError(PackageProblem.NO_MAIN, message, hint)
    message = messages.NO_MAIN(paths=_list_names(sources or paths)) if paths else messages.NO_FILES()
    return PackageError(PackageProblem.NO_MAIN, message)


def _list_names(paths: list[str]) -> Message | tuple[str, ...]:
    more = len(paths) - _LISTED
    listed = tuple(paths[:_LISTED])
    return messages.AND_MORE(paths=listed, n=more) if more > 0 else listed


def _write_by_path(folder: Path, file: PackageFile) -> None:
    path = folder.joinpath(*file.path.split("/"))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as target:
        target.write(file.data)


def _write(root: int, file: PackageFile) -> None:
    *folders, name = file.path.split("/")
    parent = os.dup(root)
    try:
        for folder in folders:
            child = _subfolder(parent, folder)
            os.close(parent)
            parent = child
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(name, flags, 0o644, dir_fd=parent), "wb") as target:
            os.fchmod(target.fileno(), 0o644)  # readable in the jail whatever the umask
            target.write(file.data)
    finally:
        os.close(parent)


def _subfolder(parent: int, name: str) -> int:
    created = False
    try:
        os.mkdir(name, 0o755, dir_fd=parent)
        created = True
    except FileExistsError:
        pass  # created for an earlier file; a link is refused by the flags below
    child = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    if created:
        os.fchmod(child, 0o755)
    return child
