"""Dialects, one class each: the input that a script receives, and the extraction of its answer from its output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol


class UnknownDialect(Exception):  # noqa: N818 - a finding about a bot, not an error here
    """Raised if a script's dialect cannot be determined."""


class Dialect(Protocol):
    """The arena's side of the conversation with one script.

    ``code``: the code of the message that names the dialect in the check's report. ``stays``: the script is started
    once, before the first turn, and keeps running; otherwise it is restarted every turn, unless its output asks to keep
    running (``waits``). ``logged``: whether its output also goes to the log.
    """

    code: ClassVar[str]
    stays: ClassVar[bool]
    logged: ClassVar[bool] = True

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        """Create the conversation.

        ``load``: the referee's first request (game, seat, seats, settings). ``source``: the script's text.
        """

    def begin(self, own: Mapping[str, Any]) -> None:
        """Process the data that this seat receives before the first turn."""

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """Process the new data of this turn."""

    def first_input(self) -> str:
        """Return the input for a script that starts on this turn or before the first one: all data so far."""

    def next_input(self) -> str:
        """Return the input for a script that has been waiting since its last turn: only the new data."""

    def reply(self, printed: str) -> str | None:
        """Return the immediate reply to a query that a script makes during its turn; None if it made none."""
        return None

    def waits(self, printed: str) -> bool:
        """Return whether a script that has printed ``printed`` and reads again is waiting for its next turn.

        If it is not, its next read returns end-of-file.
        """

    def answer(self, printed: str) -> Any:
        """Return the answer that ``printed`` contains, in the referee's form.

        Raises ``answers.Unusable`` if ``printed`` contains no valid answer.
        """
