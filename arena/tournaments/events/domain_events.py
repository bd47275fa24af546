"""Domain events for tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.platform.domain_events import DomainEvent
from arena.tournaments.models import ActivityKind


@dataclass(frozen=True, slots=True)
class ActivityLogged:
    """A new line in a tournament's activity log."""

    tournament_id: int
    activity_id: int
    kind: ActivityKind


activity_logged: Final = DomainEvent[ActivityLogged]()
