"""Concerns for operators: panels that other apps add to the workers page.

Invariant: a source asks the database a constant number of questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A template, and what it shows as ``panel`` at a moment; it is left out where that is empty."""

    template: str
    content: Callable[[datetime], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Concern:
    """A part of the page."""

    template: str
    content: Sequence[Any]


_SOURCES: list[Source] = []


def register(source: Source) -> None:
    """Called once by an app, when it is ready."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def concerns(*, now: datetime) -> list[Concern]:
    found = [Concern(source.template, source.content(now)) for source in _SOURCES]
    return [concern for concern in found if concern.content]
