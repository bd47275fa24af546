"""Recognize files that are not Python source, and check that sources are readable text.

Nothing is compiled here: that happens in the jail.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from typing import Final

from arena.core.sandbox.uploads.problems import PackageError, PackageProblem

# First bytes of common mistaken uploads.
_PAGES: Final = (b"<!doctype html", b"<html")
_DOCUMENTS: Final = ((b"%PDF", "a PDF document"), (b"{\\rtf", "a formatted text document (RTF)"))
_BINARIES: Final = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\xd0\xcf\x11\xe0", "an old Microsoft Office document"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a Linux program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"\xca\xfe\xba\xbe", "a macOS program or a Java class"),
    (b"\x93NUMPY", "a numpy array"),
    (b"\x80\x02", "a pickled Python object"),
    (b"\x80\x03", "a pickled Python object"),
    (b"\x80\x04", "a pickled Python object"),
    (b"\x80\x05", "a pickled Python object"),
)
_ARCHIVES: Final = (
    (0, b"Rar!", "a RAR archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ", "an xz archive"),
    (257, b"ustar", "a tar archive"),
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
            f"{filename} is not Python: it looks like a web page.",
            "Download the file itself, not the page that shows it (on GitHub, use the Raw button).",
        )
    if head.startswith(b"{") and b'"cells"' in data and b'"nbformat"' in data:
        raise PackageError(PackageProblem.NOTEBOOK, f"{filename} is a Jupyter notebook, not a Python file.")
    kind = next((kind for mark, kind in _DOCUMENTS if head.startswith(mark)), "")
    if not kind and not _is_text(data):
        packed = next((kind for offset, mark, kind in _ARCHIVES if data.startswith(mark, offset)), "")
        if packed:
            raise PackageError(
                PackageProblem.OTHER_ARCHIVE, f"{filename} is {packed}; the arena accepts only .zip archives."
            )
        kind = next((kind for mark, kind in _BINARIES if data.startswith(mark)), "")
        if _is_compiled(data):
            kind = "a compiled Python file (.pyc)"
    if kind:
        raise PackageError(PackageProblem.NOT_PYTHON, f"{filename} is not Python: it looks like {kind}.")


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
        raise PackageError(PackageProblem.EMPTY, f"{path} is empty.")
    check_encoding(path, data)


def check_encoding(path: str, data: bytes) -> None:
    """Raise PackageError unless the bytes are UTF-8 text that declares no other encoding (PEP 263).

    A declaration without effect is accepted: an ASCII file often declares another encoding.
    """
    if data.startswith(_UTF16):
        raise PackageError(PackageProblem.WRONG_ENCODING, f"{path} is saved in UTF-16, which Python cannot read.")
    nul = data.find(b"\0")
    if nul >= 0:
        raise PackageError(
            PackageProblem.NUL_BYTES, f"{path} is not text: it contains a null byte in {_place(data, nul)}."
        )
    encoding = _declared_encoding(path, data)
    if codecs.lookup(encoding).name not in _UTF8 and not _same_in_ascii(data, encoding):
        message = f"{path} declares the encoding {encoding[:40]}; the arena reads UTF-8 only."
        raise PackageError(PackageProblem.OTHER_ENCODING, message)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, data, error.start) from None


def _same_in_ascii(data: bytes, encoding: str) -> bool:
    try:
        return data.decode("ascii") == data.decode(encoding)
    except (LookupError, ValueError):
        return False


def _cookie(data: bytes) -> str | None:
    """Return the encoding that the first two lines declare (PEP 263); None if there is none before invalid UTF-8."""
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
        declared = _cookie(data)
        if declared is not None and not _is_known(declared):
            raise _unknown(path, declared) from None
        if declared is not None and data.startswith(codecs.BOM_UTF8):
            message = f"{path} begins with a UTF-8 byte order mark but declares another encoding."
            raise PackageError(PackageProblem.UNKNOWN_ENCODING, message) from None
        return "utf-8"  # the first lines are not UTF-8: decoding reports where
    if codecs.lookup(encoding).name.replace("_", "-") in _NO_CHARACTER_SETS or not _decodes_text(encoding):
        raise _unknown(path, encoding)
    return encoding


def _decodes_text(encoding: str) -> bool:
    """Return whether the codec decodes to text; some Python codecs, such as hex, produce bytes."""
    try:
        b"x".decode(encoding)
    except LookupError:
        return False
    except ValueError:
        return True
    return True


def _unknown(path: str, encoding: str) -> PackageError:
    message = f"{path} declares the encoding {encoding[:40]!r}, which is not valid for Python source code."
    return PackageError(PackageProblem.UNKNOWN_ENCODING, message)


def _not_utf8(path: str, data: bytes, start: int) -> PackageError:
    message = f"{path} is not UTF-8: byte 0x{data[start]:02x} in {_place(data, start)} is invalid."
    if _is_gbk(data):
        message += " It seems to be saved as GBK."
    return PackageError(PackageProblem.WRONG_ENCODING, message)


def _is_gbk(data: bytes) -> bool:
    try:
        text = data.decode("gbk")
    except UnicodeDecodeError:
        return False
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def _place(data: bytes, index: int) -> str:
    """Return the line and the byte column, both counted from 1."""
    line_start = data.rfind(b"\n", 0, index) + 1
    line = data.count(b"\n", 0, index) + 1
    return f"line {line}, column {index - line_start + 1}"
