"""Matches that people's bots have lost, for automatic analysis."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, F, Q, QuerySet
from django.db.models.expressions import Combinable

from arena.accounts.models import User
from arena.matches.listing import MatchFilter, newest_match_ids
from arena.matches.models import MatchStatus, Purpose, Seat

REQUESTED: Final = (Purpose.SCRIMMAGE, Purpose.TOURNAMENT)
_PURPOSES: Final = (*REQUESTED, Purpose.LADDER)


@dataclass(frozen=True, slots=True)
class Loss:
    """A match that a person's bot lost without a fault; faults have their own report."""

    match_id: int
    owner_id: int


def recent_losses(
    game: str,
    *,
    since: datetime,
    most: int,
    purposes: Collection[str] = _PURPOSES,
    unless: Q | Combinable = Q(pk__in=()),  # noqa: B008 - Q is immutable
) -> list[Loss]:
    """Return up to ``most`` losses after ``since`` that have a record, newest first.

    Excludes withheld results, version tests and duels.

    ``unless``: a filter for seats to exclude.
    """
    rows = _lost_seats(since).filter(match__game=game, match__purpose__in=purposes).exclude(unless)
    found = rows.order_by("-match_id", "index").values_list("match_id", "submission__bot__owner_id")
    return [Loss(match_id, owner_id) for match_id, owner_id in found[:most] if owner_id is not None]


def is_recent_loss(match_id: int, *, since: datetime) -> bool:
    """Return whether ``recent_losses`` includes the match."""
    return _lost_seats(since).filter(match=match_id, match__purpose__in=_PURPOSES).exists()


def _lost_seats(since: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(
        match__status=MatchStatus.FINISHED,
        match__finished_at__gte=since,
        match__withheld=False,
        match__replaced_by=None,
        match__record__isnull=False,
        rank__gt=1,
        fault="",
        submission__bot__is_house=False,
    )


@dataclass(frozen=True, slots=True)
class OwnLoss:
    """A match lost by one of the reader's bots; ``fault``: the kind of fault that caused the loss, "" if none did."""

    match_id: int
    game: str
    seat: int
    fault: str


# How many of a person's newest matches are examined: all of them would be too many for one page request. The number is
# larger than a page needs, because a tournament's matches are created together but end in any order.
_MAX_MATCHES: Final = 120


def own_losses(person: User, count: int) -> list[OwnLoss]:
    """Return up to ``count`` losses among the newest matches of a person's bots, most recently ended first.

    At a larger table, the lower half of the ranking counts as a loss.
    """
    recent = newest_match_ids(MatchFilter(status=MatchStatus.FINISHED, person=person.username), person, _MAX_MATCHES)
    rows = Seat.objects.filter(match__in=recent, match__purpose__in=_PURPOSES, submission__bot__owner=person)
    rows = rows.annotate(seats=Count("match__seats")).filter(~Q(fault="") | Q(rank__gt=1) & Q(rank__gt=F("seats") / 2))
    latest = rows.order_by("-match__finished_at", "-match_id", "index")
    found = latest.values_list("match_id", "match__game", "index", "fault")
    return [OwnLoss(*row) for row in found[:count]]
