"""The site that stack tests start for themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.running_site import RunningSite, run_site
from tests.stack.failing import SHORT_LEASES


@pytest.fixture(scope="module")
def unseeded_site() -> Iterator[RunningSite]:
    """Yield a site without house bots or demonstrations, whose matches would occupy the workers for a minute.

    Its leases are short, so that it soon notices the loss of a worker.
    """
    with run_site(seeded=False, **SHORT_LEASES) as running:
        yield running
        running.stop()
