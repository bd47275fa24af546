from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from arena.games.sites import SITES
from arena.submissions.house import first_sentence, house_modules, install_house_bots
from arena.submissions.models import Bot, Submission, SubmissionStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr("arena.games.bot_packages.bots_folder", lambda game: tmp_path / game)
    (tmp_path / "reversi" / "house").mkdir(parents=True)
    (tmp_path / "reversi" / "house" / "__init__.py").write_text('"""House bots."""\n')
    write(tmp_path, "x = 1\n")
    return tmp_path


def write(house: Path, code: str) -> None:
    docstring = '"""Takes corners,\nall four of them. Then it\nlooks around."""\n'
    (house / "reversi" / "house" / "two_corners.py").write_text(docstring + code)


def install() -> list[int]:
    return install_house_bots(now=timezone.now())


def test_house_bots_use_the_normal_upload_path(house: Path) -> None:
    (made,) = install()
    bot = Bot.objects.get()
    assert (bot.name, bot.game, bot.is_house, bot.owner.username) == ("Two corners", "reversi", True, "house")
    assert bot.description == "Takes corners, all four of them."
    assert Submission.objects.get(pk=made).status == SubmissionStatus.WAITING


def test_renamed_house_bot_stays_the_same_bot(house: Path) -> None:
    install()
    texts = house / "reversi" / "house" / "texts.toml"
    texts.write_text('[two_corners]\nname.en = "2-corner bot"\nname.zh-hans = "两角"\n')
    assert install() == []  # the code is unchanged
    assert Bot.objects.get().name == "2-corner bot"
    assert install() == []
    assert Bot.objects.count() == 1


def test_levels_are_installed_last_with_their_rank(house: Path) -> None:
    levels = house / "reversi" / "house" / "levels"
    levels.mkdir()
    (levels / "__init__.py").write_text('from typing import Final\n\nLEVELS: Final = ("weak", "better")\n')
    for name in ("weak", "better"):
        (levels / f"{name}.py").write_text(f'"""Plays {name}ly."""\nfrom ..two_corners import x as get_move\n')
    install()
    made = Submission.objects.order_by("pk").values_list("bot__name", "bot__level", "bot__is_house")
    assert list(made) == [("Two corners", None, True), ("Weak", 1, True), ("Better", 2, True)]
    assert install() == []


def test_demonstration_bots_are_checked_first_then_by_size(house: Path) -> None:
    for name, size in (("corners", 900), ("engine", 1800), ("tiny", 1)):
        (house / "reversi" / "house" / f"{name}.py").write_text(f'"""Plays."""\nx = "{"1" * size}"\n')
    assert "Corners" in SITES["reversi"].demonstrations[0].players
    install()
    names = Submission.objects.order_by("pk").values_list("bot__name", flat=True)
    assert list(names) == ["Corners", "Tiny", "Two corners", "Engine"]


def test_only_changed_house_bots_are_uploaded_again(house: Path) -> None:
    install()
    assert install() == []
    write(house, "x = 2\n")
    (second,) = install()
    assert Submission.objects.get(pk=second).number == 2
    assert Bot.objects.count() == 1


def test_reverted_code_reactivates_its_version(house: Path) -> None:
    (first,) = install()
    write(house, "x = 2\n")
    (second,) = install()
    Submission.objects.update(status=SubmissionStatus.PASSED)
    Bot.objects.update(active=second)
    write(house, "x = 1\n")
    assert install() == []
    assert Bot.objects.get().active_id == first


def test_removed_or_retired_bot_is_left_unchanged(house: Path) -> None:
    (first,) = install()
    Submission.objects.update(status=SubmissionStatus.PASSED)
    Bot.objects.update(active=first, retired=True)
    write(house, "x = 2\n")
    assert install() == []
    (house / "reversi" / "house" / "two_corners.py").unlink()
    assert install() == []
    bot = Bot.objects.get()
    assert (bot.retired, bot.active_id, bot.submissions.count()) == (True, first, 1)


def test_reordered_levels_are_updated(house: Path) -> None:
    levels = house / "reversi" / "house" / "levels"
    levels.mkdir()
    for names in (("good",), ("weak", "good")):
        (levels / "__init__.py").write_text(f"from typing import Final\n\nLEVELS: Final = {names!r}\n")
        for name in names:
            (levels / f"{name}.py").write_text(f'"""Plays {name}ly."""\nfrom ..two_corners import x as get_move\n')
        install()
    found = Bot.objects.exclude(level=None).order_by("level").values_list("name", flat=True)
    assert list(found) == ["Weak", "Good"]


def test_bots_with_an_engine_are_checked_last(house: Path) -> None:
    (house / "reversi" / "house" / "engine.py").write_text('"""An engine."""\n' + "# thinks\n" * 100)
    asks = '"""Asks the engine."""\nfrom . import engine\nget_move = engine.get_move\n'
    (house / "reversi" / "house" / "alpha.py").write_text(asks)
    install()
    assert list(Bot.objects.order_by("pk").values_list("name", flat=True)) == ["Two corners", "Engine", "Alpha"]


def test_every_real_house_bot_can_be_installed(settings: Settings) -> None:
    expected = len(list(house_modules()))
    assert len(install()) == expected >= 11
    assert all(bot.description for bot in Bot.objects.all())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("0.618 times the mean.\nMore.", "0.618 times the mean."),
        ("No end", "No end"),
        ("", ""),
    ],
)
def test_first_sentence_is_extracted(text: str, first: str) -> None:
    assert first_sentence(text) == first
