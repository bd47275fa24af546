"""A worker on another machine needs only the database, the broker and the object store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.object_store import ObjectStore, running_store
from tests.platform.workers.real_workers import WorkerCluster, running_site
from tests.running_site import eventually

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def object_store() -> Iterator[ObjectStore]:
    with running_store() as running:
        yield running


@pytest.fixture(scope="module")
def site(object_store: ObjectStore) -> Iterator[WorkerCluster]:
    with running_site(**object_store.variables, SUBMISSIONS_STORE_SECONDS="1") as running:
        yield running


@pytest.fixture(autouse=True)
def no_worker_is_left(site: WorkerCluster) -> Iterator[None]:
    yield
    site.end_workers()


def files(site: WorkerCluster, machine: str) -> list[str]:
    """Return the top folder of each uploaded file on a machine's disk."""
    found = (path for path in (site.folder / machine).rglob("*") if path.is_file() and len(path.name) == 64)
    return [str(path.relative_to(site.folder / machine)).split("/")[0] for path in found]


def test_bot_is_transferred_through_the_object_store(site: WorkerCluster, object_store: ObjectStore) -> None:
    (match,) = site.queue("reversi", "random_move")
    site.start("-Q", "scrimmages", var="second")
    site.await_match(match, "finished")
    assert site.match(match) == ("finished", 1)
    assert files(site, "second") == ["cache"]
    assert files(site, "first") == ["cache"], "the machine that took the upload keeps no other copy either"

    (again,) = site.queue("reversi", "random_move")
    site.await_match(again, "finished")
    assert files(site, "second") == ["cache"], "the same bot travels once"


def test_match_waits_while_the_object_store_is_unavailable(site: WorkerCluster, object_store: ObjectStore) -> None:
    (match,) = site.queue("reversi", "most_discs")
    object_store.pause()
    try:
        worker = site.start("-Q", "scrimmages", var="third")
        eventually(lambda: f"match {match} keeps waiting: s3:" in worker.output(), f"no word: {worker.output()}")
        eventually(lambda: site.match(match) == ("queued", 0), f"counted or kept: {site.match(match)}")
    finally:
        object_store.resume()
    site.manage("shell", "-v", "0", "-c", f"from arena.matches.services import wake; wake([{match}])")
    site.await_match(match, "finished")
    assert site.match(match) == ("finished", 1)
