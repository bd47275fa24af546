"""Every visitor can open the dataset page and download its files, and no other files on the disk."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.celery import CONFIGURATION, Queue
from arena.dataset import publishing, tasks, versions
from arena.dataset.versions import CHECKSUMS
from tests import factories
from tests.ratings.stored_matches import START, store_match

pytestmark = pytest.mark.django_db
UNTIL = date(2026, 3, 4)


def test_page_explains_that_no_version_exists_yet(folder: Path, settings: Settings) -> None:
    page = Client().get(reverse("data"))
    assert (page.context["is_on"], 'data-empty="none"' in page.content.decode()) == (True, True)
    settings.DATASET = False
    assert not Client().get(reverse("data")).context["is_on"]


@pytest.mark.long
def test_visitors_can_find_and_download_every_file(folder: Path) -> None:
    client = Client()
    for address in (reverse("home"), reverse("leaderboard", args=["reversi"])):
        assert reverse("data") in client.get(address).content.decode()
    publishing.publish(UNTIL)
    page = client.get(reverse("data")).content.decode()
    version = versions.versions()[0]
    assert version.size == sum(path.stat().st_size for path in (folder / version.name).iterdir())
    for file in version.files:
        address = reverse("data-file", args=[version.name, file.name])
        assert address in page
        assert file.sha256[:16] in page
        answer = client.get(address)
        assert b"".join(answer) == file.path.read_bytes()
        assert answer["Content-Disposition"].startswith("attachment;")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Type"].partition(";")[0] in {
            "application/vnd.apache.parquet",
            "application/json",
            "text/plain",
        }


@pytest.mark.parametrize("name", ["2026-03-04-v1", ".writing", "..", "2026-03-03-v1"])
@pytest.mark.parametrize("file", ["secret-key", "../../secret-key", "..", ".lock", "nothing.parquet", CHECKSUMS + "/"])
def test_other_files_on_disk_are_unreachable(folder: Path, name: str, file: str) -> None:
    for there in (folder / "2026-03-04-v1", folder / ".writing"):
        there.mkdir(parents=True)
        (there / CHECKSUMS).touch()
        (there / "secret-key").touch()
    (folder.parent / "secret-key").touch()
    assert Client().get(f"/data/{name}/{file}").status_code in {301, 404}


def test_weekly_task_publishes_when_due(folder: Path, settings: Settings) -> None:
    entry = CONFIGURATION["beat_schedule"]["dataset"]
    assert (entry["task"], entry["options"]["queue"]) == (tasks.publish.name, Queue.EXPORTS.value)
    tasks.publish()
    assert versions.version_names() == []  # no match was played yet
    one, other = factories.bot(), factories.bot()
    assert one.active is not None
    assert other.active is not None
    store_match([one.active, other.active], (1, 2))
    day = START.date()
    assert not publishing.is_due(day, 7)
    assert publishing.is_due(day.replace(day=day.day + 1), 7)
    settings.DATASET = False
    tasks.publish()
    assert versions.version_names() == []
    settings.DATASET = True
    tasks.publish()
    (made,) = versions.versions()
    tasks.publish()
    assert versions.versions() == [made]
    assert not publishing.is_due(made.day.replace(year=made.day.year), 7)
    assert publishing.is_due(date.fromordinal(made.day.toordinal() + 7), 7)
