"""Analyse lost matches of people's bots automatically, while the machine is idle.

Invariants: at most one such analysis is unfinished; it is created only when workers are idle, queues behind all
requests from people, and stops as soon as such a request is waiting. Losses in the key matches of tournaments that have
just finished come first, because the tournaments' pages show their turning points. Otherwise, authors take turns: the
next loss is that of the author with the fewest automatic analyses within a day. Every loss in a tournament or scrimmage
is analysed. Losses on the ladder, which never ends, come after these, with at most ``LOSSES_ANALYSED_A_DAY`` analyses
per author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

from arena.games.reversi.analysis.engine import engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.review import review
from arena.games.reversi.analysis.services import UNFINISHED, analysis_row, wake
from arena.games.reversi.recorded_line import GAME, line_of
from arena.matches import loss_notices
from arena.matches.losses import REQUESTED, Loss, recent_losses
from arena.matches.models import Purpose
from arena.matches.records import record_of
from arena.platform.jobs.fair_share import person_of, person_party
from arena.ratings.spare_capacity import SpareCapacity
from arena.tournaments.queries.stages import recent_key_matches

_RECENT: Final = timedelta(days=2)
_DAY: Final = timedelta(days=1)
_LOOKED_AT: Final = 500  # losses examined at a time
_LOOK_SECONDS: Final = 2.0  # between two checks for waiting requests


def tick(spare: SpareCapacity, *, now: datetime) -> int | None:
    """Request the analysis of the next lost match if workers are idle; return its id."""
    if not spare.is_idle or Analysis.objects.filter(status__in=UNFINISHED).exists():
        return None
    loss = next_loss(now=now)
    return None if loss is None else _request(loss, now)


def _key_matches(now: datetime) -> Collection[int]:
    return recent_key_matches(GAME, since=now - _RECENT)


def next_loss(*, now: datetime, key_matches: Callable[[datetime], Collection[int]] = _key_matches) -> Loss | None:
    """Return an unanalysed loss in a key match, otherwise the newest of the author with the fewest analyses.

    ``key_matches``: returns the matches that come first.
    """
    most = settings.LOSSES_ANALYSED_A_DAY
    if not most:
        return None
    rows = Analysis.objects.filter(requested_by=None, requested_at__gt=now - _DAY, match__isnull=False)
    had = Counter(rows.values_list("match__purpose", "party"))
    full = [party for (purpose, party), count in had.items() if purpose == Purpose.LADDER and count >= most]
    analysed = Exists(Analysis.objects.filter(match=OuterRef("match")))
    unless = Q(submission__bot__owner__in=[person_of(party) for party in full]) | Q(analysed)
    recent = partial(recent_losses, GAME, since=now - _RECENT, most=_LOOKED_AT)
    due = recent(purposes=REQUESTED, unless=analysed) or recent(purposes=[Purpose.LADDER], unless=unless)
    if not due:
        return None
    first = set(key_matches(now))
    totals = Counter(party for (_, party), count in had.items() for _ in range(count))
    return min(due, key=lambda loss: (loss.match_id not in first, totals[person_party(loss.owner_id)]))


def _request(loss: Loss, now: datetime) -> int | None:
    record = record_of(loss.match_id, game=GAME)
    if record is None:
        return None
    made = analysis_row(line_of(record).line, loss.match_id, engine_version(), now)
    made.party = person_party(loss.owner_id)
    try:
        with transaction.atomic():
            made.save()
            transaction.on_commit(partial(wake, [made.pk]))
    except IntegrityError:  # somebody requested it at the same moment
        return None
    return made.pk


def notify_author(match_id: int, *, now: datetime) -> None:
    """Notify the author in the transaction that stores an automatic analysis."""
    found = review(match_id)
    if found is not None:
        loss_notices.send(match_id, found, now=now)


def preemptible_stop(row: Analysis, stop: Callable[[], bool], clock: Callable[[], float]) -> Callable[[], bool]:
    """Return the ``stop`` function of an analysis.

    If the analysis is automatic, the function also returns true once a person's request is waiting.
    """
    if row.requested_by_id is not None:
        return stop
    look_at = clock() + _LOOK_SECONDS

    def stopping() -> bool:
        nonlocal look_at
        if stop():
            return True
        if clock() < look_at:
            return False
        look_at = clock() + _LOOK_SECONDS
        return Analysis.objects.filter(status=AnalysisStatus.WAITING).exclude(requested_by=None).exists()

    return stopping
