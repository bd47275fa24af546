"""Fixtures of the whole suite; ``environment`` says where it runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.conf import settings as arena
from django.utils import translation
from hypothesis import HealthCheck, settings

from tests import scheduling

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

    from tests.running_site import RunningSite

# A busy machine may not be judged by the wall's clock.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_configure() -> None:
    """What only costs time here: running sites keep both.

    Each test client would look at every static file anew, and a good hash of a password is a slow one.
    """
    arena.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    for source in ("USE_FINDERS", "USE_STATIC_ROOT", "AUTOREFRESH"):
        setattr(arena, f"SERVESTATIC_{source}", False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    scheduling.longest_first(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a program that this machine lacks, before any fixture starts; name the command that installs it.

    ``make test-all`` installs them all first, so that nothing is skipped there.
    """
    needed = [name for marker in item.iter_markers("needs") for name in marker.args]
    if item.get_closest_marker("browser"):
        needed.append("chromium")
    missing = [name for name in needed if not shutil.which(name)]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not found; install with: make browser")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer | None) -> LoadScopeScheduling:
    return scheduling.scheduler(config, log)


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
        eventually(lambda: len(running.json("/home/featured.json")["matches"]) == games, "no demonstrations", 180.0)
        yield running
        running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.visitor import chromium

    with chromium() as running:
        yield running
