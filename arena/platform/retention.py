"""Registry of stored outputs that retention deletes, in addition to match records and logs.

Invariant: a source deletes only content for display on pages, never results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DeletionResult:
    """The result of a deletion. ``rows``: number of rows that lost content; ``freed``: bytes freed in the database."""

    rows: int
    freed: int


Source = Callable[[datetime, int], DeletionResult]  # deletes outputs older than this time from at most this many rows

_sources: list[Source] = []


def register(source: Source) -> None:
    """Register a source; called once by an app when it is ready."""
    if source not in _sources:
        _sources.append(source)


def sources() -> tuple[Source, ...]:
    return tuple(_sources)
