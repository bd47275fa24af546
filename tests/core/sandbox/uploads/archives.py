"""Malformed uploads for tests, with names and file types that no ordinary archiver writes."""

from __future__ import annotations

import io
import warnings
import zipfile

import pytest

from arena.core.sandbox.uploads.package import PackageError, read_package

SOURCE = b"def get_move(state):\n    return 5\n"


def zip_members(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive that does not depend on the time, because the ids of parametrized tests contain archives."""
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", method) as archive:
        warnings.simplefilter("ignore")  # duplicate names
        for name, data in members:
            archive.writestr(_dated(name) if isinstance(name, str) else name, data, method)
    return target.getvalue()


def _dated(name: str) -> zipfile.ZipInfo:
    """Return a file or folder with the permissions that ``writestr`` sets, but with a constant date."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (0o40775 << 16 | 0x10) if name.endswith("/") else 0o600 << 16
    return info


def member(name: str, mode: int = 0, orig: str | None = None) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.filename = orig or name  # set after the constructor, which sanitizes names
    info.external_attr = mode << 16
    return info


def refusal_of(data: bytes, filename: str = "bot.zip") -> PackageError:
    """Return the refusal of an upload, after asserting that its message and its hint are full sentences."""
    with pytest.raises(PackageError) as caught:
        read_package(data, filename)
    error = caught.value
    assert error.message.text.endswith(".")
    assert error.hint.endswith(".")
    return error
