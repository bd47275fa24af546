"""What a script is told, and how its answer is found in what it printed: one class a dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol


class UnknownDialect(Exception):  # noqa: N818 - what was found out about a bot
    """A script does not show for which site it was written."""


class Dialect(Protocol):
    """One side of the conversation with one script.

    ``code``: says for whom the script was written, for the check to tell.
    ``stays``: the script is started once, before the first turn, and waits for each of them; otherwise it is started
    anew for each, unless ``waits`` says that it goes on. ``logged``: what it prints is for people, too.
    """

    code: ClassVar[str]
    stays: ClassVar[bool]
    logged: ClassVar[bool] = True

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        """``load`` is the referee's first request: game, seat, seats, settings; ``source`` the script's text."""

    def begin(self, own: Mapping[str, Any]) -> None:
        """Take what the game tells this seat before the first turn."""

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """Take what is new in this turn."""

    def first_input(self) -> str:
        """What a script reads that was started for this turn, or before the first: all that happened so far."""

    def next_input(self) -> str:
        """What a script reads that waits since the turn before: what is new."""

    def reply(self, printed: str) -> str | None:
        """What a script reads at once that has asked for it in the midst of its turn; None where it has not."""
        return None

    def waits(self, printed: str) -> bool:
        """Whether a script that printed this and reads on waits for its next turn; or else its input has ended."""

    def answer(self, printed: str) -> Any:
        """The answer of a turn as the referee takes it; raises ``answers.Unusable``."""
