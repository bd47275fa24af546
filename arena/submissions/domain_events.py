"""Domain events about bots and their submissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.platform.domain_events import DomainEvent


@dataclass(frozen=True, slots=True)
class VersionActivated:
    """A change of a bot's active version; ``is_first``: whether it had none before."""

    bot_id: int
    submission_id: int
    is_first: bool


@dataclass(frozen=True, slots=True)
class CheckFinished:
    """The end of a submission's check with a result."""

    submission_id: int
    fence: int  # identifies the attempt, because a submission can be checked repeatedly


version_activated: Final = DomainEvent[VersionActivated]()
check_finished: Final = DomainEvent[CheckFinished]()
