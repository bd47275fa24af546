"""Distribution of the test suite across processes.

All tests in a file run in one process, in order, so that they share fixtures; all tests that use the shared running
site run in the same process. The longest files start first, so that no process is left with one at the end. Files that
mostly wait, for jails or for a site's processes, are interleaved with CPU-bound files, because cores would be idle if
all processes waited at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# Tests that use ``arena_site``.
SITE: Final = ("tests/browser/", "tests/stack/test_lost_network.py")
# Files that keep one process busy for minutes, in this order; then come tests with the markers, then everything else.
LONGEST: Final = (
    SITE,
    "tests/stack/test_failures.py",
    "tests/bots/env/test_training_commands.py",
    "tests/core/sandbox/test_ordinary_user.py",
    "tests/api/test_clients.py",
)
MARKERS: Final = ("stack", "browser", "sandbox")
# The fraction of the CPU-bound files among which the waiting ones are interleaved, so that none starts near the end.
SPREAD: Final = 0.7


def longest_first(items: list[pytest.Item]) -> None:
    """Sort tests by duration, keeping ties in order; intersperse CPU-bound files with files that mostly wait."""
    items.sort(key=_sort_key)
    files: dict[str, float] = {}
    for waits in (True, False):
        paths = list(
            dict.fromkeys(_path(item) for item in items if _mostly_waits(item) is waits and _path(item) not in files)
        )
        share = SPREAD if waits else 1.0
        files |= {path: share * number / len(paths) for number, path in enumerate(paths)}
    items.sort(key=lambda item: (min(_sort_key(item), len(LONGEST)), files[_path(item)], _path(item)))


def _path(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _mostly_waits(item: pytest.Item) -> bool:
    return any(name in item.keywords for name in MARKERS)


def _sort_key(item: pytest.Item) -> int:
    for place, path in enumerate(LONGEST):
        if item.nodeid.startswith(path):
            return place
    return len(LONGEST) + next((n for n, name in enumerate(MARKERS) if name in item.keywords), len(MARKERS))


def scheduler(config: pytest.Config, log: Producer | None) -> LoadScopeScheduling:
    """Return a pytest-xdist scheduler that distributes by file, with one scope for the shared site."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0]
            return SITE[0] if path.startswith(SITE) else path

    return Scheduling(config, log)
