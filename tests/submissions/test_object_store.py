"""Machines share uploads through an object store; tested with a real client and moto's server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from arena.core.referee.failure_messages import FILES_DAMAGED, FILES_UNREADABLE
from arena.core.sandbox.uploads.package import Package
from arena.submissions import store
from arena.submissions.blobs import StoreUnavailable
from arena.submissions.cache import PackageCache
from arena.submissions.models import Submission
from tests import factories
from tests.object_store import ObjectStore, running_store
from tests.refusals import form_codes
from tests.running_site import free_port

PACKAGE = Package.from_files({"main.py": b"import deep.part\n", "deep/part.py": b"x = 1\n"})
OTHER = Package.from_files({"main.py": b"import os\n"})


@pytest.fixture(scope="module")
def objects() -> Iterator[ObjectStore]:
    with running_store() as running:
        yield running


@pytest.fixture
def machine(objects: ObjectStore, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Configure a machine that uses the object store; return the folder of its local files, which is empty."""
    for name, value in objects.variables.items():
        monkeypatch.setenv(name, value)
    settings.SUBMISSIONS_STORE = f"{objects.variables['SUBMISSIONS_STORE']}/{tmp_path.name}"
    settings.SUBMISSIONS_STORE_SECONDS = 1.0
    settings.SUBMISSIONS_DIR = tmp_path / "submissions"
    settings.SUBMISSIONS_CACHE_DIR = tmp_path / "cache"
    return tmp_path


def key(machine: Path, package: Package) -> str:
    return f"arena/{machine.name}/{package.sha256[:2]}/{package.sha256}"


def copies(machine: Path) -> list[Path]:
    return [path for path in (machine / "cache").rglob("*") if path.is_file()]


def delete_copies(machine: Path) -> None:
    for path in copies(machine):
        path.unlink()


def test_package_is_shared_between_machines(machine: Path, objects: ObjectStore) -> None:
    store.store_package(PACKAGE)
    store.store_package(PACKAGE)
    assert objects.get(key(machine, PACKAGE)) == store.zip_files(PACKAGE.files)
    assert not (machine / "submissions").exists()
    delete_copies(machine)
    assert store.load_package(PACKAGE.sha256) == PACKAGE
    assert [path.name for path in copies(machine)] == [PACKAGE.sha256]


def test_stored_package_is_cached_locally(machine: Path, objects: ObjectStore) -> None:
    store.store_package(PACKAGE)
    objects.delete(key(machine, PACKAGE))
    assert store.load_package(PACKAGE.sha256) == PACKAGE


def test_corrupt_copy_is_downloaded_again(machine: Path) -> None:
    store.store_package(PACKAGE)
    (copy,) = copies(machine)
    for damage in (b"", store.zip_files(OTHER.files)):
        copy.write_bytes(damage)
        assert store.load_package(PACKAGE.sha256) == PACKAGE
        assert copy.read_bytes() == store.zip_files(PACKAGE.files)


def test_modified_object_is_refused(machine: Path, objects: ObjectStore) -> None:
    store.store_package(PACKAGE)
    objects.put(key(machine, PACKAGE), store.zip_files(OTHER.files))
    delete_copies(machine)
    with pytest.raises(store.ContentLost) as seen:
        store.load_package(PACKAGE.sha256)
    assert seen.value.message == FILES_DAMAGED()
    assert copies(machine) == []


def test_object_is_never_overwritten(machine: Path, objects: ObjectStore) -> None:
    objects.put(key(machine, PACKAGE), b"what was there first")
    store.store_package(PACKAGE)
    assert objects.get(key(machine, PACKAGE)) == b"what was there first"


@pytest.mark.usefixtures("machine")
def test_missing_object_is_reported_as_lost() -> None:
    with pytest.raises(store.ContentLost) as seen:
        store.load_package("0" * 64)
    assert seen.value.message == FILES_UNREADABLE()


def test_unreachable_store_is_unavailable_and_nothing_is_lost(
    machine: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    store.store_package(PACKAGE)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    settings.SUBMISSIONS_STORE += "/elsewhere"  # forces a new client
    assert store.load_package(PACKAGE.sha256) == PACKAGE, "from the copy"
    with pytest.raises(StoreUnavailable, match="s3://uploads"):
        store.load_package(OTHER.sha256)
    with pytest.raises(StoreUnavailable, match="s3://uploads"):
        store.store_package(OTHER)


@pytest.mark.django_db
def test_pages_report_an_unavailable_store(machine: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    settings.SUBMISSIONS_STORE += "/elsewhere"
    submission = factories.submission(factories.bot())
    client = Client()
    client.force_login(submission.bot.owner)
    answer = client.get(f"/submissions/{submission.pk}/source/")
    assert answer.status_code == 503

    before = Submission.objects.count()
    source = {"game": "reversi", "name": "Kept back", "source": "def get_move(state):\n    return None\n"}
    answer = client.post("/bots/new/", source)
    assert form_codes(answer) == ["storage_unavailable"]
    assert "Kept back" in answer.content.decode(), "what was written is still in the form"
    assert Submission.objects.count() == before


def test_local_copies_stay_within_their_size_limit(tmp_path: Path) -> None:
    cache = PackageCache(tmp_path, max_bytes=250)
    for age, name in enumerate(("aa1", "bb2", "cc3")):
        cache.put(name, bytes(100))
        path = tmp_path / name[:2] / name
        if path.exists():
            os.utime(path, (1000 + age, 1000 + age))
    assert cache.get("aa1") is None
    assert cache.get("bb2") == bytes(100)  # now recently used, so the other one is evicted next
    cache.put("dd4", bytes(100))
    assert [cache.get(name) is not None for name in ("bb2", "cc3", "dd4")] == [True, False, True]
