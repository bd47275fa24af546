"""Request analyses, wake workers for them, and give up on those that failed too often.

Invariants: asking twice for the same analysis by the same engine makes one row, whoever asks; what is asked for is
announced on commit; a failed analysis waits again when somebody asks for it, and what is done is never done again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import SIGNED_IN, Person, Rules, require
from arena.celery import Queue, queue_of
from arena.classes.quotas import hold
from arena.games.reversi.analysis import quota
from arena.games.reversi.analysis.engine import EngineFailed, EngineStopped, engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.lines import Line
from arena.games.reversi.recorded_line import GAME, line_of
from arena.matches.records import record_of
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import WakeUp
from arena.platform.jobs.fair_share import SharedQueue, person_party
from arena.platform.jobs.kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused


class AnalysisAction(StrEnum):
    """What not everybody may have analysed."""

    REQUEST_ANALYSIS = "request_analysis"  # of a match that they may see, or of a position


RULES: Final[Rules] = {AnalysisAction.REQUEST_ANALYSIS: SIGNED_IN}

JOBS = JobQueue(Analysis, AnalysisStatus.WAITING, AnalysisStatus.RUNNING)
# What people asked for goes before what the arena analyses by itself; see ``automatic``.
SHARED_QUEUE = SharedQueue(JOBS, before_turns=Q(requested_by__isnull=False))
ANALYSIS_TASK = "arena.games.reversi.analysis.tasks.analyse"
UNFINISHED = (AnalysisStatus.WAITING, AnalysisStatus.RUNNING)


def digest_of(line: Line) -> str:
    """The same for equal lines."""
    return hashlib.sha256(f"{line.board} {line.side} {''.join(line.moves)}".encode()).hexdigest()


def asking(person: Person) -> User | None:
    """Who asks for analyses, None for a visitor; raises PermissionDenied for somebody who may not."""
    if not isinstance(person, User):
        return None
    require(person, AnalysisAction.REQUEST_ANALYSIS)
    return person


def analyse_match(person: User, match_id: int, *, now: datetime) -> int:
    """Request the analysis of a finished match by today's engine; its id. The caller has checked that they may see it.

    Raises Refused.
    """
    record = record_of(match_id)
    if record is None or record.game != GAME:
        raise Refused(_("Only finished matches of Reversi can be analysed."))
    return _request(person, line_of(record).line, match_id, now)


def analyse_line(person: User, line: Line, *, now: datetime) -> int:
    """Request the analysis of a line that somebody set up; its id. Raises Refused, LineError."""
    return _request(person, line, None, now)


def _request(person: User, line: Line, match_id: int | None, now: datetime) -> int:
    made = analysis_row(line, match_id, engine_version(), now)
    made.requested_by, made.party = person, person_party(person.pk)
    same = Analysis.objects.filter(match=match_id, digest=made.digest, engine=made.engine)
    existing = same.first()
    if existing is None:
        try:
            with transaction.atomic():
                quota.check(hold(person.pk), now=now)
                made.save()
                transaction.on_commit(partial(wake, [made.pk]))
            return made.pk
        except IntegrityError:  # somebody else asked at the same moment
            existing = same.get()
    if existing.status == AnalysisStatus.FAILED:
        _try_again(person, existing.pk, now)
    elif existing.requested_by_id is None:
        _adopt(person, existing.pk, now)
    return existing.pk


def analysis_row(line: Line, match_id: int | None, engine: str, now: datetime) -> Analysis:
    """An analysis that nobody has asked for yet, not saved."""
    return Analysis(
        match_id=match_id,
        board=line.board,
        side=line.side,
        moves="".join(line.moves),
        digest=digest_of(line),
        engine=engine,
        requested_at=now,
        positions=len(line.states()),
    )


def _adopt(person: User, analysis_id: int, now: datetime) -> None:
    """Somebody asks for what the arena would have analysed when it is idle: now it is theirs. Raises Refused."""
    with transaction.atomic():
        rows = Analysis.objects.filter(pk=analysis_id, requested_by=None, status__in=UNFINISHED)
        if rows.exists():
            quota.check(hold(person.pk), now=now)
            rows.update(requested_by=person, requested_at=now, party=person_party(person.pk))


def _try_again(person: User, analysis_id: int, now: datetime) -> None:
    """With fresh attempts; raises Refused."""
    with transaction.atomic():
        quota.check(hold(person.pk), now=now)
        ANALYSES.retry(
            Analysis.objects.filter(pk=analysis_id, status=AnalysisStatus.FAILED),
            findings=[],
            finished_at=None,
            requested_by=person,
            requested_at=now,
            party=person_party(person.pk),
        )


def wake(analysis_ids: Iterable[int]) -> None:
    """Wake a worker for those that wait."""
    ANALYSES.wake(analysis_ids)


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue analyses of dead workers, give up on what cannot be made, and wake others for what waits."""
    return ANALYSES.sweep(detector, now=now)


def _wake_ups(analysis_ids: list[int]) -> list[WakeUp]:
    return [WakeUp(ANALYSIS_TASK, pk, queue_of(Queue.ANALYSIS, GAME)) for pk in analysis_ids]


ANALYSES = JobKind(
    JOBS,
    _wake_ups,
    claimed=lambda now: {"started_at": now, "findings": []},
    given_up=lambda now: {"status": AnalysisStatus.FAILED, "finished_at": now},  # anybody may ask again
    endings=Endings(failures=(EngineFailed,), stopped=(EngineStopped,), reason=lambda lease, failure: str(failure)),
)
