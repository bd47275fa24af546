"""Fixtures of tests of the site, and the settings that make them quick: a plugin where Django is installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import connections
from django.utils import translation

from tests.migrated import CopiedCreation

if TYPE_CHECKING:
    from tests.running_site import RunningSite


def pytest_configure() -> None:
    """What only costs time here: running sites keep both.

    Each test client would look at every static file anew, and a good hash of a password is a slow one.
    """
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    for source in ("USE_FINDERS", "USE_STATIC_ROOT", "AUTOREFRESH"):
        setattr(settings, f"SERVESTATIC_{source}", False)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Create pytest-django's database as a copy where it is SQLite's."""
    default = connections["default"]
    if default.vendor == "sqlite":
        default.creation = CopiedCreation(default)


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """What the last request of a test spoke stays with its thread, as it does in Django's own test client."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def arena_site() -> Iterator[RunningSite]:
    """One real site for all tests that look at it in a browser; at the end it goes as it promises.

    A match of each game is played on it, for minutes: the demonstrations of a first start.
    """
    from arena.games.sites import SITES
    from tests.running_site import eventually, started

    # House bots that think a second a move would hold both checkers for a minute.
    with started(seeded=True, CHECK_MATCH_SECONDS="3") as running:
        games = sum(bool(site.demonstrations) for site in SITES.values())
        eventually(lambda: len(running.json("/home/featured.json")["matches"]) == games, "no demonstrations", 600.0)
        yield running
        running.stop()
