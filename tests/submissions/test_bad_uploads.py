"""Invalid uploads: the page says what is wrong, and nothing is stored."""

from __future__ import annotations

import io
import re
import stat
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import Settings

from arena.core.sandbox.uploads.messages import SYMLINK
from arena.core.sandbox.uploads.package import MAX_ARCHIVE_BYTES, PackageError, read_package
from arena.platform.refusal import LIMIT
from arena.submissions.models import Bot, Submission
from arena.submissions.problems import explain_problem
from tests.factories import person
from tests.refusals import form_codes
from tests.submissions.uploads import WORKING, upload_bot, zip_archive

pytestmark = pytest.mark.django_db


def archive_with_symlink() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("main.py", WORKING)
        link = zipfile.ZipInfo("secret.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    return buffer.getvalue()


BAD_FILES = {
    "a picture": ("bot.py", b"\x89PNG\r\n\x1a\n" + bytes(50), "not_python"),
    "HTML": ("bot.py", b"<!DOCTYPE html><html></html>", "not_python"),
    "a notebook": ("bot.ipynb", b'{"cells": [], "nbformat": 4}', "notebook"),
    "wrong encoding": ("bot.py", "# 黄金点\nx = 1\n".encode("gbk"), "wrong_encoding"),
    "UTF-16": ("bot.py", "x = 1\n".encode("utf-16"), "wrong_encoding"),
    "zero bytes": ("bot.py", b"x = 1\n\0\n", "nul_bytes"),
    "nothing": ("bot.py", b"", "empty"),
    "too large a source": ("bot.py", b"#" * (1024 * 1024 + 1), "too_large"),
    "too large an archive": ("bot.zip", b"PK\x03\x04" + bytes(MAX_ARCHIVE_BYTES), "too_large"),
    "a bomb": ("bot.zip", zip_archive(main__py=WORKING, table__bin=bytes(30_000_000)), "bomb"),
    "outside": ("bot.zip", zip_archive(**{"main__py": WORKING, "____/evil__py": "x"}), "unsafe_path"),
    "a symlink": ("bot.zip", archive_with_symlink(), "symlink"),
    "no main.py": ("bot.zip", zip_archive(player__py=WORKING), "no_main"),
    "a damaged archive": ("bot.zip", zip_archive(main__py=WORKING)[:-40], "damaged_archive"),
    "another archive": ("bot.zip", b"Rar!\x1a\x07" + bytes(range(128, 200)), "other_archive"),
}


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(person("ada"))
    return client


def text_of(page: str) -> str:
    """Return the page with its HTML entities decoded."""
    return page.replace("&#x27;", "'").replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">")


@pytest.mark.parametrize("kind", BAD_FILES)
def test_invalid_file_is_explained(signed_in: Client, kind: str) -> None:
    filename, data, code = BAD_FILES[kind]
    fields = {"game": "reversi", "name": "Deep", "file": SimpleUploadedFile(filename, data), "source": WORKING}
    response = signed_in.post(reverse("bot-new"), fields)
    assert response.status_code == 422
    assert form_codes(response, "file") == [code]
    assert not Bot.objects.exists()


@pytest.mark.parametrize("kind", ["a bomb", "wrong encoding"])
def test_invalid_file_creates_no_new_version(client: Client, kind: str) -> None:
    owner = person()
    first = upload_bot(owner)
    client.force_login(owner)
    filename, data, code = BAD_FILES[kind]
    response = client.post(reverse("submission-new", args=[first.bot_id]), {"file": SimpleUploadedFile(filename, data)})
    assert response.status_code == 422
    assert form_codes(response, "file") == [code]
    assert Submission.objects.count() == 1


def test_missing_source_is_explained(signed_in: Client) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "Deep", "source": " \r\n"})
    assert response.status_code == 422
    assert "main.py is empty." in response.content.decode()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": "x" * 10_000}, "too_long"),
        ({"name": ""}, "required"),
        ({"name": "two\u2028lines"}, "characters"),
        ({"name": "null\0"}, "null_characters_not_allowed"),
        ({"description": "x" * 301}, "max_length"),
        ({"game": "chess"}, "invalid_choice"),
        ({"game": ""}, "required"),
    ],
)
def test_invalid_name_is_explained(signed_in: Client, fields: dict[str, str], code: str) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "Deep", "source": WORKING, **fields})
    assert response.status_code == 422
    assert form_codes(response, next(iter(fields))) == [code]
    assert not Bot.objects.exists()


@pytest.mark.long
def test_markup_in_a_name_is_escaped(signed_in: Client) -> None:
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


def test_invalid_form_keeps_its_input(signed_in: Client) -> None:
    response = signed_in.post(reverse("bot-new"), {"game": "reversi", "name": "", "source": "mine = '<typed>'\r\n"})
    assert "mine = &#x27;&lt;typed&gt;&#x27;" in response.content.decode()


def test_quota_is_explained(signed_in: Client, settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 1
    fields = {"game": "reversi", "source": WORKING}
    first = signed_in.post(reverse("bot-new"), {**fields, "name": "One"})
    assert first.status_code == 302
    again = signed_in.post(reverse("bot-new"), {**fields, "name": "Two"})
    assert form_codes(again) == [LIMIT]
    assert "get_move" in again.content.decode(), "what was typed is still there"
    bot_id = Bot.objects.get().pk
    again = signed_in.post(reverse("submission-new", args=[bot_id]), {"source": "x = 2\n"})
    assert form_codes(again) == [LIMIT]


def test_errors_in_other_languages_name_the_file(signed_in: Client) -> None:
    fields = {"game": "reversi", "name": "Deep", "file": SimpleUploadedFile("bot.zip", archive_with_symlink())}
    response = signed_in.post(reverse("bot-new"), fields, headers={"accept-language": "zh-hans"})
    page = response.content.decode()
    with translation.override("zh-hans"):
        assert translation.gettext(SYMLINK.english) % {"path": "secret.txt"} in page
    assert SYMLINK(path="secret.txt").text not in page


@pytest.mark.parametrize("kind", BAD_FILES)
def test_problems_are_explained_in_the_readers_language(kind: str) -> None:
    filename, data, code = BAD_FILES[kind]
    with pytest.raises(PackageError) as caught:
        read_package(data, filename)
    assert caught.value.code == code
    with translation.override("zh-hans"):
        chinese = explain_problem(caught.value)
    assert chinese.endswith("。")
    assert not re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}", chinese), "no English sentence"
