"""Describe a recorded match of Reversi for the dataset: squares, and an engine's findings if it was analysed."""

from __future__ import annotations

from arena.core.referee.record import Record
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.move_grades import DISC, EngineFinding, GradedMove, grade_moves
from arena.games.reversi.recorded_line import match_line
from arena.games.transcript import MoveNote, Transcript


def transcribe(match_id: int, record: Record) -> Transcript:
    """Describe the match. ``value`` and ``regret`` are in discs, from the newest finished analysis."""
    done = Analysis.objects.filter(match_id=match_id, status=AnalysisStatus.DONE).order_by("-pk")
    found = done.values_list("engine", "findings").first()
    graded: dict[int, GradedMove] = {}
    engine = ""
    if found is not None:
        engine, findings = found
        recorded = match_line(record)
        moves = grade_moves(recorded.line, [EngineFinding.from_json(raw) for raw in findings])
        graded = {one.ply - recorded.prescribed: one for one in moves}
    return Transcript(
        {
            (turn.number, move.seat): _note(move.move, graded.get(turn.number), engine)
            for turn in record.turns
            for move in turn.moves
            if move.fault is None
        }
    )


def _note(move: str, graded: GradedMove | None, engine: str) -> MoveNote:
    if graded is None:
        return MoveNote(move)
    value = graded.finding.value if graded.seat == 0 else -graded.finding.value
    return MoveNote(
        move,
        value=value / DISC,
        regret=graded.loss / DISC,
        best=graded.finding.best or "",
        exact=graded.exact,
        source=engine,
    )
