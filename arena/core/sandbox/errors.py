"""What can go wrong, told apart by whose fault it is.

Invariant: `SandboxError` is ours and never costs a bot a game; `ChannelError` is the bot's doing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """A capability that the machine denies, and what its operator can do."""

    capability: str
    how_to_grant: str


class SandboxError(Exception):
    """Ours: no conclusion about any bot may be drawn from it."""


class SandboxFailure(SandboxError):  # noqa: N818 - a name of the shared interface
    """The sandbox broke while it was in use."""


class SandboxUnavailable(SandboxError):  # noqa: N818 - a name of the shared interface
    """This machine cannot fence bots in, so none is run."""

    def __init__(self, missing: Iterable[Missing]) -> None:
        self.missing = tuple(missing)
        lines = [f"{item.capability}: {item.how_to_grant}" for item in self.missing]
        super().__init__("bots cannot be run safely here. " + " | ".join(lines))


class ChannelError(Exception):
    """The bot misused its channel."""


class ChannelClosed(ChannelError):  # noqa: N818 - a name of the shared interface
    """The bot is gone, closed its end, or reads nothing any more."""


class MessageTooLarge(ChannelError):  # noqa: N818 - a name of the shared interface
    """The bot sent more than one message may hold."""
