"""All apps, pages and tasks named by a game exist, and no game changes the settings of the site or of another game."""

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
from arena.games.registry import PACKAGES, InstalledGame


def test_names_provided_by_games_resolve() -> None:
    app.loader.import_default_modules()
    for site in sites.SITES.values():
        assert set(site.apps) <= set(settings.INSTALLED_APPS)
        assert all(reverse(entry.url_name) for entry in site.menu)
        assert not site.service or import_string(site.service)
        assert {task.task for task in site.periodic.values()} <= set(app.tasks)
        assert set(site.periodic) <= set(CONFIGURATION["beat_schedule"])


def test_moves_of_games_that_hide_information_cannot_be_taken_back() -> None:
    [site] = [site for site in sites.SITES.values() if site.people is not None and site.people.takes_back]
    sites.check_site(site, hides=False)
    with pytest.raises(ImproperlyConfigured, match="hides information"):
        sites.check_site(site, hides=True)


def test_exports_are_found_by_file_name() -> None:
    files = [(game, one.file) for game, site in sites.SITES.items() for one in site.exports]
    assert files
    for game, file in files:
        found = sites.export(game, file)
        assert found is not None
        assert found.file == file
        assert sites.export(game, f"no-{file}") is None
    assert sites.export("unknown", files[0][1]) is None


def install_game(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    """Install a game whose settings module contains these values."""
    module = ModuleType("settings")
    vars(module).update(values, __spec__=object())
    monkeypatch.setitem(sys.modules, "game_for_tests.settings", module)
    monkeypatch.setattr(sites, "PACKAGES", {**PACKAGES, "game": InstalledGame("game_for_tests", "bots_for_tests")})


def test_game_provides_its_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    install_game(monkeypatch, LANTERNS=7, helper=1)
    brought = sites.game_settings(())
    assert brought["LANTERNS"] == 7
    assert "helper" not in brought


def test_game_does_not_change_settings_of_the_site_or_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(iter(sites.game_settings(())))
    install_game(monkeypatch, **{other: 1})
    with pytest.raises(ImproperlyConfigured, match=other):
        sites.game_settings(())
    install_game(monkeypatch, SECRET_KEY="x")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        sites.game_settings({"SECRET_KEY"})


def test_seat_marker_is_empty_unless_the_game_defines_one() -> None:
    def seat_mark(game: str, index: int) -> str:
        source = "{% load games %}{% seat_mark game index %}"
        return Template(source).render(Context({"game": game, "index": index})).strip()

    assert "Black" in seat_mark("reversi", 0)
    assert "White" in seat_mark("reversi", 1)
    assert seat_mark("golden_point", 3) == ""
    assert seat_mark("unknown", 0) == ""
