"""Registry of panels that higher-level apps add to pages of lower-level ones.

An app registers a template and a query in ``AppConfig.ready``; the template is rendered with the query's result as
``panel``. That way, these pages show matches and tournaments without importing their apps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from arena.accounts.permissions import Person

SubjectT = TypeVar("SubjectT")


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel ready to render: its template and the result of its query."""

    template: str
    content: Any


class Panels(Generic[SubjectT]):
    """The panels for one kind of page, in registration order."""

    def __init__(self) -> None:
        self._registered: dict[str, Callable[[SubjectT, Person], Any]] = {}

    def register(self, template: str, query: Callable[[SubjectT, Person], Any]) -> None:
        """Register a panel. ``query`` receives the page's subject and its reader, and checks the permissions.

        The query runs a constant number of database queries. If its result is falsy, the panel is omitted.
        """
        if self._registered.setdefault(template, query) is not query:
            raise RuntimeError(f"the panel {template} is registered twice")

    def panels_for(self, subject: SubjectT, reader: Person) -> list[Panel]:
        answers = ((template, query(subject, reader)) for template, query in self._registered.items())
        return [Panel(template, content) for template, content in answers if content]


settings_panels: Panels[int] = Panels()  # on the account's settings page, by the person's id
home_panels: Panels[None] = Panels()  # on the home page
profile_head: Panels[int] = Panels()  # in the header of a person's page, by the person's id
profile_actions: Panels[int] = Panels()  # buttons at the top of a person's page, by the person's id
profile_panels: Panels[str] = Panels()  # on a person's page, by the username
bot_head: Panels[int] = Panels()  # in the header of a bot's page, by the bot's id
bot_panels: Panels[int] = Panels()  # on a bot's page, by the bot's id
bot_actions: Panels[Any] = Panels()  # buttons at the top of a bot's page, by its ``BotRow``
tournament_head: Panels[int] = Panels()  # in the header of a tournament's page, by the tournament's id
tournament_actions: Panels[int] = Panels()  # buttons at the top of a tournament's page, by the tournament's id
match_actions: Panels[int] = Panels()  # buttons at the top of a match's page, by the match's id
