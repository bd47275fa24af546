"""The version tests section of a bot's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.accounts.permissions import Action, Person, may
from arena.version_tests import queries
from arena.version_tests.forms import VersionTestForm
from arena.version_tests.queries import VersionTestRow

_NEWEST: Final = 5


@dataclass(frozen=True, slots=True)
class BotTests:
    """The data of the version tests section.

    ``form`` is None if the reader may not start a test, or if there are fewer than two versions to compare.
    """

    bot_id: int
    newest: list[VersionTestRow]
    has_more: bool
    form: VersionTestForm | None


def tests_of_bot(bot_id: int, reader: Person) -> BotTests | None:
    """Return a bot's version tests; None unless the reader is its author or staff. Runs at most six queries."""
    owner = queries.owner_of(bot_id)
    if owner is None or not may(reader, Action.SEE_VERSION_TEST, owner):
        return None
    newest = queries.version_test_rows(queries.tests(bot_id)[: _NEWEST + 1])
    choices = queries.start_choices(bot_id) if may(reader, Action.TEST_VERSIONS, owner) else None
    if not newest and choices is None:
        return None
    form = VersionTestForm(choices=choices) if choices else None
    return BotTests(bot_id, newest[:_NEWEST], len(newest) > _NEWEST, form)
