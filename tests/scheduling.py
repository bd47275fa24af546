"""How the suite is spread over processes.

A file is played by one process, in its order, for its fixtures; all that look at one running site share a process.
What takes longest comes first, so that no process is left alone with it in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# In this order; what is in none of them comes last.
LONGEST: Final = ("stack", "browser", "sandbox")
# Who look at ``arena_site``.
SITE: Final = ("tests/browser/", "tests/stack/test_lost_network.py")


def longest_first(items: list[pytest.Item]) -> None:
    """Sort by marker, otherwise leave the order."""
    items.sort(key=lambda item: next((n for n, name in enumerate(LONGEST) if name in item.keywords), len(LONGEST)))


def scheduler(config: pytest.Config, log: Producer | None) -> LoadScopeScheduling:
    """Who plays what, for pytest-xdist."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0]
            return SITE[0] if path.startswith(SITE) else path

    return Scheduling(config, log)
