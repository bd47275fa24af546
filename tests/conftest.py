"""Fixtures of the whole suite; ``environment`` says where it runs.

Needs nothing but pytest, so that a test of rules runs where only these are installed; ``site_fixtures`` needs the site.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests import scheduling

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["tests.site_fixtures"] if find_spec("pytest_django") else []


def pytest_configure() -> None:
    if find_spec("hypothesis"):
        from hypothesis import HealthCheck, settings

        # A busy machine may not be judged by the wall's clock.
        settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
        settings.load_profile("patient")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Last, when `-m` has chosen: only those are spread.
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.visitor import chromium

    with chromium() as running:
        yield running
