"""Anyone with the link can see a recording, signed-in people can upload one, and its owner and staff can delete it."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from arena.accounts.models import Role, User
from arena.games.golden_point.evaluation.recorded_file import MAX_BYTES, read
from arena.games.golden_point.recordings import services
from arena.games.golden_point.recordings.models import Recording
from arena.games.golden_point.recordings.services import RecordingDraft
from tests.factories import person
from tests.refusals import form_codes

pytestmark = pytest.mark.django_db

TEXT = "round,Ann,Bob\n3,10,20\n4,11,0\n"
READERS = ("anonymous", "other student", "owner", "organizer", "staff")


def create_recording(owner: User, title: str = "Week 3", *, listed: bool = True) -> Recording:
    draft = RecordingDraft(title, "a class", listed, TEXT, read(TEXT))
    return services.create(owner, draft, now=datetime(2026, 3, 4, tzinfo=UTC), rng=random.Random(title))


def client_for(recording: Recording, name: str) -> Client:
    client = Client()
    if name == "other student":
        client.force_login(person())
    elif name == "owner":
        assert recording.owner is not None
        client.force_login(recording.owner)
    elif name == "organizer":
        client.force_login(person(role=Role.ORGANIZER))
    elif name == "staff":
        client.force_login(person(is_staff=True))
    return client


def upload(client: Client, data: bytes = TEXT.encode(), **fields: str) -> object:
    file = SimpleUploadedFile("game.csv", data)
    return client.post(reverse("recording-new"), {"file": file, "title": "Week 3", "listed": "on", **fields})


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("listed", [True, False])
def test_unlisted_recordings_are_visible_by_link_only(reader: str, listed: bool) -> None:
    recording = create_recording(person(), listed=listed)
    client = client_for(recording, reader)
    page = client.get(reverse("recording", args=[recording.code]))
    assert page.status_code == 200
    assert (reverse("recording-delete", args=[recording.code]) in page.content.decode()) is (
        reader in {"owner", "staff"}
    )
    assert client.get(reverse("recording-file", args=[recording.code])).content.decode() == TEXT
    found = recording.code in client.get(reverse("recording-list")).content.decode()
    assert found is (listed or reader in {"owner", "staff"})


@pytest.mark.parametrize("reader", READERS)
def test_only_owner_and_staff_can_delete_a_recording(reader: str) -> None:
    recording = create_recording(person())
    address = reverse("recording-delete", args=[recording.code])
    assert client_for(recording, reader).get(address).status_code == 405 if reader != "anonymous" else 302
    response = client_for(recording, reader).post(address)
    gone = not Recording.objects.filter(pk=recording.pk).exists()
    assert gone is (reader in {"owner", "staff"})
    assert response.status_code == (302 if reader in {"owner", "staff", "anonymous"} else 403)


@pytest.mark.parametrize("reader", READERS)
def test_only_signed_in_people_can_upload(reader: str) -> None:
    recording = create_recording(person(), "other")
    client = client_for(recording, reader)
    assert client.get(reverse("recording-new")).status_code == (302 if reader == "anonymous" else 200)
    upload(client)
    assert Recording.objects.filter(title="Week 3").exists() is (reader != "anonymous")


def test_upload_redirects_to_its_page() -> None:
    client = Client()
    owner = person()
    client.force_login(owner)
    response = client.post(
        reverse("recording-new"), {"file": SimpleUploadedFile("g.csv", TEXT.encode()), "title": "<b>Week</b>"}
    )
    made = Recording.objects.get(owner=owner)
    assert response["Location"] == reverse("recording", args=[made.code])
    assert not made.listed
    page = client.get(response["Location"]).content.decode()
    assert "&lt;b&gt;Week" in page
    assert "<b>Week" not in page


@pytest.mark.parametrize(
    ("data", "fields", "field", "code"),
    [
        (b"", {}, "file", "empty"),
        (b"round,Ann,Bob\n1,2,x\n", {}, "file", "number"),
        (b"1\t3\n6.18\t10\t10\n", {"title": ""}, "title", "required"),
        (b" " * (MAX_BYTES + 1), {}, "file", "too_large"),
        (b"\xff\xfe", {}, "file", "not_utf8"),
    ],
)
def test_invalid_upload_reports_errors_and_keeps_the_title(
    data: bytes, fields: dict[str, str], field: str, code: str
) -> None:
    client = Client()
    client.force_login(person())
    response = client.post(
        reverse("recording-new"), {"file": SimpleUploadedFile("g", data), "title": "Kept title", **fields}
    )
    assert response.status_code == 422
    page = response.content.decode()
    assert form_codes(response, field) == [code]
    assert fields or "Kept title" in page
    assert not Recording.objects.exclude(owner=None).exists()


def test_uploader_can_set_numbers_per_player_of_course_format() -> None:
    client = Client()
    client.force_login(person())
    upload(client, b"1\t3\n6.18\t10\t10\n", numbers="1")
    assert Recording.objects.get(title="Week 3").players == 2


def test_list_is_filtered_and_paged() -> None:
    owner = person("Lovelace")
    for number in range(31):
        create_recording(owner, f"Week {number}")
    client = Client()
    address = reverse("recording-list")
    first = client.get(address).content.decode()
    assert "Week 30" in first
    assert "Week 0<" not in first
    assert "Week 0<" in client.get(address, {"page": 2}).content.decode()
    of_owner = client.get(address, {"owner": "lovelace", "text": "week 7"}).content.decode()
    assert "Week 7<" in of_owner
    assert "Week 8<" not in of_owner
    assert 'data-empty="no_match"' in client.get(address, {"text": "nothing"}).content.decode()


def test_empty_list_has_a_hint() -> None:
    Recording.objects.all().delete()
    assert 'data-empty="none"' in Client().get(reverse("recording-list")).content.decode()


def test_unknown_recording_returns_404() -> None:
    for name in ("recording", "recording-file"):
        assert Client().get(reverse(name, args=["nothing"])).status_code == 404
