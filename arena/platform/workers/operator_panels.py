"""Operator panels that other apps add to the workers page.

Invariant: a source makes a constant number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PanelSource:
    """A template, and a function that returns its ``panel`` variable for a given time; empty panels are omitted.

    ``at_end``: whether to show the panel below the workers, where everything except warnings belongs.
    """

    template: str
    content: Callable[[datetime], Sequence[Any]]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class OperatorPanel:
    """A panel with its content, ready to be rendered on the workers page."""

    template: str
    content: Sequence[Any]
    at_end: bool


_SOURCES: list[PanelSource] = []


def register(source: PanelSource) -> None:
    """Register a panel source; called once by an app when it is ready."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def operator_panels(*, now: datetime) -> list[OperatorPanel]:
    """Return the registered panels that have content."""
    found = [OperatorPanel(source.template, source.content(now), source.at_end) for source in _SOURCES]
    return [panel for panel in found if panel.content]
