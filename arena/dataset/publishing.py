"""Publish versions of the dataset atomically, and delete old ones.

Invariants: files are written to a hidden folder, which is then renamed atomically; only one process does this at a
time; a published version never changes and can only be removed. Two runs for the same day with the same database and
settings write the same bytes.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

from django.conf import settings

from arena.dataset import versions
from arena.dataset.documents import documents
from arena.dataset.match_rows import row_generators
from arena.dataset.parquet import write_table
from arena.dataset.reference_rows import reference_tables
from arena.dataset.schema import TABLES, VERSION, Table
from arena.dataset.selection import MAX_MATCHES_PER_FILE, Partition, Selection, midnight, partitions, public_matches
from arena.games.registry import GAMES
from arena.platform.refusal import Refused

logger = logging.getLogger(__name__)

_STAGING: Final = ".writing"
_REMOVED: Final = ".removed-"
_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A published version; ``rows``: the number of rows in each table."""

    version: versions.DatasetVersion
    rows: dict[str, int]


def publish(until: date, *, max_in_a_file: int = MAX_MATCHES_PER_FILE) -> PublishedVersion:
    """Publish the matches that ended before this day (UTC), and delete old versions. Raises Refused."""
    name = versions.version_name(until, VERSION)
    with _publishing_lock():
        if name in versions.version_names():
            raise Refused(
                f"The version {name} already exists. Remove it first, or choose another day.", code="version_exists"
            )
        staging = _empty_staging()
        try:
            rows = _write_files(staging, midnight(until), max_in_a_file)
            _write_checksums(staging)
            staging.rename(settings.DATASET_DIR / name)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        _delete_old_versions()
    made = versions.version(name)
    assert made is not None  # noqa: S101 - it was just made
    logger.info("dataset %s published: %s files, %s bytes", name, len(made.files), made.size)
    return PublishedVersion(made, rows)


def is_due(today: date, days: int) -> bool:
    """Return whether the newest version is at least this many days old.

    If there is no version, return whether there is anything to publish.
    """
    newest = versions.newest_day()
    if newest is not None:
        return (today - newest).days >= days
    return any(public_matches(game, midnight(today)).exists() for game in GAMES)


def remove_version(name: str) -> None:
    """Remove a version, for example because somebody must no longer appear in it. Raises Refused."""
    with _publishing_lock():
        if name not in versions.version_names():
            raise Refused(
                f"There is no version {name}. Published: {', '.join(versions.version_names()) or 'none'}.",
                code="no_such_version",
            )
        _delete_folder(settings.DATASET_DIR / name)


@contextmanager
def _publishing_lock() -> Iterator[None]:
    folder: Path = settings.DATASET_DIR
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                "Another process is writing the dataset. Try again when it has finished.", code="already_writing"
            ) from None
        yield


def _empty_staging() -> Path:
    """Return an empty staging folder, after deleting the files of any process that died.

    The caller must hold the lock.
    """
    folder: Path = settings.DATASET_DIR
    for left in folder.glob(f"{_REMOVED}*"):
        shutil.rmtree(left)
    staging = folder / _STAGING
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    return staging


@dataclass(frozen=True, slots=True)
class _WrittenPartition:
    """A partition whose files have been written.

    ``submissions``: the submissions that played in it; ``rows``: the number of rows in each table.
    """

    chosen: Selection
    submissions: frozenset[int]
    rows: dict[str, int]


def _write_files(folder: Path, until: datetime, most: int) -> dict[str, int]:
    """Write all files of a version; return the number of rows in each table.

    If a match is hidden or added meanwhile, the affected files are rewritten. ``most``: see ``partitions``.
    """
    done: dict[Partition, _WrittenPartition] = {}
    stale = partitions(until, most)
    for _ in range(_ATTEMPTS):
        done.update({partition: _write_partition(folder, partition) for partition in stale})
        stale = _stale_partitions(done)
        if stale:
            continue
        rows = _write_references(folder, until, list(done.values()))
        stale = _stale_partitions(done)
        if not stale:
            return rows
    raise Refused(
        "Matches were hidden or added during every attempt to write the dataset. Try again later.", code="unstable"
    )


def _stale_partitions(done: Mapping[Partition, _WrittenPartition]) -> list[Partition]:
    return [partition for partition, written in done.items() if not written.chosen.is_current]


def _write_references(folder: Path, until: datetime, written: list[_WrittenPartition]) -> dict[str, int]:
    """Write the tables to which matches refer, and the documents; return the number of rows in each table."""
    played = frozenset[int]().union(*(partition.submissions for partition in written))
    rows = {table.name: sum(partition.rows.get(table.name, 0) for partition in written) for table in TABLES}
    for table, found in reference_tables(played, until).items():
        rows[table.name] = write_table(folder / f"{table.name}.parquet", table, found)
    for name, text in documents(until.date(), rows).items():
        (folder / name).write_text(text, encoding="utf-8")
    return rows


def _write_partition(folder: Path, partition: Partition) -> _WrittenPartition:
    chosen, submissions = partition.select(), set[int]()
    rows = {
        table.name: write_table(folder / _file_name(table, partition), table, rows_of(chosen))
        for table, rows_of in row_generators(submissions).items()
    }
    return _WrittenPartition(chosen, frozenset(submissions), rows)


def _file_name(table: Table, partition: Partition) -> str:
    return f"{table.name}-{partition.label}.parquet"


def _write_checksums(folder: Path) -> None:
    """Write the checksums, and flush everything to disk before the folder is renamed."""
    lines = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
            os.fsync(file.fileno())
    with (folder / versions.CHECKSUMS).open("w", encoding="utf-8") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _delete_old_versions() -> None:
    for name in versions.version_names()[settings.DATASET_KEEP :]:
        _delete_folder(settings.DATASET_DIR / name)
        logger.info("dataset %s removed: the newest %s are kept", name, settings.DATASET_KEEP)


def _delete_folder(folder: Path) -> None:
    """Delete the folder of a version.

    The folder is renamed first, so that no page shows a half-deleted version; downloads in progress keep their files
    open.
    """
    gone = folder.with_name(f"{_REMOVED}{folder.name}")
    folder.rename(gone)
    shutil.rmtree(gone)
