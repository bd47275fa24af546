"""Start tournaments, and keep their matches consistent with their state.

Invariants: ``reconcile`` is idempotent and may run at any time, even in several processes simultaneously: it locks the
tournament's row while it decides, and does only what remains to be done. Every service and every tick runs it last, so
the next tick completes whatever was interrupted. Matches that may be ending (``arena.matches.services.ENDING``) are
cancelled only after the row has been unlocked, because storing the end of a match locks the match first and then the
tournament, never the other way round.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q

from arena.matches.models import MatchStatus
from arena.matches.services import cancel, release, undo_release
from arena.tournaments import lifecycle
from arena.tournaments.durations.worker_load import concurrency_limit
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import status_event
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import ActivityKind, EndReason, Entry, EntryStatus, Pairing, Tournament, TournamentStatus
from arena.tournaments.rounds.draws import seed_order
from arena.tournaments.rounds.pairing import pair_next
from arena.tournaments.rounds.withdrawals import open_pairings, remove_withdrawn
from arena.tournaments.standings.store import is_stale, refresh

logger = logging.getLogger(__name__)

MIN_ENTRIES = 2
_ROUNDS_AT_ONCE = 50  # rounds paired by one call; the next tick continues
_UNDER_WAY = (MatchStatus.QUEUED, MatchStatus.RUNNING)


def start(tournament_id: int, *, now: datetime) -> bool:
    """Seed a frozen tournament and start it; return False if another process has done so, or if it cannot start.

    Rounds are paired on demand, so starting takes the same time for any number of matches.
    """
    with transaction.atomic():
        version = lifecycle.change_status(
            tournament_id, TournamentStatus.RUNNING, only_from=TournamentStatus.FROZEN, started_at=now
        )
        if version is None:
            return False
        tournament = Tournament.objects.get(pk=tournament_id)
        entries = seed_order(tournament, tournament.entries.filter(status=EntryStatus.ENTERED).select_related("bot"))
        for place, entry in enumerate(entries, start=1):
            entry.seed = place
        Entry.objects.bulk_create(entries, update_conflicts=True, unique_fields=["id"], update_fields=["seed"])
        log_activity(tournament_id, ActivityKind.STARTED)
        publish_event(tournament_id, version, status_event(tournament_id, TournamentStatus.RUNNING))
    refresh(tournament_id, now=now)
    reconcile(tournament_id, now=now)
    return True


@dataclass(frozen=True, slots=True)
class _FollowUp:
    """The work to do after the tournament's row is unlocked; ``stop``: the matches to cancel then."""

    stop: tuple[int, ...] = ()
    wants_round: bool = False
    wants_standing: bool = False  # the tournament can end only with complete standings


def reconcile(tournament_id: int, *, now: datetime) -> None:
    """Bring the tournament's matches in line with its state."""
    rest = _apply_state(tournament_id, now)
    if rest.stop:
        cancel(rest.stop)
        rest = _apply_state(tournament_id, now)
    for _ in range(_ROUNDS_AT_ONCE):
        if not (rest.wants_round and pair_next(tournament_id, now=now)):
            break
        rest = _apply_state(tournament_id, now)
    if rest.wants_standing:
        refresh(tournament_id, now=now)
        _apply_state(tournament_id, now)


def _apply_state(tournament_id: int, now: datetime) -> _FollowUp:
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None or tournament.status == TournamentStatus.OPEN:
            return _FollowUp()
        _close_cancelled(tournament, now)
        if tournament.status == TournamentStatus.FROZEN:
            _cancel_if_too_few(tournament, now)
            return _FollowUp()
        if tournament.status in (TournamentStatus.CANCELLED, TournamentStatus.FINISHED):
            return _follow_up_after_end(tournament, now)
        return _continue_tournament(tournament, now)


def _close_cancelled(tournament: Tournament, now: datetime) -> None:
    """Close the pairings of cancelled matches, because the number of open pairings affects the standings."""
    rows = tournament.pairings.filter(ended_at=None, match__status=MatchStatus.CANCELLED)
    cancelled = list(rows.values_list("pk", flat=True))
    if cancelled:
        Pairing.objects.filter(pk__in=cancelled).update(ended_at=now)
        Tournament.objects.filter(pk=tournament.pk).update(results=F("results") + 1)
        tournament.results += 1


def _cancel_if_too_few(tournament: Tournament, now: datetime) -> None:
    if _active_entries(tournament) < MIN_ENTRIES:
        eligible = tournament.entries.exclude(submission=None).count()
        reason = EndReason.TOO_FEW_ENTRIES if eligible < MIN_ENTRIES else EndReason.TOO_FEW_LEFT
        _end_tournament(tournament, TournamentStatus.CANCELLED, reason, now)


def _follow_up_after_end(tournament: Tournament, now: datetime) -> _FollowUp:
    dropped = tournament.status == TournamentStatus.CANCELLED or tournament.end_reason
    stop = _cancel_waiting(tournament, now) if dropped else ()
    return _FollowUp(stop, wants_standing=is_stale(tournament))


def _continue_tournament(tournament: Tournament, now: datetime) -> _FollowUp:
    """Continue a running or paused tournament."""
    if _active_entries(tournament) < MIN_ENTRIES:
        stop = _cancel_waiting(tournament, now)
        if stop or is_stale(tournament):
            return _FollowUp(stop, wants_standing=True)
        _end_tournament(tournament, TournamentStatus.FINISHED, EndReason.TOO_FEW_LEFT, now)
        return _FollowUp()
    stopped = remove_withdrawn(tournament)
    _close_cancelled(tournament, now)
    if tournament.status == TournamentStatus.PAUSED:
        undo_release(_matches(tournament, MatchStatus.QUEUED))
    else:
        _release(tournament)
    if tournament.paired_at is None:
        return _FollowUp(stopped, wants_round=_has_room(tournament))
    if open_pairings(tournament).exclude(match_id__in=stopped).exists():
        return _FollowUp(stopped)
    if is_stale(tournament):
        return _FollowUp(stopped, wants_standing=True)
    _end_tournament(tournament, TournamentStatus.FINISHED, "", now)
    return _FollowUp(stopped)


def _active_entries(tournament: Tournament) -> int:
    return tournament.entries.filter(status=EntryStatus.ENTERED).count()


def _matches(tournament: Tournament, *statuses: MatchStatus) -> list[int]:
    rows = open_pairings(tournament, *statuses).values_list("match_id", flat=True)
    return [match_id for match_id in rows if match_id]


def _release(tournament: Tournament) -> None:
    """Release the next matches to the workers, in round order."""
    free = concurrency_limit(tournament.parallel) - open_pairings(tournament, *_UNDER_WAY).count()
    if free > 0:
        planned = _matches(tournament, MatchStatus.PLANNED)[:free]
        if planned:
            release(planned)


def _has_room(tournament: Tournament) -> bool:
    """Return whether the next round should be paired now, because workers would otherwise run out of matches."""
    if tournament.status != TournamentStatus.RUNNING:
        return False
    if not traits_of(tournament).pairs_ahead:
        return not open_pairings(tournament).exists()
    return open_pairings(tournament, MatchStatus.PLANNED).count() < concurrency_limit(tournament.parallel)


def _cancel_waiting(tournament: Tournament, now: datetime) -> tuple[int, ...]:
    """Cancel waiting matches; return the ids of those that may be ending, which must be cancelled after the unlock."""
    undo_release(_matches(tournament, MatchStatus.QUEUED))
    cancel(_matches(tournament, MatchStatus.PLANNED))
    _close_cancelled(tournament, now)
    return tuple(_matches(tournament, *_UNDER_WAY))


def _end_tournament(tournament: Tournament, target: TournamentStatus, reason: EndReason | str, now: datetime) -> None:
    """Finish or cancel the tournament, and log it; the caller must have locked the tournament's row."""
    version = lifecycle.change_status(tournament.pk, target, finished_at=now, end_reason=reason)
    if version is None:
        return
    kind = ActivityKind.FINISHED if target == TournamentStatus.FINISHED else ActivityKind.CANCELLED
    log_activity(tournament.pk, kind)
    publish_event(tournament.pk, version, status_event(tournament.pk, target))


def is_about_to_release(games: Collection[str]) -> bool:
    """Return whether any running tournament in these games can release planned matches now.

    A tournament that has reached its own limit on concurrent matches does not count, so it does not keep idle workers
    from other work. Runs one query.
    """
    rows = _open_by_tournament(Q(tournament__game__in=games))
    return any(row["planned"] and row["under_way"] < concurrency_limit(row["tournament__parallel"]) for row in rows)


def _open_by_tournament(which: Q) -> Iterator[Mapping[str, Any]]:
    """Yield, for each running tournament, the numbers of its planned and its released matches.

    Only unfinished pairings that satisfy ``which`` are counted.
    """
    pairings = Pairing.objects.filter(which, tournament__status=TournamentStatus.RUNNING, ended_at=None)
    planned = Count("pk", filter=Q(match__status=MatchStatus.PLANNED))
    under_way = Count("pk", filter=Q(match__status__in=_UNDER_WAY))
    by_tournament = pairings.order_by().values("tournament", "tournament__parallel")
    yield from by_tournament.annotate(planned=planned, under_way=under_way)
