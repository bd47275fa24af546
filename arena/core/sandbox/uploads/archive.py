"""Read an untrusted .zip archive without writing anything.

Invariants: nothing is repaired or renamed, so an archive with even one unsafe name is refused. Extracted data has
exactly the declared size and checksum, belongs to exactly one name, and stays within the limits in total, whatever the
archive claims.
"""

from __future__ import annotations

import io
import itertools
import math
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from arena.core.messages import Message
from arena.core.sandbox.uploads import messages
from arena.core.sandbox.uploads.problems import PackageError, PackageProblem

MAX_UNPACKED_BYTES: Final = 32 * 1024 * 1024
MAX_FILES: Final = 500
MAX_FOLDERS: Final = 500
MAX_MEMBERS: Final = 10_000  # including ignored files
MAX_RATIO: Final = 100  # only for an archive that unpacks to more than a megabyte
_RATIO_FROM_BYTES: Final = 1024 * 1024
_MAX_PATH_BYTES: Final = 200
_MAX_NAME_BYTES: Final = 100

_IGNORED_FOLDERS: Final = frozenset({"__MACOSX", "__pycache__", ".git", ".idea", ".vscode", ".ipynb_checkpoints"})
_IGNORED_FILES: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})

_NO_NAME: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # Unicode categories

_LOCAL_HEADER: Final = struct.Struct("<4s5H3I2H")
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1 | 0x40
_BROKEN: Final = (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, OSError, struct.error)


def read_archive(data: bytes, filename: str) -> dict[str, bytes]:
    """Return the files by path, without those that operating systems and editors add. Raises PackageError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except _BROKEN:
        raise _damage_error(filename, messages.IS_DAMAGED()) from None
    _refuse_documents(members, filename)
    if len(members) > MAX_MEMBERS:
        message = messages.TOO_MANY_MEMBERS(name=filename, n=len(members), most=MAX_MEMBERS)
        raise PackageError(PackageProblem.TOO_MANY_FILES, message)
    kept = []
    for member in members:
        path = _member_path(member)
        _check_kind(member, path)
        if not member.is_dir() and not _is_ignored(path):
            kept.append((path, member))
    _check_names([path for path, _ in kept])
    _check_folders([path for path, _ in kept], filename)
    _check_sizes([member for _, member in kept], len(data), filename)
    _check_overlaps(members, filename)
    return {path: _read_member(data, member, path) for path, member in kept}


def _refuse_documents(members: Iterable[zipfile.ZipInfo], filename: str) -> None:
    """Refuse Office documents and Java programs, which are .zip archives too."""
    names = {member.filename for member in members}
    kind = None
    if "[Content_Types].xml" in names:
        kind = messages.OFFICE
    elif "META-INF/manifest.xml" in names:
        kind = messages.LIBRE_OFFICE
    elif "META-INF/MANIFEST.MF" in names:
        kind = messages.JAVA_PROGRAM
    if kind is not None:
        raise PackageError(PackageProblem.NOT_PYTHON, messages.NOT_PYTHON(name=filename, kind=kind()))


def _member_path(member: zipfile.ZipInfo) -> str:
    """Return the member's original path. Raises PackageError if it is unsafe.

    Does not use ``filename``, because zipfile truncates it at a null byte.
    """
    path = _decode_name(member)
    shown = repr(path[:80])
    if "\\" in path:
        raise PackageError(PackageProblem.BACKSLASH, messages.BACKSLASH(path=shown))
    names = path.removesuffix("/").split("/")
    if path.startswith("/") or names[0][1:2] == ":":
        raise PackageError(PackageProblem.UNSAFE_PATH, messages.ABSOLUTE_PATH(path=shown))
    if ".." in names:
        raise PackageError(PackageProblem.UNSAFE_PATH, messages.OUTSIDE_PATH(path=shown))
    too_long = len(path.encode(errors="replace")) > _MAX_PATH_BYTES or any(
        len(name.encode(errors="replace")) > _MAX_NAME_BYTES for name in names
    )
    if too_long:
        raise PackageError(PackageProblem.UNSAFE_PATH, messages.LONG_PATH(path=shown))
    if not all(map(_is_name, names)):
        raise PackageError(PackageProblem.UNSAFE_PATH, messages.INVALID_NAME(path=shown))
    return path


def _is_name(name: str) -> bool:
    """Return whether a part of a path is a usable name.

    It must not be empty or ".", or contain control characters, bidirectional marks, surrogates or line separators.
    """
    return name not in ("", ".") and _NO_NAME.isdisjoint(map(unicodedata.category, name))


def _raw_name(member: zipfile.ZipInfo) -> bytes:
    return member.orig_filename.encode("utf-8" if member.flag_bits & _UTF8_NAME else "cp437")


def _decode_name(member: zipfile.ZipInfo) -> str:
    """Decode a name; if the UTF-8 flag is unset, the standard says cp437, but systems write UTF-8 or, in China, GBK."""
    if member.flag_bits & _UTF8_NAME:
        return member.orig_filename
    raw = _raw_name(member)
    for encoding in ("utf-8", "gbk"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return member.orig_filename


def _check_kind(member: zipfile.ZipInfo, path: str) -> None:
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode == stat.S_IFLNK:
        raise PackageError(PackageProblem.SYMLINK, messages.SYMLINK(path=path))
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise PackageError(PackageProblem.SPECIAL_FILE, messages.SPECIAL_FILE(path=path))
    if member.flag_bits & _ENCRYPTED:
        raise PackageError(PackageProblem.ENCRYPTED, messages.ENCRYPTED(path=path))
    if member.is_dir() and member.file_size:
        raise _damage_error(path, messages.FOLDER_WITH_DATA())


def _is_ignored(path: str) -> bool:
    *folders, name = path.split("/")
    return name in _IGNORED_FILES or name.endswith(".pyc") or not _IGNORED_FOLDERS.isdisjoint(folders)


def _check_names(paths: list[str]) -> None:
    """Refuse names that collide on case-insensitive or Unicode-normalizing file systems.

    A name that is used for both a file and a folder is refused too.
    """
    seen: dict[str, str] = {}
    for path in paths:
        earlier = seen.setdefault(_comparable_path(path), path)
        if earlier is not path:
            twice = earlier == path
            message = messages.TWICE(path=path) if twice else messages.COLLISION(path=earlier, other=path)
            raise PackageError(PackageProblem.DUPLICATE, message)
    for path in paths:
        for parent in _parent_folders(path):
            if _comparable_path(parent) in seen:
                raise PackageError(PackageProblem.DUPLICATE, messages.FILE_AND_FOLDER(path=parent))


def _parent_folders(path: str) -> Iterator[str]:
    return itertools.accumulate(path.split("/")[:-1], "{}/{}".format)


def _check_folders(paths: list[str], filename: str) -> None:
    """Raise PackageError if there are too many folders.

    A short path can contain a hundred folders, and every start of the bot creates and removes them all.
    """
    folders = {parent for path in paths for parent in _parent_folders(path)}
    if len(folders) > MAX_FOLDERS:
        message = messages.TOO_MANY_FOLDERS(name=filename, n=len(folders), most=MAX_FOLDERS)
        raise PackageError(PackageProblem.TOO_MANY_FILES, message)


def _comparable_path(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _check_sizes(members: list[zipfile.ZipInfo], packed: int, filename: str) -> None:
    if len(members) > MAX_FILES:
        message = messages.TOO_MANY_FILES(name=filename, n=len(members), most=MAX_FILES)
        raise PackageError(PackageProblem.TOO_MANY_FILES, message)
    total = sum(member.file_size for member in members)
    if total > _RATIO_FROM_BYTES and total > MAX_RATIO * packed:
        message = messages.BOMB(name=filename, times=total // packed, most=MAX_RATIO)
        raise PackageError(PackageProblem.BOMB, message)
    if total > MAX_UNPACKED_BYTES:
        most = MAX_UNPACKED_BYTES // (1024 * 1024)
        message = messages.UNPACKED_TOO_LARGE(name=filename, size=round_up_mebibytes(total), most=most)
        raise PackageError(PackageProblem.UNPACKED_TOO_LARGE, message)


def round_up_mebibytes(size: int) -> float:
    """Convert bytes to MiB, rounded up to one decimal, so that a size above a limit never looks equal to the limit."""
    return math.ceil(size / 1024 / 1024 * 10) / 10


def _check_overlaps(members: list[zipfile.ZipInfo], filename: str) -> None:
    """Refuse overlapping members, which could make a small archive unpack to a huge size."""
    spans = sorted(
        (member.header_offset, member.header_offset + _LOCAL_HEADER.size + member.compress_size) for member in members
    )
    if (spans and spans[0][0] < 0) or any(end > start for (_, end), (start, _) in itertools.pairwise(spans)):
        raise _damage_error(filename, messages.OVERLAP())


def _read_member(data: bytes, member: zipfile.ZipInfo, path: str) -> bytes:
    """Return the member's bytes, exactly as many as declared. Raises PackageError."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise PackageError(PackageProblem.COMPRESSION, messages.COMPRESSION(path=path))
    header = data[member.header_offset : member.header_offset + _LOCAL_HEADER.size]
    if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\x03\x04"):
        raise _damage_error(path, messages.NO_HEADER())
    name_length, extra_length = _LOCAL_HEADER.unpack(header)[-2:]
    name_start = member.header_offset + _LOCAL_HEADER.size
    start = name_start + name_length + extra_length
    if data[name_start : name_start + name_length] != _raw_name(member):
        raise _damage_error(path, messages.OTHER_NAME())
    content = _inflate(data[start : start + member.compress_size], member, path)
    if zlib.crc32(content) != member.CRC:
        raise _damage_error(path, messages.WRONG_CHECKSUM())
    return content


def _inflate(packed: bytes, member: zipfile.ZipInfo, path: str) -> bytes:
    if len(packed) != member.compress_size:
        raise _damage_error(path, messages.CUT_OFF())
    if member.compress_type == zipfile.ZIP_STORED:
        content, complete = packed, True
    else:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = stream.decompress(packed, member.file_size + 1)
        except zlib.error:
            raise _damage_error(path, messages.INVALID_DATA()) from None
        complete = stream.eof and not stream.unused_data
    if not complete or len(content) != member.file_size:
        raise _damage_error(path, messages.WRONG_SIZE())
    return content


def _damage_error(name: str, reason: Message) -> PackageError:
    return PackageError(PackageProblem.DAMAGED_ARCHIVE, messages.DAMAGED(name=name, reason=reason))
