"""A pytest plugin for tests of the site: fixtures, faster settings, and a check of templates; needs Django."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import connections
from django.utils import translation

from tests import template_lookups

if TYPE_CHECKING:
    from tests.running_site import RunningSite


def pytest_configure() -> None:
    """Select the database backend of the tests, and turn off features that only slow down tests.

    Otherwise, each test client would scan all static files, and strong password hashes are slow by design. Running
    sites keep them.
    """
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["ENGINE"] = "tests.locking_sqlite"
        database["TEST"]["NAME"] = ":memory:"  # as for SQLite, whose name pytest-django recognizes
        del connections["default"]  # created, but not yet opened, when Django loaded the models
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    for source in ("USE_FINDERS", "USE_STATIC_ROOT", "AUTOREFRESH"):
        setattr(settings, f"SERVESTATIC_{source}", False)


@pytest.fixture(autouse=True)
def _checked_templates() -> None:
    template_lookups.install()


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """Reset the language after each test.

    Django's test client leaves the language of the last request active in its thread.
    """
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def arena_site() -> Iterator[RunningSite]:
    """Yield one real site, shared by all tests that open it in a browser; check that it stops cleanly.

    As after any site's first start, demonstration matches run for several minutes, one of each game at a time.
    """
    from arena.games.sites import SITES
    from tests.running_site import eventually, run_site

    # Otherwise, house bots that think for a second per move would block both checkers for a minute, and games that
    # tests abandon would occupy all processes for people's matches until their clocks run out.
    with run_site(seeded=True, CHECK_MATCH_SECONDS="3", DUELS_AT_ONCE="16") as running:
        games = sum(bool(site.demonstrations) for site in SITES.values())
        eventually(lambda: len(running.json("/home/featured.json")["matches"]) == games, "no demonstrations", 600.0)
        yield running
        running.stop()
