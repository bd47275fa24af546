"""Whatever somebody uploads, the page says what is wrong and nothing is stored."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.core.sandbox.uploads.package import MAX_ARCHIVE_BYTES
from arena.submissions.models import Bot, Submission
from tests.factories import person
from tests.submissions.uploads import WORKING, uploaded, zipped

pytestmark = pytest.mark.django_db


def with_symlink() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("main.py", WORKING)
        link = zipfile.ZipInfo("secret.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    return buffer.getvalue()


BAD_FILES = {
    "a picture": ("bot.py", b"\x89PNG\r\n\x1a\n" + bytes(50), "is not Python: it looks like a PNG picture"),
    "a web page": ("bot.py", b"<!DOCTYPE html><html></html>", "it looks like a web page"),
    "a notebook": ("bot.ipynb", b'{"cells": [], "nbformat": 4}', "is a Jupyter notebook"),
    "wrong encoding": ("bot.py", "# 黄金点\nx = 1\n".encode("gbk"), "It seems to be saved as GBK"),
    "UTF-16": ("bot.py", "x = 1\n".encode("utf-16"), "is saved in UTF-16"),
    "zero bytes": ("bot.py", b"x = 1\n\0\n", "null byte in line 2"),
    "nothing": ("bot.py", b"", "bot.py is empty"),
    "too large a source": ("bot.py", b"#" * (1024 * 1024 + 1), "the limit is 1 MiB"),
    "too large an archive": ("bot.zip", b"PK\x03\x04" + bytes(MAX_ARCHIVE_BYTES), "the limit for an archive is 8 MiB"),
    "a bomb": ("bot.zip", zipped(main__py=WORKING, table__bin=bytes(30_000_000)), "times its size"),
    "a path outside": ("bot.zip", zipped(**{"main__py": WORKING, "____/evil__py": "x"}), "outside its folder"),
    "a symlink": ("bot.zip", with_symlink(), "secret.txt is a symbolic link"),
    "no main.py": ("bot.zip", zipped(player__py=WORKING), "The archive has no main.py"),
    "a damaged archive": ("bot.zip", zipped(main__py=WORKING)[:-40], "cannot be unpacked"),
    "another archive": ("bot.zip", b"Rar!\x1a\x07" + bytes(range(128, 200)), "is a RAR archive"),
}


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(person("ada"))
    return client


def text_of(page: str) -> str:
    """The page without entities, as it is read."""
    return page.replace("&#x27;", "'").replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">")


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_explained(signed_in: Client, kind: str) -> None:
    filename, data, message = BAD_FILES[kind]
    fields = {"game": "reversi", "name": "Deep", "file": SimpleUploadedFile(filename, data), "source": WORKING}
    response = signed_in.post(reverse("bot-new"), fields)
    assert response.status_code == 422
    assert message in text_of(response.content.decode())
    assert not Bot.objects.exists()


@pytest.mark.parametrize("kind", ["a bomb", "wrong encoding"])
def test_a_bad_file_is_no_new_version_either(client: Client, kind: str) -> None:
    owner = person()
    first = uploaded(owner)
    client.force_login(owner)
    filename, data, message = BAD_FILES[kind]
    response = client.post(reverse("submission-new", args=[first.bot_id]), {"file": SimpleUploadedFile(filename, data)})
    assert response.status_code == 422
    assert message in text_of(response.content.decode())
    assert Submission.objects.count() == 1


def test_no_source_at_all_is_explained(signed_in: Client) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "Deep", "source": " \r\n"})
    assert response.status_code == 422
    assert "main.py is empty." in response.content.decode()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "x" * 10_000}, "Names can have at most 40 characters; this one has 10000."),
        ({"name": ""}, "This field is required."),
        ({"name": "two\u2028lines"}, "A name cannot contain line breaks, control characters or invisible characters."),
        ({"name": "null\0"}, "Null characters are not allowed."),
        ({"description": "x" * 301}, "Ensure this value has at most 300 characters (it has 301)."),
        ({"game": "chess"}, "Select a valid choice. chess is not one of the available choices."),
        ({"game": ""}, "This field is required."),
    ],
)
def test_a_bad_name_is_explained(signed_in: Client, fields: dict[str, str], message: str) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "Deep", "source": WORKING, **fields})
    assert response.status_code == 422
    assert message in text_of(response.content.decode())
    assert not Bot.objects.exists()


def test_markup_in_a_name_is_text(signed_in: Client) -> None:
    name = "<img src=x onerror=alert(1)>"
    signed_in.post(reverse("bot-new"), {"game": "reversi", "name": name, "description": name, "source": WORKING})
    made = Bot.objects.get()
    assert made.name == name
    version = Submission.objects.get()
    for url in (
        reverse("bot-list"),
        reverse("bot", args=[made.pk]),
        reverse("bot-edit", args=[made.pk]),
        reverse("submission-new", args=[made.pk]),
        reverse("submission", args=[version.pk]),
        reverse("submission-source", args=[version.pk]),
        reverse("profile", args=["ada"]),
    ):
        page = signed_in.get(url).content.decode()
        assert "<img src=x" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_what_was_typed_is_not_lost(signed_in: Client) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "", "source": "mine = '<typed>'\r\n"})
    assert "mine = &#x27;&lt;typed&gt;&#x27;" in response.content.decode()


def test_the_quota_is_explained(signed_in: Client, settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 1
    fields = {"game": "reversi", "source": WORKING}
    first = signed_in.post(reverse("bot-new"), {**fields, "name": "One"})
    assert first.status_code == 302
    again = signed_in.post(reverse("bot-new"), {**fields, "name": "Two"})
    page = again.content.decode()
    assert "You have used your 1 upload for this hour. You can continue in 60 minutes, at" in page
    assert "get_move" in page, "what was typed is still there"
    bot_id = Bot.objects.get().pk
    again = signed_in.post(reverse("submission-new", args=[bot_id]), {"source": "x = 2\n"})
    assert "You have used your 1 upload for this hour" in again.content.decode()


def test_other_languages_get_the_advice_and_the_place(signed_in: Client) -> None:
    fields = {"game": "reversi", "name": "Deep", "file": SimpleUploadedFile("bot.zip", with_symlink())}
    response = signed_in.post(reverse("bot-new"), fields, headers={"accept-language": "zh-hans"})
    assert "(secret.txt is a symbolic link.)" in response.content.decode()
