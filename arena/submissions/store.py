"""Store uploaded packages by content hash: in local files, or in an object store.

Invariants: stored data is either complete or absent, is readable only by the site's account, never changes, and matches
the hash in its name. Damaged data is reported and never run, wherever it comes from. Stored data is never served to a
browser unchanged.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from django.conf import settings

from arena.core.messages import ExplainedFailure
from arena.core.referee.failure_messages import FILES_DAMAGED, FILES_UNREADABLE
from arena.core.sandbox.uploads.package import MAIN, Package, PackageFile
from arena.platform.jobs.attempt import JobPostponed
from arena.submissions.blobs import BlobMissingError, BlobStore, FileBlobStore
from arena.submissions.cache import PackageCache
from arena.submissions.object_store import ObjectBlobStore

# A fixed timestamp for all archives, so that equal packages produce identical bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


class ContentLost(ExplainedFailure):
    """Raised if a stored package is missing or damaged."""


class DiskFull(JobPostponed):
    """Raised if data could not be written because the disk is full."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def _disk_full_errors() -> Iterator[None]:
    """Convert disk-full errors raised in the block to DiskFull."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DiskFull(str(error)) from error


@_disk_full_errors()
def store_package(package: Package) -> None:
    """Store a package, unless it is already stored. Raises DiskFull, StoreUnavailable."""
    data = zip_files(package.files)
    _blob_store().put(package.sha256, data)
    copies = _local_cache()
    if copies is not None:
        copies.put(package.sha256, data)


def load_package(sha256: str) -> Package:
    """Return the package with this hash. Raises ContentLost, StoreUnavailable.

    Damaged local copies are downloaded again.
    """
    copies = _local_cache()
    copy = copies.get(sha256) if copies is not None else None
    if copies is None or copy is None:
        return _fetch_package(sha256, copies)
    with suppress(ContentLost):
        return _unpack_package(sha256, copy)
    copies.drop(sha256)
    return _fetch_package(sha256, copies)


def put_blob(name: str, data: bytes) -> None:
    """Store arbitrary bytes under their hash. Raises DiskFull, StoreUnavailable."""
    with _disk_full_errors():
        _blob_store().put(name, data)


def load_blob(name: str) -> bytes:
    """Return bytes stored by ``put_blob``.

    Raises BlobMissingError, StoreUnavailable or, if the bytes are damaged, ContentLost.
    """
    data = _blob_store().get(name)
    if hashlib.sha256(data).hexdigest() != name:
        raise ContentLost(FILES_DAMAGED(), f"{name}: its content has a different hash")
    return data


def _fetch_package(sha256: str, copies: PackageCache | None) -> Package:
    try:
        data = _blob_store().get(sha256)
    except BlobMissingError as error:
        raise ContentLost(FILES_UNREADABLE(), f"Package {sha256}: {error}") from error
    package = _unpack_package(sha256, data)
    if copies is not None:
        copies.put(sha256, data)
    return package


def _unpack_package(sha256: str, data: bytes) -> Package:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            package = Package.from_files({name: packed.read(name) for name in packed.namelist()})
    except (OSError, zipfile.BadZipFile, zlib.error) as error:
        raise ContentLost(FILES_UNREADABLE(), f"Package {sha256}: {error}") from error
    if package.sha256 != sha256:
        raise ContentLost(FILES_DAMAGED(), f"Package {sha256}: its content has the hash {package.sha256}")
    return package


def download_of(package: Package) -> tuple[bytes, str]:
    """Return the owner's download (the single file, or an archive of all files) and its file extension."""
    if [file.path for file in package.files] == [MAIN]:
        return package.files[0].data, ".py"
    return zip_files(package.files), ".zip"


def zip_files(files: tuple[PackageFile, ...]) -> bytes:
    """Create a .zip archive of the files; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            member = zipfile.ZipInfo(file.path, _EPOCH)
            member.external_attr = 0o644 << 16
            packed.writestr(member, file.data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


@contextmanager
def unpacked_package(sha256: str) -> Iterator[Path]:
    """Unpack the package into a temporary folder, and yield its path.

    Raises ContentLost, DiskFull, StoreUnavailable.
    """
    with temporary_folder(load_package(sha256)) as folder:
        yield folder


@contextmanager
def temporary_folder(package: Package) -> Iterator[Path]:
    """Yield the path of a temporary folder that contains the package's files. Raises DiskFull."""
    with _disk_full_errors():
        settings.SCRATCH_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        private = Path(tempfile.mkdtemp(dir=settings.SCRATCH_DIR))
    folder = private / "bot"
    try:
        with _disk_full_errors():
            folder.mkdir(mode=0o755)
            # independent of the umask: the jail's user reads this folder, whose parent only the worker can enter
            folder.chmod(0o755)
            package.write_to(folder)
        yield folder
    finally:
        shutil.rmtree(private, ignore_errors=True)


def mark_in_use(folder: Path) -> None:
    """Mark a folder from ``temporary_folder`` as in use, for work that takes longer than a task's time limit."""
    with suppress(FileNotFoundError):
        os.utime(folder.parent)


def delete_abandoned_folders(*, older_than: float = settings.TASK_SECONDS) -> None:
    """Delete folders left by killed workers, but not those of running tasks."""
    if not settings.SCRATCH_DIR.is_dir():
        return
    before = time.time() - older_than
    for folder in settings.SCRATCH_DIR.iterdir():
        try:
            abandoned = folder.stat().st_mtime < before
        except FileNotFoundError:  # the folder's owner has just deleted it
            continue
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)


def _blob_store() -> BlobStore:
    if settings.SUBMISSIONS_STORE:
        return _object_store(settings.SUBMISSIONS_STORE, settings.SUBMISSIONS_STORE_SECONDS)
    return FileBlobStore(settings.SUBMISSIONS_DIR)


def _local_cache() -> PackageCache | None:
    """Return the cache of local copies; None if the store itself is local."""
    if not settings.SUBMISSIONS_STORE:
        return None
    return PackageCache(settings.SUBMISSIONS_CACHE_DIR, max_bytes=settings.SUBMISSIONS_CACHE_MB * 2**20)


@cache
def _object_store(address: str, seconds: float) -> ObjectBlobStore:
    """Return the object store's client, which all calls in a process share; ``seconds``: how long it retries."""
    return ObjectBlobStore(address, seconds)
