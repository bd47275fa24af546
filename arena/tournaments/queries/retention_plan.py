"""The retention plan for the moves and logs of a tournament's matches, as shown on its pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from arena.matches.retention import Retention
from arena.tournaments.models import RecordRetention


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """The retention of the moves and logs of a tournament's matches: the organizer's choice and the operator's limit.

    A number of days is None if there is no limit.
    """

    is_kept: bool
    days: int | None  # days after the end of the tournament
    at: datetime | None  # when this period ends, once the tournament has ended
    site_days: int | None  # days after the end of a match
    move: bool  # whether records are moved to the upload store instead of being deleted


def retention_plan(choice: str, days: int | None, ended_at: datetime | None) -> RetentionPlan:
    site = Retention.from_settings()
    at = ended_at + timedelta(days=days) if days is not None and ended_at is not None else None
    return RetentionPlan(choice == RecordRetention.KEEP, days, at, site.days, site.move)
