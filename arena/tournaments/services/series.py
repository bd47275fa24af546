"""Weekly tournaments, created from the plan of the first one.

Invariants: an edition is created exactly once: the process that advances ``Series.next_at`` with a conditional UPDATE
creates it in the same transaction. An edition accepts entries as soon as the previous one has started. Editions missed
during downtime are skipped, and so are those whose entries would already be closed. Times are wall-clock times in the
series' own time zone, stable across daylight saving changes. A series that cannot continue stops and records a code for
the reason, without blocking others.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Action, may
from arena.platform.refusal import Refused
from arena.submissions.models import Bot
from arena.tournaments.models import NO_ORGANIZER, Invitation, Series, Tournament
from arena.tournaments.services.creation import TournamentPlan, create, edit

logger = logging.getLogger(__name__)

WEEK: Final = timedelta(days=7)


def next_start(after: datetime, weekday: int, at: time, zone: tzinfo) -> datetime:
    """Return the first moment after ``after`` that falls on this weekday (Monday is 0) at this time in the zone."""
    local = after.astimezone(zone)
    day = local.date() + timedelta(days=(weekday - local.weekday()) % 7)
    found = datetime.combine(day, at, zone)
    if found <= after:
        found = datetime.combine(day + WEEK, at, zone)
    # In spring, daylight saving time skips an hour: the conversion moves a time in that hour one hour later.
    return found.astimezone(timezone.get_default_timezone())


def create_weekly(
    organizer: User,
    plan: TournamentPlan,
    *,
    rng: random.Random,
    house_bots: Sequence[int] = (),
    invited: Sequence[str] = (),
) -> int:
    """Create a tournament and repeat it weekly at its start time; return the id of the tournament. Raises Refused."""
    with transaction.atomic():
        tournament_id = create(organizer, plan, rng=rng, house_bots=house_bots, invited=invited)
        series = Series.objects.create(organizer=organizer, house_bots=list(house_bots), **_columns(plan))
        Tournament.objects.filter(pk=tournament_id).update(series=series)
    return tournament_id


def edit_series(series_id: int, tournament_id: int, plan: TournamentPlan, *, actor: User) -> None:
    """Change the plan of an open tournament, and use it for the following weeks of its series. Raises Refused."""
    with transaction.atomic():
        edit(tournament_id, plan, actor=actor)
        Series.objects.filter(pk=series_id).update(**_columns(plan))


def _columns(plan: TournamentPlan) -> dict[str, Any]:
    """Return the values of a series' columns under this plan, including the start of the next edition."""
    if plan.starts_at is None or plan.deadline is None:
        raise Refused(
            _("A recurring tournament needs a scheduled start. Choose a different way to start."), code="start_missing"
        )
    zone = ZoneInfo(plan.time_zone) if plan.time_zone else timezone.get_default_timezone()
    local, closes = plan.starts_at.astimezone(zone), plan.deadline.astimezone(zone)
    at = local.time().replace(microsecond=0)
    columns = plan.columns()
    for name in ("deadline", "starts_at"):
        del columns[name]
    return {
        "name": plan.name,
        "plan": columns,
        "weekday": local.weekday(),
        "at": at,
        "time_zone": str(zone),
        "closes_before": local.replace(tzinfo=None) - closes.replace(tzinfo=None),
        "next_at": next_start(plan.starts_at, local.weekday(), at, zone),
    }


def create_due(*, now: datetime) -> int:
    """Create the editions whose predecessors have started; return how many were created."""
    due = Series.objects.filter(is_active=True, next_at__lte=now + WEEK)
    return sum(_create_or_log(series, now) for series in due.select_related("organizer"))


def _create_or_log(series: Series, now: datetime) -> bool:
    """Create a series' next tournament; return whether it was created.

    A failure is logged and does not block other series; the next tick retries.
    """
    try:
        return _create(series, now)
    except Exception:
        logger.exception("series %s could not create its next tournament", series.pk)
        return False


def _create(series: Series, now: datetime) -> bool:
    zone = ZoneInfo(series.time_zone)
    starts_at = series.next_at
    while _deadline_of(series, starts_at) <= now:
        starts_at = next_start(max(now, starts_at), series.weekday, series.at, zone)
    following = next_start(starts_at, series.weekday, series.at, zone)
    if not may(series.organizer, Action.CREATE_TOURNAMENT):
        return _stop(series, NO_ORGANIZER)
    try:
        with transaction.atomic():
            if not Series.objects.filter(pk=series.pk, next_at=series.next_at, is_active=True).update(
                next_at=following
            ):
                return False
            pk = create(
                series.organizer,
                _plan(series, starts_at),
                rng=random.SystemRandom(),
                house_bots=_active_house_bots(series.house_bots),
                invited=_invited_last(series),
            )
            Tournament.objects.filter(pk=pk).update(series=series)
    except Refused as refusal:
        return _stop(series, refusal.code)
    return True


def _stop(series: Series, problem: str) -> bool:
    """Stop the series; return False, because no tournament was created."""
    logger.warning("series %s stopped: %s", series.pk, problem)
    Series.objects.filter(pk=series.pk).update(is_active=False, problem=problem)
    return False


def _plan(series: Series, starts_at: datetime) -> TournamentPlan:
    columns: dict[str, Any] = series.plan
    return TournamentPlan(**columns, deadline=_deadline_of(series, starts_at), starts_at=starts_at)


def _deadline_of(series: Series, starts_at: datetime) -> datetime:
    """Return an edition's submission deadline, computed in wall-clock time."""
    local = starts_at.astimezone(ZoneInfo(series.time_zone)) - series.closes_before
    return local.astimezone(timezone.get_default_timezone())


def _active_house_bots(bots: list[int]) -> list[int]:
    """Return the ids of those house bots in ``bots`` that have not been retired."""
    rows = Bot.objects.filter(pk__in=bots, is_house=True, retired=False)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _invited_last(series: Series) -> list[str]:
    """Return the names of people invited to the previous tournament, except closed accounts."""
    before = series.tournaments.order_by("-pk").first()
    rows = Invitation.objects.filter(tournament=before, person__is_active=True)
    return list(rows.order_by("pk").values_list("person__username", flat=True))


def set_active(series_id: int, *, active: bool, now: datetime) -> None:
    """Pause or resume a series; a resumed series continues with its next edition."""
    series = Series.objects.get(pk=series_id)
    changes: dict[str, Any] = {"is_active": active}
    if active:
        zone = ZoneInfo(series.time_zone)
        coming = next_start(now, series.weekday, series.at, zone)
        changes |= {"problem": "", "next_at": max(series.next_at, coming)}
    Series.objects.filter(pk=series_id).update(**changes)
