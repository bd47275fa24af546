"""House bots are described in the reader's language; other bots show what their authors wrote."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from arena.submissions.bot_texts import introduction, shown_description
from arena.submissions.house import draft_of, house_modules, install_house_bots, paragraphs
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.ui.localized import localized_name
from tests.factories import person
from tests.submissions.readers import READERS, client_of
from tests.submissions.uploads import upload_bot

LANGUAGES = {code for code, _ in site.LANGUAGES}
DOCSTRING = "Plays well. It looks\nahead.\n\nThe parts: <main.py>.\n"
TEXTS = """
[deep]
name.en = "Deep One"
name.zh-hans = "深思者"
description.zh-hans = "下得好。"
introduction.zh-hans = ["它看得远。", "组成：<main.py>。"]
"""


@pytest.mark.parametrize(
    ("docstring", "found"),
    [
        (DOCSTRING, ("It looks ahead.", "The parts: <main.py>.")),
        ("Plays well.", ()),
        ("", ()),
    ],
)
def test_paragraphs_after_the_description(docstring: str, found: tuple[str, ...]) -> None:
    assert paragraphs(docstring) == found


def test_every_house_bot_has_texts_in_every_language() -> None:
    drafts = [draft_of(module) for module in house_modules()]
    assert len(drafts) >= 11
    for draft in drafts:
        paragraphs = len(draft.texts["en"]["introduction"])
        for language in LANGUAGES - {"en"}:
            translated = draft.texts.get(language, {})
            assert translated.get("description"), f"{draft.name} has no description in {language}"
            assert len(translated.get("introduction", ())) == paragraphs, f"{draft.name} in {language}"
            assert translated.get("name"), f"{draft.name} has no name in {language}"


def test_house_bot_texts_name_existing_files() -> None:
    named = 0
    for module in house_modules():
        introduction = [line for text in draft_of(module).texts.values() for line in text.get("introduction", ())]
        for file in re.findall(r"[\w/]+\.py\b", " ".join(introduction), re.ASCII):
            named += 1
            assert any((folder / file).is_file() for folder in (module.path.parent, module.top)), (module.path, file)
    assert named > 10


def test_texts_refer_to_existing_bots_and_languages() -> None:
    for module in house_modules():
        texts = draft_of(module).texts
        assert set(texts) <= LANGUAGES
        assert all(set(text) <= {"name", "description", "introduction"} for text in texts.values())


def bot_with_texts(name: str, **texts: dict[str, Any]) -> Bot:
    return Bot(name=name, description="Wins.", texts={code.replace("_", "-"): text for code, text in texts.items()})


@pytest.mark.parametrize(
    ("bot", "english", "chinese"),
    [
        (bot_with_texts("Club", en={"name": "Club player"}, zh_hans={"name": "棋社棋手"}), "Club player", "棋社棋手"),
        (bot_with_texts("Corners", zh_hans={"description": "重视角位。"}), "Corners", "Corners"),
        (bot_with_texts("Club"), "Club", "Club"),
    ],
    ids=["a level", "another house bot", "a student's bot"],
)
def test_bot_name_is_localized(bot: Bot, english: str, chinese: str) -> None:
    assert localized_name(bot) == english
    with translation.override("zh-hans"):
        assert localized_name(bot) == chinese


def test_only_house_bot_descriptions_are_localized() -> None:
    house, students = bot_with_texts("Corners", zh_hans={"description": "重视角位。"}), bot_with_texts("Mine")
    assert (shown_description(house), shown_description(students)) == ("Wins.", "Wins.")
    with translation.override("zh-hans"):
        assert (shown_description(house), shown_description(students)) == ("重视角位。", "Wins.")


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder of house bots for one game, with one bot in it."""
    monkeypatch.setattr("arena.games.bot_packages.bots_folder", lambda game: tmp_path / game)
    folder = tmp_path / "reversi" / "house"
    folder.mkdir(parents=True)
    (folder / "deep.py").write_text(f'"""{DOCSTRING}"""\nopen_plan = 1\n')
    (folder / "texts.toml").write_text(TEXTS, encoding="utf-8")
    return folder


def install_house_bot() -> Bot:
    install_house_bots(now=timezone.now())
    made = Submission.objects.get()
    Submission.objects.update(status=SubmissionStatus.PASSED)
    Bot.objects.update(active=made)
    return Bot.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize("reader", READERS)
def test_house_bot_description_and_source_are_public(reader: str, house: Path) -> None:
    bot = install_house_bot()
    client = client_of(reader, bot.owner)
    page = client.get(reverse("bot", args=[bot.pk])).content.decode()
    assert "Deep One" in page
    assert "<p>It looks ahead.</p>" in page
    assert "The parts: &lt;main.py&gt;." in page
    assert reverse("submission-source", args=[bot.active_id]) in page
    assert "open_plan" in client.get(reverse("submission-source", args=[bot.active_id])).content.decode()
    assert client.get(reverse("submission-download", args=[bot.active_id])).status_code == 200


@pytest.mark.django_db
def test_texts_are_in_the_readers_language(house: Path, client: Client) -> None:
    bot = install_house_bot()
    for address in (reverse("bot", args=[bot.pk]), reverse("bot-list")):
        page = client.get(address, headers={"accept-language": "zh-hans"}).content.decode()
        assert "深思者" in page
        assert "下得好。" in page
        assert "Plays well." not in page
    page = client.get(reverse("bot", args=[bot.pk]), headers={"accept-language": "zh-hans"}).content.decode()
    assert "<p>它看得远。</p>" in page


@pytest.mark.django_db
def test_changed_texts_are_installed_without_code_changes(house: Path) -> None:
    install_house_bot()
    (house / "texts.toml").write_text(TEXTS.replace("深思者", "长考者"), encoding="utf-8")
    assert install_house_bots(now=timezone.now()) == []
    assert Bot.objects.get().texts["zh-hans"]["name"] == "长考者"


@pytest.mark.django_db
def test_student_docstrings_are_not_published(client: Client) -> None:
    version = upload_bot(person("owner"), "Deep", f'"""{DOCSTRING}"""\n')
    Submission.objects.filter(pk=version.pk).update(status=SubmissionStatus.PASSED)
    Bot.objects.filter(pk=version.bot_id).update(active=version)
    assert introduction(version.bot_id) is None
    assert "It looks ahead." not in client.get(reverse("bot", args=[version.bot_id])).content.decode()
