"""The published versions of the dataset on disk: each is a folder named by day and schema.

Invariant: a folder with such a name is complete, because it is renamed only after its files are written; the files
never change.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings

CHECKSUMS: Final = "SHA256SUMS"
_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})-v([1-9]\d{0,5})")


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A published file; ``sha256`` is hexadecimal."""

    name: str
    size: int
    sha256: str
    path: Path


@dataclass(frozen=True, slots=True)
class DatasetVersion:
    """A published version of the dataset.

    ``day``: the version contains the matches that ended before it. ``files``: documents first, then tables by name.
    """

    name: str
    day: date
    schema: int
    files: tuple[PublishedFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def file(self, name: str) -> PublishedFile | None:
        return next((file for file in self.files if file.name == name), None)


def version_name(day: date, schema: int) -> str:
    return f"{day:%Y-%m-%d}-v{schema}"


def versions() -> list[DatasetVersion]:
    """Return the published versions, newest first."""
    return sorted(
        (_read_version(settings.DATASET_DIR / name) for name in version_names()), key=_age_order, reverse=True
    )


def version_names() -> list[str]:
    """Return the names of all versions, newest first."""
    folder: Path = settings.DATASET_DIR
    if not folder.is_dir():
        return []
    found = [path.name for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir()]
    return sorted(found, key=_parse_name, reverse=True)


def version(name: str) -> DatasetVersion | None:
    return _read_version(settings.DATASET_DIR / name) if name in version_names() else None


def newest_day() -> date | None:
    """Return the day of the newest version, or None if there is no version."""
    found = version_names()
    return _parse_name(found[0])[0] if found else None


def _age_order(one: DatasetVersion) -> tuple[date, int]:
    return one.day, one.schema


def _parse_name(name: str) -> tuple[date, int]:
    found = _NAME.fullmatch(name)
    assert found is not None  # noqa: S101 - ``version_names`` guarantees it
    return date.fromisoformat(found[1]), int(found[2])


def _read_version(folder: Path) -> DatasetVersion:
    return _read_checksums(folder, (folder / CHECKSUMS).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read_checksums(folder: Path, _made: int) -> DatasetVersion:
    """Return the version whose files are listed in a checksum file, which is itself part of the version."""
    listed = [line.split("  ", 1) for line in (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()]
    files = [_published_file(folder / name, digest) for digest, name in listed]
    files.append(_published_file(folder / CHECKSUMS, hashlib.sha256((folder / CHECKSUMS).read_bytes()).hexdigest()))
    files.sort(key=lambda file: (file.name.endswith(".parquet"), file.name))
    day, schema = _parse_name(folder.name)
    return DatasetVersion(folder.name, day, schema, tuple(files))


def _published_file(path: Path, digest: str) -> PublishedFile:
    return PublishedFile(path.name, path.stat().st_size, digest, path)
