"""Registry of panels that higher-level apps add to pages of lower-level ones.

An app registers a template and a query in ``AppConfig.ready``; the template is rendered with the query's result as
``panel``. So these pages show matches and tournaments without importing them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from arena.accounts.permissions import Person

SubjectT = TypeVar("SubjectT")


@dataclass(frozen=True, slots=True)
class Panel:
    """A template and its query."""

    template: str
    content: Any


class Panels(Generic[SubjectT]):
    """The panels of one kind of page, in the order of their registration."""

    def __init__(self) -> None:
        self._registered: dict[str, Callable[[SubjectT, Person], Any]] = {}

    def register(self, template: str, query: Callable[[SubjectT, Person], Any]) -> None:
        """Register a panel. ``query`` receives the page's subject and its reader, and checks the permissions.

        It runs a constant number of database queries; a falsy result omits the panel.
        """
        if self._registered.setdefault(template, query) is not query:
            raise RuntimeError(f"the panel {template} is registered twice")

    def of(self, subject: SubjectT, reader: Person) -> list[Panel]:
        answers = ((template, query(subject, reader)) for template, query in self._registered.items())
        return [Panel(template, content) for template, content in answers if content]


settings_panels: Panels[int] = Panels()  # of the account's settings, by the person's id
home_panels: Panels[None] = Panels()  # of the home page
profile_head: Panels[int] = Panels()  # in the head of a person's page, by the person's id
profile_actions: Panels[int] = Panels()  # buttons at the top of that page, by the person's id
profile_panels: Panels[str] = Panels()  # of a person's page, by the user name
bot_head: Panels[int] = Panels()  # in the head of the page of a bot, by its id
bot_panels: Panels[int] = Panels()  # of the page of a bot, by its id
bot_actions: Panels[Any] = Panels()  # buttons at the top of that page, by the bot's line
tournament_head: Panels[int] = Panels()  # in the head of the page of a tournament, by its id
tournament_actions: Panels[int] = Panels()  # buttons at the top of that page, by the tournament's id
match_actions: Panels[int] = Panels()  # buttons at the top of that page, by the match's id
