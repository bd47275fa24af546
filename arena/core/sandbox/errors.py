"""Sandbox errors, divided into the arena's failures and bots' faults.

Invariant: `SandboxError` is the arena's failure and never costs a bot a match; `ChannelError` is the bot's fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.core.messages import ExplainedFailure
from arena.core.sandbox.messages import CANNOT_ISOLATE


@dataclass(frozen=True, slots=True)
class MissingCapability:
    """A missing capability of the machine, and how its operator can grant it."""

    capability: str
    how_to_grant: str


class SandboxError(ExplainedFailure):
    """A failure of the arena, which says nothing about any bot."""


class SandboxFailure(SandboxError):  # noqa: N818 - a name of the shared interface
    """Raised if the sandbox failed during operation."""


class SandboxUnavailable(SandboxError):  # noqa: N818 - a name of the shared interface
    """Raised if this machine cannot isolate bots and therefore runs none."""

    def __init__(self, missing: Iterable[MissingCapability]) -> None:
        self.missing = tuple(missing)
        lines = [f"{item.capability}: {item.how_to_grant}" for item in self.missing]
        super().__init__(CANNOT_ISOLATE(), " | ".join(lines))


class ChannelError(Exception):
    """Raised if the bot misused its channel."""


class ChannelClosed(ChannelError):  # noqa: N818 - a name of the shared interface
    """Raised if the bot has exited, has closed its end, or no longer reads."""


class MessageTooLarge(ChannelError):  # noqa: N818 - a name of the shared interface
    """Raised if the bot sent a message that exceeds the limit."""
