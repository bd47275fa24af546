"""Fixtures for all tests.

Requires only pytest, so that tests of rules run without the site's libraries; ``site_fixtures`` requires the site.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests import scheduling
from tests.programs import find_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["tests.site_fixtures"] if find_spec("pytest_django") else []


def pytest_configure() -> None:
    if find_spec("hypothesis"):
        from hypothesis import HealthCheck, settings

        # Wall-clock deadlines are unreliable on a busy machine.
        settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
        settings.load_profile("patient")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # After `-m` has selected the tests, so that only these are distributed.
    scheduling.longest_first(items)
    for item in items:
        skip_without_programs(item)


def skip_without_programs(item: pytest.Item) -> None:
    """Skip a test that needs a missing program, before any fixture starts, and name the command that installs it.

    The summary lists each of these tests on its own line. ``make test-all`` installs all programs first. After that,
    only tests that need an optional library, such as numba, are skipped.
    """
    needed = [name for marker in item.iter_markers("needs") for name in marker.args]
    if item.get_closest_marker("browser"):
        needed.append("chromium")
    missing = [name for name in needed if not find_program(name)]
    if missing:
        item.add_marker(pytest.mark.skip(f"{item.name}: {' and '.join(missing)} not found; install with: make browser"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer | None) -> LoadScopeScheduling:
    return scheduling.scheduler(config, log)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.visitor import chromium

    with chromium() as running:
        yield running
