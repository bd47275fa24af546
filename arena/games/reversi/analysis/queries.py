"""Read-only queries about analyses. Views check who may see a match before they show its analysis."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet

from arena.games.localized_messages import translate_stored_message
from arena.games.reversi.analysis.engine import engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.services import SHARED_QUEUE, UNFINISHED, digest_of
from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import EngineFinding
from arena.matches.reviews import VerdictJob
from arena.platform.jobs.fair_share import count_rows_ahead


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """The progress of an analysis and its findings so far.

    ``ahead``: the number of analyses that will run before it; ``is_current``: whether it belongs to the current version
    of the engine; ``failure``: the message about an arena failure, for operators.
    """

    id: int
    status: str
    findings: tuple[EngineFinding, ...]
    positions: int
    ahead: int
    is_current: bool
    requested_at: datetime
    finished_at: datetime | None
    failure: str

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED


def line_of_analysis(row: Analysis) -> Line:
    moves = tuple(row.moves[at : at + 2] for at in range(0, len(row.moves), 2))
    return Line(row.board, row.side, moves)


def analysis_of_match(match_id: int) -> AnalysisState | None:
    """Return the analysis by the current engine if there is one, otherwise the newest finished analysis."""
    return _state(Analysis.objects.filter(match_id=match_id))


def analysis_of_line(line: Line) -> AnalysisState | None:
    """Return the analysis of a line that a person set up; the analysis is chosen as in ``analysis_of_match``."""
    return _state(Analysis.objects.filter(match=None, digest=digest_of(line)))


def verdict_job(match_id: int) -> VerdictJob | None:
    """Return the state of a match's newest analysis.

    If there is no analysis, return None if lost matches are analysed automatically, otherwise ``OVER``.
    """
    rows = Analysis.objects.filter(match=match_id).order_by("-pk").values_list("status", flat=True)
    status = rows.first()
    if status in UNFINISHED:
        return VerdictJob.RUNNING if status == AnalysisStatus.RUNNING else VerdictJob.WAITING
    return VerdictJob.OVER if status or not settings.LOSSES_ANALYSED_A_DAY else None


def is_under_way() -> bool:
    """Return whether an analysis requested by a person is running; if so, idle workers leave the cores free for it."""
    return Analysis.objects.filter(status=AnalysisStatus.RUNNING).exclude(requested_by=None).exists()


def _ahead(row: Analysis) -> int:
    """Return how many analyses will be computed before this one, including the running one."""
    running = Analysis.objects.filter(status=AnalysisStatus.RUNNING).count()
    return running + count_rows_ahead(SHARED_QUEUE, row.pk)


def _state(rows: QuerySet[Analysis]) -> AnalysisState | None:
    """Return the state of an analysis. Runs two queries, or five if the analysis is waiting."""
    engine = engine_version()
    row = rows.filter(engine=engine).first() or rows.filter(status=AnalysisStatus.DONE).first()
    if row is None:
        return None
    waiting = row.status == AnalysisStatus.WAITING
    ahead = _ahead(row) if waiting else 0
    return AnalysisState(
        id=row.pk,
        status=row.status,
        findings=tuple(EngineFinding.from_json(raw) for raw in row.findings),
        positions=row.positions,
        ahead=ahead,
        is_current=row.engine == engine,
        requested_at=row.requested_at,
        finished_at=row.finished_at,
        failure=translate_stored_message(row.failure) if row.failure else "",
    )
