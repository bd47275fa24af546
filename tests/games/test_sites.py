"""What games provide to the site besides their rules."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.urls import reverse
from django.utils.module_loading import import_string

from arena.celery import CONFIGURATION, app
from arena.games import sites
from arena.games.registry import PACKAGES, Installed


def test_what_games_name_exists() -> None:
    app.loader.import_default_modules()
    for site in sites.SITES.values():
        assert set(site.apps) <= set(settings.INSTALLED_APPS)
        assert all(reverse(entry.url_name) for entry in site.menu)
        assert not site.service or import_string(site.service)
        assert {task.task for task in site.periodic.values()} <= set(app.tasks)
        assert set(site.periodic) <= set(CONFIGURATION["beat_schedule"])


def test_downloads_are_found_by_their_files() -> None:
    files = [(game, one.file) for game, site in sites.SITES.items() for one in site.exports]
    assert files
    for game, file in files:
        found = sites.export(game, file)
        assert found is not None
        assert found.file == file
        assert sites.export(game, f"no-{file}") is None
    assert sites.export("unknown", files[0][1]) is None


def bring(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    """Install another game with these settings."""
    module = ModuleType("settings")
    vars(module).update(values, __spec__=object())
    monkeypatch.setitem(sys.modules, "made_up.settings", module)
    monkeypatch.setattr(sites, "PACKAGES", {**PACKAGES, "made_up": Installed("made_up", "made_up_bots")})


def test_a_game_brings_settings_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(monkeypatch, LANTERNS=7, helper=1)
    brought = sites.game_settings(())
    assert brought["LANTERNS"] == 7
    assert "helper" not in brought


def test_a_game_changes_no_setting_of_the_site_or_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(iter(sites.game_settings(())))
    bring(monkeypatch, **{other: 1})
    with pytest.raises(ImproperlyConfigured, match=other):
        sites.game_settings(())
    bring(monkeypatch, SECRET_KEY="x")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        sites.game_settings({"SECRET_KEY"})


def test_the_mark_of_a_seat_is_its_own_or_a_plain_one() -> None:
    def marked(game: str, index: int) -> str:
        source = "{% load games %}{% seat_mark game index %}"
        return Template(source).render(Context({"game": game, "index": index})).strip()

    assert "Black" in marked("reversi", 0)
    assert "White" in marked("reversi", 1)
    assert marked("golden_point", 3) == ""
    assert marked("unknown", 0) == ""
