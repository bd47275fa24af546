"""Panels for operators that other apps add to the workers page.

Invariant: a source asks the database a constant number of questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PanelSource:
    """A template, and what it shows as ``panel`` at a moment; it is left out where that is empty.

    ``at_end``: below the workers, for what is no warning.
    """

    template: str
    content: Callable[[datetime], Sequence[Any]]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class OperatorPanel:
    """A part of the page."""

    template: str
    content: Sequence[Any]
    at_end: bool


_SOURCES: list[PanelSource] = []


def register(source: PanelSource) -> None:
    """Called once by an app, when it is ready."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def operator_panels(*, now: datetime) -> list[OperatorPanel]:
    """The panels that have something to show."""
    found = [OperatorPanel(source.template, source.content(now), source.at_end) for source in _SOURCES]
    return [panel for panel in found if panel.content]
