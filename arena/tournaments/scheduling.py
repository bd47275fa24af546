"""Pairing a tournament at its start, and keeping its matches in line with its state from then on.

Invariants: ``reconcile`` may run at any time, any number of times and in several processes: it holds the
tournament's row while it decides, and does only what is still to be done. Every service and every tick ends in
it, so whatever was interrupted is completed by the next tick. A running match is cancelled only after that row
was let go: whoever stores a result holds the match and waits for the tournament, never the other way round.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from arena.matches.models import MatchStatus, Purpose
from arena.matches.services import MatchRequest, cancel, create_matches, hold, release
from arena.tournaments import lifecycle
from arena.tournaments.announcing import announce, note
from arena.tournaments.models import (
    EndReason,
    Entry,
    EntryStatus,
    NoticeKind,
    Pairing,
    PairingSeat,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from arena.tournaments.pairings import rounds_of
from arena.tournaments.snapshots import status_event
from arena.tournaments.standing import catch_up, is_behind

logger = logging.getLogger(__name__)

FEWEST = 2
_UNDER_WAY = (MatchStatus.QUEUED, MatchStatus.RUNNING)
_TO_PLAY = (MatchStatus.PLANNED, *_UNDER_WAY)


@dataclass(frozen=True, slots=True)
class _Table:
    """A pairing to be created: its round and the entries in the order of their seats."""

    round: int
    entries: tuple[Entry, ...]


def start(tournament_id: int, *, now: datetime) -> bool:
    """Pair a frozen tournament and let it run; False where somebody else did or it cannot start.

    A constant number of statements, whatever the number of matches.
    """
    with transaction.atomic():
        version = lifecycle.move(
            tournament_id, TournamentStatus.RUNNING, only_from=TournamentStatus.FROZEN, started_at=now
        )
        if version is None:
            return False
        tournament = Tournament.objects.get(pk=tournament_id)
        entries = list(tournament.entries.filter(status=EntryStatus.ENTERED).order_by("pk"))
        rng = random.Random(tournament.seed)  # noqa: S311 - the draw can be repeated
        rng.shuffle(entries)  # or whoever entered first would have the better seats
        rounds = rounds_of(tournament, entries)
        TournamentRound.objects.bulk_create(
            TournamentRound(tournament=tournament, number=number) for number, _ in enumerate(rounds, start=1)
        )
        tables = [_Table(number, table) for number, round_ in enumerate(rounds, start=1) for table in round_]
        _create(tournament, tables, rng)
        note(tournament_id, NoticeKind.STARTED)
        announce(tournament_id, version, status_event(tournament_id, TournamentStatus.RUNNING))
    catch_up(tournament_id, now=now)
    reconcile(tournament_id, now=now)
    return True


def _create(tournament: Tournament, tables: Sequence[_Table], rng: random.Random) -> None:
    """Create the matches and pairings of existing rounds."""
    match_ids = create_matches(
        [
            MatchRequest(
                game=tournament.game,
                settings=tournament.settings,
                limits=tournament.limits,
                seed=rng.getrandbits(62),
                purpose=Purpose.TOURNAMENT,
                submissions=tuple(entry.submission_id or 0 for entry in table.entries),
                requested_by=tournament.organizer_id,
                audience=tournament.audience_id,
            )
            for table in tables
        ],
        planned=True,
    )
    rounds = dict(tournament.rounds.values_list("number", "pk"))
    pairings = Pairing.objects.bulk_create(
        Pairing(tournament=tournament, round_id=rounds[table.round], match_id=match_id)
        for table, match_id in zip(tables, match_ids, strict=True)
    )
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, entry=entry, index=index)
        for pairing, table in zip(pairings, tables, strict=True)
        for index, entry in enumerate(table.entries)
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left to do once the tournament's row is free: ``stop`` are running matches to be cancelled."""

    stop: tuple[int, ...] = ()
    wants_standing: bool = False  # it can end only with one that shows everything


def reconcile(tournament_id: int, *, now: datetime) -> None:
    """Do what the state of the tournament asks of its matches."""
    rest = _settle(tournament_id, now)
    if rest.stop:
        cancel(rest.stop)
        rest = _settle(tournament_id, now)
    if rest.wants_standing:
        catch_up(tournament_id, now=now)
        _settle(tournament_id, now)


def _settle(tournament_id: int, now: datetime) -> _Rest:
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None or tournament.status == TournamentStatus.OPEN:
            return _Rest()
        _close_cancelled(tournament, now)
        if tournament.status == TournamentStatus.FROZEN:
            _cancel_if_too_few(tournament, now)
            return _Rest()
        if tournament.status in (TournamentStatus.CANCELLED, TournamentStatus.FINISHED):
            return _after_the_end(tournament, now)
        return _go_on(tournament, now)


def _close_cancelled(tournament: Tournament, now: datetime) -> None:
    """A cancelled match is no longer open; how many there are is part of the standing."""
    rows = tournament.pairings.filter(ended_at=None, match__status=MatchStatus.CANCELLED)
    cancelled = list(rows.values_list("pk", flat=True))
    if cancelled:
        Pairing.objects.filter(pk__in=cancelled).update(ended_at=now)
        Tournament.objects.filter(pk=tournament.pk).update(results=F("results") + 1)
        tournament.results += 1


def _cancel_if_too_few(tournament: Tournament, now: datetime) -> None:
    if _entered(tournament) < FEWEST:
        admitted = tournament.entries.exclude(submission=None).count()
        reason = EndReason.TOO_FEW_ENTRIES if admitted < FEWEST else EndReason.TOO_FEW_LEFT
        _end(tournament, TournamentStatus.CANCELLED, reason, now)


def _after_the_end(tournament: Tournament, now: datetime) -> _Rest:
    dropped = tournament.status == TournamentStatus.CANCELLED or tournament.end_reason
    stop = _drop(tournament, now) if dropped else ()
    return _Rest(stop, is_behind(tournament))


def _go_on(tournament: Tournament, now: datetime) -> _Rest:
    """Of a tournament that runs or is paused."""
    if _entered(tournament) < FEWEST:
        stop = _drop(tournament, now)
        _end(tournament, TournamentStatus.FINISHED, EndReason.TOO_FEW_LEFT, now)
        return _Rest(stop, True)
    stopped = _without_withdrawn(tournament)
    _close_cancelled(tournament, now)
    if tournament.status == TournamentStatus.PAUSED:
        hold(_matches(tournament, (MatchStatus.QUEUED,)))
    else:
        _release(tournament)
    if _to_play(tournament).exclude(match_id__in=stopped).exists():
        return _Rest(stopped)
    if is_behind(tournament):
        return _Rest(stopped, True)
    _end(tournament, TournamentStatus.FINISHED, "", now)
    return _Rest(stopped)


def _entered(tournament: Tournament) -> int:
    return tournament.entries.filter(status=EntryStatus.ENTERED).count()


def _to_play(tournament: Tournament, statuses: Sequence[MatchStatus] = _TO_PLAY) -> QuerySet[Pairing]:
    return Pairing.objects.filter(tournament=tournament, ended_at=None, match__status__in=statuses).order_by("pk")


def _matches(tournament: Tournament, statuses: Sequence[MatchStatus]) -> list[int]:
    return list(_to_play(tournament, statuses).values_list("match_id", flat=True))


def _release(tournament: Tournament) -> None:
    """Hand the next matches to the workers, in the order of the rounds."""
    free = (tournament.parallel or settings.MATCHES_UNDER_WAY) - _to_play(tournament, _UNDER_WAY).count()
    if free > 0:
        planned = _to_play(tournament, (MatchStatus.PLANNED,)).values_list("match_id", flat=True)[:free]
        if planned:
            release(list(planned))


def _drop(tournament: Tournament, now: datetime) -> tuple[int, ...]:
    """Cancel what waits; returns what runs."""
    hold(_matches(tournament, (MatchStatus.QUEUED,)))
    cancel(_matches(tournament, (MatchStatus.PLANNED,)))
    _close_cancelled(tournament, now)
    return tuple(_matches(tournament, (MatchStatus.RUNNING,)))


def _without_withdrawn(tournament: Tournament) -> tuple[int, ...]:
    """Take withdrawn entries out of what is still to be played; returns running matches to be cancelled.

    A match of two is cancelled. A table that waits is replaced by one without them; one that runs goes on.
    """
    affected = _to_play(tournament).filter(seats__entry__status=EntryStatus.WITHDRAWN).distinct()
    if not affected.exists():
        return ()
    hold(list(affected.filter(match__status=MatchStatus.QUEUED).values_list("match_id", flat=True)))
    waiting = list(affected.filter(match__status=MatchStatus.PLANNED).select_related("round"))
    if tournament.is_table:
        _replace(tournament, waiting)
    cancel([pairing.match_id for pairing in waiting])
    if tournament.is_table:
        return ()
    return tuple(affected.filter(match__status=MatchStatus.RUNNING).values_list("match_id", flat=True))


def _replace(tournament: Tournament, pairings: Sequence[Pairing]) -> None:
    """Set the tables again without the withdrawn entries."""
    seats = (
        PairingSeat.objects.filter(pairing__in=pairings, entry__status=EntryStatus.ENTERED)
        .select_related("entry")
        .order_by("pairing_id", "index")
    )
    left: dict[int, list[Entry]] = {}
    for seat in seats:
        left.setdefault(seat.pairing_id, []).append(seat.entry)
    tables = [_Table(pairing.round.number, tuple(left[pairing.pk])) for pairing in pairings]
    if tables:
        rng = random.Random(f"{tournament.seed} {pairings[0].pk}")  # noqa: S311 - the draw can be repeated
        _create(tournament, tables, rng)


def _end(tournament: Tournament, target: TournamentStatus, reason: EndReason | str, now: datetime) -> None:
    """Finish or cancel, with a line in the feed; the caller holds the tournament's row."""
    version = lifecycle.move(tournament.pk, target, finished_at=now, end_reason=reason)
    if version is None:
        return
    kind = NoticeKind.FINISHED if target == TournamentStatus.FINISHED else NoticeKind.CANCELLED
    note(tournament.pk, kind)
    announce(tournament.pk, version, status_event(tournament.pk, target))
