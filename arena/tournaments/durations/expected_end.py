"""Estimate when a running tournament will end, in the same way as before its start (see ``queries.forecast``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max

from arena.core.fair_share_simulation import seconds_until_end
from arena.tournaments.durations.samples import Basis, best_sample
from arena.tournaments.durations.worker_load import worker_load
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Standing, Tournament, TournamentStatus

_MIN_STALL: Final = timedelta(minutes=2)
_STALL_FACTOR: Final = 4  # a tournament has stalled if no match has started or ended for this many mean durations


def expected_end(standing: Standing, *, now: datetime) -> datetime | None:
    """Return when the remaining matches are expected to end, given their workers' other work.

    Return None if the tournament is not running, makes no progress or has no matches left that can be played now, or if
    nothing is known about the durations of the game.
    """
    tournament = standing.tournament
    if tournament.status != TournamentStatus.RUNNING or standing.total <= standing.finished + standing.failed:
        return None
    if standing.mean_seconds is None and best_sample(tournament.game).basis == Basis.ASSUMPTION:
        return None
    load = worker_load(tournament.game, now=now)
    if tournament.pk not in load.ids:
        return None
    index = load.ids.index(tournament.pk)
    own = load.others[index]
    if _has_stalled(tournament, load.starts[index], own.seconds, now):
        return None
    batches = [*load.others]
    batches[index] = replace(own, rounds=_rounds_left(tournament))
    return now + timedelta(seconds=seconds_until_end(batches, index, processes=load.processes))


def _has_stalled(tournament: Tournament, starts: Iterable[datetime], seconds: float, now: datetime) -> bool:
    ended = tournament.pairings.aggregate(last=Max("ended_at"))["last"]
    moments = [moment for moment in (tournament.started_at, ended, *starts) if moment is not None]
    return bool(moments) and now - max(moments) > max(_MIN_STALL, timedelta(seconds=_STALL_FACTOR * seconds))


def _rounds_left(tournament: Tournament) -> int:
    """Return how many rounds must still be played one after the other, including the current one."""
    if traits_of(tournament).pairs_ahead:
        return 1
    entries = tournament.entries.filter(seed__isnull=False).count()
    return max(1, system_of(tournament, entries).rounds(entries) - tournament.rounds.count() + 1)
