"""How the suite is spread over processes.

A file is played by one process, in its order, for its fixtures; all that look at one running site share a process.
What takes longest comes first, so that no process is left alone with it in the end. Files that mostly wait, for jails
or for processes of a site, are spread among those that compute: cores would idle while all processes wait at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# Who look at ``arena_site``.
SITE: Final = ("tests/browser/", "tests/stack/test_lost_network.py")
# What one process plays for minutes, in this order; then the markers; what is in none of them comes last.
LONGEST: Final = (
    SITE,
    "tests/stack/test_failures.py",
    "tests/bots/env/test_training_commands.py",
    "tests/core/sandbox/test_ordinary_user.py",
    "tests/api/test_clients.py",
)
MARKERS: Final = ("stack", "browser", "sandbox")
# The part of the computing files among which the waiting ones are spread: none of these begins near the end.
SPREAD: Final = 0.7


def longest_first(items: list[pytest.Item]) -> None:
    """Sort by how long it takes, otherwise leave the order; spread what waits among what computes."""
    items.sort(key=_place)
    files: dict[str, float] = {}
    for waits in (True, False):
        paths = list(dict.fromkeys(_path(item) for item in items if _waits(item) is waits and _path(item) not in files))
        share = SPREAD if waits else 1.0
        files |= {path: share * number / len(paths) for number, path in enumerate(paths)}
    items.sort(key=lambda item: (min(_place(item), len(LONGEST)), files[_path(item)], _path(item)))


def _path(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _waits(item: pytest.Item) -> bool:
    return any(name in item.keywords for name in MARKERS)


def _place(item: pytest.Item) -> int:
    for place, path in enumerate(LONGEST):
        if item.nodeid.startswith(path):
            return place
    return len(LONGEST) + next((n for n, name in enumerate(MARKERS) if name in item.keywords), len(MARKERS))


def scheduler(config: pytest.Config, log: Producer | None) -> LoadScopeScheduling:
    """Who plays what, for pytest-xdist."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0]
            return SITE[0] if path.startswith(SITE) else path

    return Scheduling(config, log)
