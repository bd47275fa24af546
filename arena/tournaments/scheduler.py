"""Tournament scheduler: deadlines, starts, stale standings, and recovery after interruptions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial

from arena.tournaments.entries.freezing import freeze
from arena.tournaments.lifecycle import UNFINISHED
from arena.tournaments.models import Pairing, Tournament, TournamentStatus
from arena.tournaments.rounds.reconciliation import reconcile, start
from arena.tournaments.services import result_release, series
from arena.tournaments.standings.store import refresh_if_due, stale_tournaments

logger = logging.getLogger(__name__)


def tick(*, now: datetime) -> int:
    """Do everything that is due in every tournament; return the number of tournaments examined.

    If a tournament fails, the failure is logged and does not block the others; the next tick tries again.
    """
    series.create_due(now=now)
    for tournament_id in stale_tournaments():
        _run_or_log(tournament_id, partial(refresh_if_due, now=now))
    for tournament_id in result_release.incomplete_releases(now=now):
        _run_or_log(tournament_id, result_release.publish_matches)
    due = [*Tournament.objects.filter(status__in=UNFINISHED).values_list("pk", flat=True), *_ended_with_open_matches()]
    for tournament_id in due:
        _run_or_log(tournament_id, partial(_advance, now=now))
    return len(due)


def _run_or_log(tournament_id: int, step: Callable[[int], object]) -> None:
    try:
        step(tournament_id)
    except Exception:
        logger.exception("tournament %s could not be updated", tournament_id)


def _advance(tournament_id: int, *, now: datetime) -> None:
    status, starts_at = Tournament.objects.values_list("status", "starts_at").get(pk=tournament_id)
    if status == TournamentStatus.OPEN and freeze(tournament_id, now=now):
        status = Tournament.objects.values_list("status", flat=True).get(pk=tournament_id)
    if status == TournamentStatus.OPEN:
        return
    if status == TournamentStatus.FROZEN and starts_at is not None and starts_at <= now:
        start(tournament_id, now=now)
    else:
        reconcile(tournament_id, now=now)


def _ended_with_open_matches() -> list[int]:
    """Return the ids of ended tournaments that still have unplayed matches because a cancellation was interrupted."""
    rows = Pairing.objects.filter(ended_at=None).exclude(tournament__status__in=UNFINISHED)
    return list(rows.values_list("tournament_id", flat=True).distinct())
