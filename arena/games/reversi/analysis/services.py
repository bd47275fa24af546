"""Request analyses, wake workers for them, and give up on analyses that failed too often.

Invariants: two requests for an analysis by the same engine create one row, whoever makes them; workers are
woken on commit; a failed analysis is queued again when it is requested, and a finished one is never repeated.
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
from arena.classes.quotas import lock_person
from arena.games.reversi.analysis import quota
from arena.games.reversi.analysis.engine import EngineError, EngineStopped, engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.lines import Line
from arena.games.reversi.recorded_line import GAME, match_line
from arena.matches.records import record_of
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import wake_ups_to
from arena.platform.jobs.fair_share import SharedQueue, person_party
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused


class AnalysisAction(StrEnum):
    """The restricted actions on analyses."""

    REQUEST_ANALYSIS = "request_analysis"  # for a match that the person may see, or a position


RULES: Final[Rules] = {AnalysisAction.REQUEST_ANALYSIS: SIGNED_IN}

JOBS = JobQueue(Analysis, AnalysisStatus.WAITING, AnalysisStatus.RUNNING)
# Requests from people precede automatic analyses; see ``automatic``.
SHARED_QUEUE = SharedQueue(JOBS, before_turns=Q(requested_by__isnull=False))
ANALYSIS_TASK = "arena.games.reversi.analysis.tasks.analyse"
UNFINISHED = (AnalysisStatus.WAITING, AnalysisStatus.RUNNING)


def digest_of(line: Line) -> str:
    """Return a digest of the line; equal lines have equal digests."""
    return hashlib.sha256(f"{line.board} {line.side} {''.join(line.moves)}".encode()).hexdigest()


def find_requester(person: Person) -> User | None:
    """Return the person if they are signed in, otherwise None. Raises PermissionDenied."""
    if not isinstance(person, User):
        return None
    require(person, AnalysisAction.REQUEST_ANALYSIS)
    return person


def analyse_match(person: User, match_id: int, *, now: datetime) -> int:
    """Request the analysis of a finished match by the current engine; return its id. Raises Refused.

    The caller has checked that the person may see the match.
    """
    record = record_of(match_id)
    if record is None or record.game != GAME:
        raise Refused(
            _("Only finished Reversi matches can be analysed. Choose one that has ended."), code="not_finished"
        )
    return _request_analysis(person, match_line(record).line, match_id, now)


def analyse_line(person: User, line: Line, *, now: datetime) -> int:
    """Request the analysis of a line that a person set up; return its id. Raises Refused or LineError."""
    return _request_analysis(person, line, None, now)


def _request_analysis(person: User, line: Line, match_id: int | None, now: datetime) -> int:
    made = analysis_row(line, match_id, engine_version(), now)
    made.requested_by, made.party = person, person_party(person.pk)
    same = Analysis.objects.filter(match=match_id, digest=made.digest, engine=made.engine)
    existing = same.first()
    if existing is None:
        try:
            with transaction.atomic():
                quota.check_quota(lock_person(person.pk), now=now)
                made.save()
                transaction.on_commit(partial(wake_workers, [made.pk]))
            return made.pk
        except IntegrityError:  # somebody else requested it at the same moment
            existing = same.get()
    if existing.status == AnalysisStatus.FAILED:
        _retry_failed_analysis(person, existing.pk, now)
    elif existing.requested_by_id is None:
        _take_over_automatic_analysis(person, existing.pk, now)
    return existing.pk


def analysis_row(line: Line, match_id: int | None, engine: str, now: datetime) -> Analysis:
    """Return a new, unsaved automatic analysis of the line; ``match_id``: the line's match, None if it has none."""
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


def _take_over_automatic_analysis(person: User, analysis_id: int, now: datetime) -> None:
    """Turn an automatic analysis into a person's request. Raises Refused."""
    with transaction.atomic():
        rows = Analysis.objects.filter(pk=analysis_id, requested_by=None, status__in=UNFINISHED)
        if rows.exists():
            quota.check_quota(lock_person(person.pk), now=now)
            rows.update(requested_by=person, requested_at=now, party=person_party(person.pk))


def _retry_failed_analysis(person: User, analysis_id: int, now: datetime) -> None:
    """Retry a failed analysis with a fresh set of attempts; raises Refused."""
    with transaction.atomic():
        quota.check_quota(lock_person(person.pk), now=now)
        ANALYSES.retry(
            Analysis.objects.filter(pk=analysis_id, status=AnalysisStatus.FAILED),
            findings=[],
            finished_at=None,
            requested_by=person,
            requested_at=now,
            party=person_party(person.pk),
        )


def wake_workers(analysis_ids: Iterable[int]) -> None:
    """Wake workers for the given analyses that are still waiting."""
    ANALYSES.wake(analysis_ids)


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue analyses whose worker died, give up on those with no attempts left, and wake workers for waiting ones.

    Return the number of analyses for which workers were woken.
    """
    return ANALYSES.sweep(detector, now=now)


ANALYSES = JobKind(
    JOBS,
    wake_ups_to(ANALYSIS_TASK, queue_of(Queue.ANALYSIS, GAME)),
    claimed=lambda now: {"started_at": now, "findings": []},
    given_up=lambda now: {"status": AnalysisStatus.FAILED, "finished_at": now},  # anybody may request it again
    endings=Endings(failures=(EngineError,), stopped=(EngineStopped,)),
)
