"""Every read of studies that a page needs. Who may see a match is asked by whoever shows its study."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from arena.games.reversi.analysis.engine import engine_version
from arena.games.reversi.analysis.models import Study, StudyStatus
from arena.games.reversi.analysis.services import SHARED_QUEUE, UNFINISHED, digest_of
from arena.games.reversi.judging import Finding
from arena.games.reversi.lines import Line
from arena.platform.jobs.fair_share import ahead_of


@dataclass(frozen=True, slots=True)
class StudyState:
    """How far a study is, and what it found so far.

    ``ahead``: how many are made before it; ``is_current``: by the engine of today; ``failure``: for operators.
    """

    id: int
    status: str
    findings: tuple[Finding, ...]
    positions: int
    ahead: int
    is_current: bool
    requested_at: datetime
    finished_at: datetime | None
    failure: str

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED


def line_of_study(row: Study) -> Line:
    moves = tuple(row.moves[at : at + 2] for at in range(0, len(row.moves), 2))
    return Line(row.board, row.side, moves)


def study_of_match(match_id: int) -> StudyState | None:
    """The study by today's engine, else the newest that is there."""
    return _state(Study.objects.filter(match_id=match_id))


def study_of_line(line: Line) -> StudyState | None:
    """The same for a line that somebody set up."""
    return _state(Study.objects.filter(match=None, digest=digest_of(line)))


def is_under_way() -> bool:
    """Whether a study is made just now, so that idle workers leave the cores to it."""
    return Study.objects.filter(status=StudyStatus.RUNNING).exists()


def _ahead(row: Study) -> int:
    """How many are made before it, with the one that is being made."""
    running = Study.objects.filter(status=StudyStatus.RUNNING).count()
    return running + ahead_of(SHARED_QUEUE, row.pk)


def _state(rows: QuerySet[Study]) -> StudyState | None:
    """Two queries, five for one that waits."""
    engine = engine_version()
    row = rows.filter(engine=engine).first() or rows.filter(status=StudyStatus.DONE).first()
    if row is None:
        return None
    waiting = row.status == StudyStatus.WAITING
    ahead = _ahead(row) if waiting else 0
    return StudyState(
        id=row.pk,
        status=row.status,
        findings=tuple(Finding.from_json(raw) for raw in row.findings),
        positions=row.positions,
        ahead=ahead,
        is_current=row.engine == engine,
        requested_at=row.requested_at,
        finished_at=row.finished_at,
        failure=row.failure,
    )
