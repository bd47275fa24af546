"""What the apps above add to the pages of a bot and of a person.

An app registers a template and a query in ``AppConfig.ready``; the template is rendered with the
query's answer as ``panel``. So these pages show matches and tournaments without importing them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

SubjectT = TypeVar("SubjectT")


@dataclass(frozen=True, slots=True)
class Panel:
    """A template and what it shows."""

    template: str
    content: Any


class Panels(Generic[SubjectT]):
    """The panels of one kind of page, in the order of their registration."""

    def __init__(self) -> None:
        self._registered: dict[str, Callable[[SubjectT], Any]] = {}

    def register(self, template: str, query: Callable[[SubjectT], Any]) -> None:
        """``query`` does a constant number of database queries; a falsy answer leaves the panel out."""
        if self._registered.setdefault(template, query) is not query:
            raise RuntimeError(f"the panel {template} is registered twice")

    def of(self, subject: SubjectT) -> list[Panel]:
        answers = ((template, query(subject)) for template, query in self._registered.items())
        return [Panel(template, content) for template, content in answers if content]


bot_panels: Panels[int] = Panels()  # by the bot's id
profile_panels: Panels[str] = Panels()  # by the person's user name
