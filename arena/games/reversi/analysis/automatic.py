"""Use spare CPU time for automatic analyses of key matches, and of matches that people's bots lost.

Invariants: at most one automatic analysis is unfinished; it queues behind all requests from people, and stops when such
a request is waiting. It does not wait for idle workers: its worker plays no matches, and the engine runs at a low
priority, so it yields the cores to matches. Matches that are slowed down for spectators occupy their workers for hours
but leave the cores idle.

The key matches of tournaments that have just finished come first, because the tournaments' pages show their turning
points; those that a person's bot lost precede the others. All other losses follow, with authors taking turns: the
author with the fewest automatic analyses within a day is next. Every loss in a tournament or scrimmage is analysed.
Losses on the ladder, which never ends, come after these, with at most ``LOSSES_ANALYSED_A_DAY`` analyses per author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

from arena.games.reversi.analysis.engine import engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.review import review
from arena.games.reversi.analysis.services import UNFINISHED, analysis_row, wake_workers
from arena.games.reversi.recorded_line import GAME, match_line
from arena.matches import loss_notices
from arena.matches.losses import REQUESTED, recent_losses
from arena.matches.models import Match, Purpose
from arena.matches.records import record_of
from arena.matches.reviews import REVIEWABLE
from arena.platform.jobs.fair_share import NOBODY, person_of, person_party
from arena.tournaments.queries.stages import REVIEWED_FOR, recent_key_matches

_RECENT: Final = timedelta(days=2)
_DAY: Final = timedelta(days=1)
_MAX_LOSSES: Final = 500  # losses examined at a time
_POLL_SECONDS: Final = 2.0  # between two checks for waiting requests


@dataclass(frozen=True, slots=True)
class AnalysisCandidate:
    """A match to analyse. ``party``: the fair-share party of the author whose bot lost it, or ``NOBODY``."""

    match_id: int
    party: str


def request_next_analysis(*, now: datetime) -> int | None:
    """Request the analysis of the next match, unless another analysis is unfinished.

    Return the id of the requested analysis; None if none was requested.
    """
    if Analysis.objects.filter(status__in=UNFINISHED).exists():
        return None
    found = next_match(now=now)
    return None if found is None else _request_analysis(found, now)


def _recent_key_matches(now: datetime) -> Sequence[int]:
    return recent_key_matches(GAME, since=now - REVIEWED_FOR)


def next_match(
    *, now: datetime, recent_key_matches: Callable[[datetime], Sequence[int]] = _recent_key_matches
) -> AnalysisCandidate | None:
    """Return the next match to analyse; None if no match is left, or if automatic analysis is turned off.

    ``recent_key_matches``: returns the key matches of tournaments that have just finished, best first.
    """
    most = settings.LOSSES_ANALYSED_A_DAY
    if not most:
        return None
    rows = Analysis.objects.filter(requested_by=None, requested_at__gt=now - _DAY, match__isnull=False)
    had = Counter(rows.values_list("match__purpose", "party"))
    full = [party for (purpose, party), count in had.items() if purpose == Purpose.LADDER and count >= most]
    analysed = Exists(Analysis.objects.filter(match=OuterRef("match")))
    unless = Q(submission__bot__owner__in=[person_of(party) for party in full]) | Q(analysed)
    recent = partial(recent_losses, GAME, since=now - _RECENT, most=_MAX_LOSSES)
    requested = recent(purposes=REQUESTED, unless=analysed)
    keys = _without_analysis(recent_key_matches(now))
    if keys and not {loss.match_id for loss in requested}.intersection(keys):
        return AnalysisCandidate(keys[0], NOBODY)
    due = requested or recent(purposes=[Purpose.LADDER], unless=unless)
    if not due:
        return None
    totals = Counter(party for (_, party), count in had.items() for _ in range(count))
    loss = min(due, key=lambda one: (one.match_id not in keys, totals[person_party(one.owner_id)]))
    return AnalysisCandidate(loss.match_id, person_party(loss.owner_id))


def _without_analysis(match_ids: Sequence[int]) -> list[int]:
    """Return the ids of those matches that ended according to the rules and have a record but no analysis."""
    unanalysed = ~Exists(Analysis.objects.filter(match=OuterRef("pk")))
    rows = Match.objects.filter(REVIEWABLE, unanalysed, pk__in=match_ids)
    left = set(rows.values_list("pk", flat=True))
    return [pk for pk in match_ids if pk in left]


def _request_analysis(found: AnalysisCandidate, now: datetime) -> int | None:
    record = record_of(found.match_id, game=GAME)
    if record is None:
        return None
    made = analysis_row(match_line(record).line, found.match_id, engine_version(), now)
    made.party = found.party
    try:
        with transaction.atomic():
            made.save()
            transaction.on_commit(partial(wake_workers, [made.pk]))
    except IntegrityError:  # somebody requested it at the same moment
        return None
    return made.pk


def notify_authors(match_id: int, *, now: datetime) -> None:
    """Notify the authors whose bots lost, in the transaction that stores an automatic analysis."""
    found = review(match_id)
    if found is not None:
        loss_notices.send_loss_notices(match_id, found, now=now)


def preemptible_stop(row: Analysis, stop: Callable[[], bool], clock: Callable[[], float]) -> Callable[[], bool]:
    """Return the ``stop`` function of an analysis.

    If the analysis is automatic, the function also returns true once a person's request is waiting.
    """
    if row.requested_by_id is not None:
        return stop
    poll_at = clock() + _POLL_SECONDS

    def stopping() -> bool:
        nonlocal poll_at
        if stop():
            return True
        if clock() < poll_at:
            return False
        poll_at = clock() + _POLL_SECONDS
        return Analysis.objects.filter(status=AnalysisStatus.WAITING).exclude(requested_by=None).exists()

    return stopping
