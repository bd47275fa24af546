from __future__ import annotations

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_django import Settings

from arena.core.referee.failure_messages import FILES_DAMAGED, FILES_UNREADABLE
from arena.core.sandbox.uploads.package import Package, read_package
from arena.submissions import store

PACKAGE = Package.from_files(
    {"main.py": b"import deep.part\n", "deep/part.py": b"x = 1\n", "table.bin": bytes(range(256))}
)


@pytest.fixture(autouse=True)
def folders(settings: Settings, tmp_path: Path) -> Path:
    settings.SUBMISSIONS_DIR = tmp_path / "submissions"
    settings.SCRATCH_DIR = tmp_path / "scratch"
    return tmp_path


def blob(folders: Path) -> Path:
    (path,) = (path for path in (folders / "submissions").rglob("*") if path.is_file())
    return path


def test_stored_package_can_be_loaded(folders: Path) -> None:
    store.store_package(PACKAGE)
    store.store_package(PACKAGE)
    assert store.load_package(PACKAGE.sha256) == PACKAGE
    assert stat.S_IMODE(blob(folders).stat().st_mode) == 0o600
    assert stat.S_IMODE(blob(folders).parent.stat().st_mode) == 0o700


def test_package_modified_on_disk_is_refused(folders: Path) -> None:
    store.store_package(PACKAGE)
    other = Package.from_files({"main.py": b"import os\n"})
    blob(folders).write_bytes(store.zip_files(other.files))
    with pytest.raises(store.ContentLost) as seen:
        store.load_package(PACKAGE.sha256)
    assert seen.value.message == FILES_DAMAGED()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 cut off"])
def test_corrupt_package_is_reported(folders: Path, data: bytes) -> None:
    store.store_package(PACKAGE)
    blob(folders).write_bytes(data)
    with pytest.raises(store.ContentLost) as seen:
        store.load_package(PACKAGE.sha256)
    assert seen.value.message == FILES_UNREADABLE()


def test_missing_package_is_reported() -> None:
    with pytest.raises(store.ContentLost) as seen:
        store.load_package("0" * 64)
    assert seen.value.message == FILES_UNREADABLE()


def test_scratch_folder_is_readable_in_the_jail_and_then_deleted(folders: Path) -> None:
    store.store_package(PACKAGE)
    umask = os.umask(0o077)
    try:
        with store.unpacked_package(PACKAGE.sha256) as folder:
            assert (folder / "deep" / "part.py").read_bytes() == b"x = 1\n"
            assert stat.S_IMODE(folder.stat().st_mode) == 0o755
            assert stat.S_IMODE((folder / "main.py").stat().st_mode) == 0o644
            assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    finally:
        os.umask(umask)
    assert list((folders / "scratch").iterdir()) == []


def test_scratch_folder_is_deleted_after_an_exception(folders: Path) -> None:
    store.store_package(PACKAGE)
    with pytest.raises(RuntimeError), store.unpacked_package(PACKAGE.sha256):
        raise RuntimeError
    assert list((folders / "scratch").iterdir()) == []


def test_folders_of_killed_workers_are_deleted(folders: Path) -> None:
    store.delete_abandoned_folders()
    old, new = folders / "scratch" / "old", folders / "scratch" / "new"
    (old / "bot").mkdir(parents=True)
    new.mkdir()
    os.utime(old, (0, 0))
    store.delete_abandoned_folders()
    assert list((folders / "scratch").iterdir()) == [new]


def test_folder_in_use_is_not_deleted(folders: Path) -> None:
    with store.temporary_folder(PACKAGE) as folder:
        os.utime(folder.parent, (0, 0))
        store.mark_in_use(folder)
        store.delete_abandoned_folders()
        assert (folder / "main.py").exists()
    store.mark_in_use(folder)


def test_download_can_be_uploaded_again() -> None:
    single = Package.from_files({"main.py": b"x = 1\n"})
    assert store.download_of(single) == (b"x = 1\n", ".py")
    data, ending = store.download_of(PACKAGE)
    assert ending == ".zip"
    assert read_package(data, "again.zip") == PACKAGE


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit this process's files to a few bytes, so that further writes fail as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_leaves_no_files_behind(folders: Path) -> None:
    with full_disk(), pytest.raises(store.DiskFull):
        store.store_package(PACKAGE)
    with full_disk(), pytest.raises(store.DiskFull), store.temporary_folder(PACKAGE):
        pytest.fail("there is nothing to run")
    assert [path for path in folders.rglob("*") if path.is_file()] == []
    store.store_package(PACKAGE)
    assert store.load_package(PACKAGE.sha256) == PACKAGE
