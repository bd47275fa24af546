"""Recognize files that are not Python source, and check that sources are readable text.

Nothing is compiled here: that happens in the jail.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from typing import Final

from arena.core.messages import gettext_noop
from arena.core.sandbox.uploads import messages
from arena.core.sandbox.uploads.problems import PackageError, PackageProblem

# First bytes of common mistaken uploads.
_PAGES: Final = (b"<!doctype html", b"<html")
_DOCUMENTS: Final = ((b"%PDF", messages.PDF), (b"{\\rtf", messages.RTF))
_BINARIES: Final = (
    (b"\x89PNG", messages.PNG),
    (b"\xff\xd8\xff", messages.JPEG),
    (b"GIF8", messages.GIF),
    (b"\xd0\xcf\x11\xe0", messages.OLD_OFFICE),
    (b"MZ", messages.WINDOWS_PROGRAM),
    (b"\x7fELF", messages.LINUX_PROGRAM),
    (b"\xcf\xfa\xed\xfe", messages.MACOS_PROGRAM),
    (b"\xca\xfe\xba\xbe", messages.MACOS_OR_JAVA),
    (b"\x93NUMPY", messages.NUMPY_ARRAY),
    (b"\x80\x02", messages.PICKLE),
    (b"\x80\x03", messages.PICKLE),
    (b"\x80\x04", messages.PICKLE),
    (b"\x80\x05", messages.PICKLE),
)
_ARCHIVES: Final = (
    (0, b"Rar!", messages.RAR),
    (0, b"7z\xbc\xaf\x27\x1c", messages.SEVEN_ZIP),
    (0, b"\x1f\x8b", messages.GZIP),
    (0, b"BZh", messages.BZIP2),
    (0, b"\xfd7zXZ", messages.XZ),
    (257, b"ustar", messages.TAR),
)
# Python accepts these names, but they are not character sets; some take very long to decode.
_NO_CHARACTER_SETS: Final = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"})
_UTF8: Final = frozenset({"utf-8", "utf-8-sig"})
_COOKIE: Final = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def refuse_other_formats(data: bytes, filename: str) -> None:
    """Raise PackageError for a recognized format that is neither Python source nor a .zip archive."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.lower().startswith(_PAGES):
        raise PackageError(
            PackageProblem.NOT_PYTHON,
            messages.NOT_PYTHON(name=filename, kind=messages.WEB_PAGE()),
            gettext_noop(
                "Download the file itself instead of the page that shows it. On GitHub, use the “Raw” button."
            ),
        )
    if head.startswith(b"{") and b'"cells"' in data and b'"nbformat"' in data:
        raise PackageError(PackageProblem.NOTEBOOK, messages.NOTEBOOK(name=filename))
    kind = next((kind for mark, kind in _DOCUMENTS if head.startswith(mark)), None)
    if kind is None and not _is_text(data):
        packed = next((kind for offset, mark, kind in _ARCHIVES if data.startswith(mark, offset)), None)
        if packed is not None:
            raise PackageError(PackageProblem.OTHER_ARCHIVE, messages.OTHER_ARCHIVE(name=filename, kind=packed()))
        kind = next((kind for mark, kind in _BINARIES if data.startswith(mark)), None)
        if _is_compiled(data):
            kind = messages.COMPILED
    if kind is not None:
        raise PackageError(PackageProblem.NOT_PYTHON, messages.NOT_PYTHON(name=filename, kind=kind()))


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _is_compiled(data: bytes) -> bool:
    """Return whether the data begins like a .pyc file: the interpreter's version, CR LF, flags (PEP 552)."""
    return data[1:2] in (b"\x0d", b"\x0e") and data[2:4] == b"\r\n" and data[5:8] == b"\0\0\0"


def check_source(path: str, data: bytes) -> None:
    """Raise PackageError unless the bytes are source code in UTF-8."""
    if not data.strip():
        raise PackageError(PackageProblem.EMPTY, messages.EMPTY(name=path))
    check_encoding(path, data)


def check_encoding(path: str, data: bytes) -> None:
    """Raise PackageError unless the bytes are UTF-8 text that declares no other encoding (PEP 263).

    A declaration without effect is accepted: an ASCII file often declares another encoding.
    """
    if data.startswith(_UTF16):
        raise PackageError(PackageProblem.WRONG_ENCODING, messages.UTF16(name=path))
    nul = data.find(b"\0")
    if nul >= 0:
        line, column = _position(data, nul)
        raise PackageError(PackageProblem.NUL_BYTES, messages.NUL_BYTE(name=path, line=line, column=column))
    encoding = _declared_encoding(path, data)
    if codecs.lookup(encoding).name not in _UTF8 and not _is_ascii_compatible(data, encoding):
        message = messages.OTHER_ENCODING(name=path, encoding=encoding[:40])
        raise PackageError(PackageProblem.OTHER_ENCODING, message)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8_error(path, data, error.start) from None


def _is_ascii_compatible(data: bytes, encoding: str) -> bool:
    """Return whether the data is ASCII and means the same in this encoding."""
    try:
        return data.decode("ascii") == data.decode(encoding)
    except (LookupError, ValueError):
        return False


def _declared_cookie(data: bytes) -> str | None:
    """Return the encoding that the first two lines declare (PEP 263); None if they declare none.

    A line that is not valid UTF-8 ends the search.
    """
    for line in data.removeprefix(codecs.BOM_UTF8).split(b"\n")[:2]:
        try:
            found = _COOKIE.match(line.decode("utf-8"))
        except UnicodeDecodeError:
            return None
        if found:
            return found[1]
    return None


def _is_known(encoding: str) -> bool:
    try:
        codecs.lookup(encoding)
    except LookupError:
        return False
    return True


def _declared_encoding(path: str, data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        declared = _declared_cookie(data)
        if declared is not None and not _is_known(declared):
            raise _unknown_encoding_error(path, declared) from None
        if declared is not None and data.startswith(codecs.BOM_UTF8):
            raise PackageError(PackageProblem.UNKNOWN_ENCODING, messages.MARKED_UTF8(name=path)) from None
        return "utf-8"  # the first lines are not UTF-8: decoding reports where
    if codecs.lookup(encoding).name.replace("_", "-") in _NO_CHARACTER_SETS or not _decodes_text(encoding):
        raise _unknown_encoding_error(path, encoding)
    return encoding


def _decodes_text(encoding: str) -> bool:
    """Return whether the encoding decodes to text; some Python codecs, such as hex, produce bytes."""
    try:
        b"x".decode(encoding)
    except LookupError:
        return False
    except ValueError:
        return True
    return True


def _unknown_encoding_error(path: str, encoding: str) -> PackageError:
    message = messages.UNKNOWN_ENCODING(name=path, encoding=repr(encoding[:40]))
    return PackageError(PackageProblem.UNKNOWN_ENCODING, message)


def _not_utf8_error(path: str, data: bytes, start: int) -> PackageError:
    line, column = _position(data, start)
    message = messages.NOT_UTF8(name=path, byte=f"0x{data[start]:02x}", line=line, column=column)
    if _is_gbk(data):
        message = messages.SEEMS_GBK(sentence=message)
    return PackageError(PackageProblem.WRONG_ENCODING, message)


def _is_gbk(data: bytes) -> bool:
    try:
        text = data.decode("gbk")
    except UnicodeDecodeError:
        return False
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def _position(data: bytes, index: int) -> tuple[int, int]:
    """Return the line and the byte column of the byte at ``index``, both counted from 1."""
    line_start = data.rfind(b"\n", 0, index) + 1
    line = data.count(b"\n", 0, index) + 1
    return line, index - line_start + 1
