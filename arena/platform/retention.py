"""Stored outputs that are deleted with age, besides the records and logs of matches: a registry of their sources.

Invariant: a source deletes content that nothing but a page shows, never results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Deleted:
    """``rows``: how many lost their content; ``freed``: bytes in the database."""

    rows: int
    freed: int


Source = Callable[[datetime, int], Deleted]  # deletes outputs older than this, of so many rows at most

_sources: list[Source] = []


def register(source: Source) -> None:
    """Register a source; called once by an app when it is ready."""
    if source not in _sources:
        _sources.append(source)


def sources() -> tuple[Source, ...]:
    return tuple(_sources)
