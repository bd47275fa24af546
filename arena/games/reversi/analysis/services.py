"""Asking for studies, waking workers for them, and giving up on those that cannot be made.

Invariants: asking twice for the same study by the same engine makes one row, whoever asks; what is asked for is
announced on commit; a failed study waits again when somebody asks for it, and what is done is never done again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person, require
from arena.celery import Queue, queue_of
from arena.classes.quotas import hold
from arena.games.reversi.analysis import quota
from arena.games.reversi.analysis.engine import EngineFailed, EngineStopped, engine_version
from arena.games.reversi.analysis.models import Study, StudyStatus
from arena.games.reversi.analysis.permissions import AnalysisAction
from arena.games.reversi.lines import Line
from arena.games.reversi.recorded_line import GAME, line_of
from arena.matches.queries import record_of
from arena.platform.jobs.attempt import Endings
from arena.platform.jobs.dispatcher import WakeUp
from arena.platform.jobs.fair_share import SharedQueue, person_party
from arena.platform.jobs.kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused

JOBS = JobQueue(Study, StudyStatus.WAITING, StudyStatus.RUNNING)
SHARED_QUEUE = SharedQueue(JOBS)
STUDY_TASK = "arena.games.reversi.analysis.tasks.study"
UNFINISHED = (StudyStatus.WAITING, StudyStatus.RUNNING)


def digest_of(line: Line) -> str:
    """The same for equal lines."""
    return hashlib.sha256(f"{line.board} {line.side} {''.join(line.moves)}".encode()).hexdigest()


def asking(person: Person) -> User | None:
    """Who asks for analyses, None for a visitor; raises PermissionDenied for somebody who may not."""
    if not isinstance(person, User):
        return None
    require(person, AnalysisAction.REQUEST_ANALYSIS)
    return person


def study_match(person: User, match_id: int, *, now: datetime) -> int:
    """Have a finished match analysed by today's engine; the study's id. The caller has made sure that they may see it.

    Raises Refused.
    """
    record = record_of(match_id)
    if record is None or record.game != GAME:
        raise Refused(_("Only finished matches of Reversi can be analysed."))
    return _study(person, line_of(record).line, match_id, now)


def study_line(person: User, line: Line, *, now: datetime) -> int:
    """Have a line that somebody set up analysed; the study's id. Raises Refused, LineError."""
    return _study(person, line, None, now)


def _study(person: User, line: Line, match_id: int | None, now: datetime) -> int:
    positions = len(line.states())
    digest = digest_of(line)
    engine = engine_version()
    made = Study(
        match_id=match_id,
        board=line.board,
        side=line.side,
        moves="".join(line.moves),
        digest=digest,
        engine=engine,
        requested_by=person,
        requested_at=now,
        party=person_party(person.pk),
        positions=positions,
    )
    same = Study.objects.filter(match=match_id, digest=digest, engine=engine)
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
    if existing.status == StudyStatus.FAILED:
        _try_again(person, existing.pk, now)
    return existing.pk


def _try_again(person: User, study_id: int, now: datetime) -> None:
    """With fresh attempts; raises Refused."""
    with transaction.atomic():
        quota.check(hold(person.pk), now=now)
        STUDIES.retry(
            Study.objects.filter(pk=study_id, status=StudyStatus.FAILED),
            findings=[],
            finished_at=None,
            requested_by=person,
            requested_at=now,
            party=person_party(person.pk),
        )


def wake(study_ids: Iterable[int]) -> None:
    """Wake a worker for those that wait."""
    STUDIES.wake(study_ids)


def sweep(detector: StallDetector, *, now: datetime) -> int:
    """Requeue studies of dead workers, give up on what cannot be made, and wake others for what waits."""
    return STUDIES.sweep(detector, now=now)


def _wake_ups(study_ids: list[int]) -> list[WakeUp]:
    return [WakeUp(STUDY_TASK, pk, queue_of(Queue.ANALYSIS, GAME)) for pk in study_ids]


STUDIES = JobKind(
    JOBS,
    _wake_ups,
    claimed=lambda now: {"started_at": now, "findings": []},
    given_up=lambda now: {"status": StudyStatus.FAILED, "finished_at": now},  # anybody may ask again
    endings=Endings(failures=(EngineFailed,), stopped=(EngineStopped,), reason=lambda lease, failure: str(failure)),
)
