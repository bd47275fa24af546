"""The analysis panel of a match page: the opening, the verdict, and the link to the analysis."""

from __future__ import annotations

from dataclasses import dataclass

from arena.accounts.permissions import Person
from arena.core.referee.record import Record
from arena.games.reversi.analysis.models import AnalysisStatus
from arena.games.reversi.analysis.presentation import present_line
from arena.games.reversi.analysis.queries import AnalysisState
from arena.games.reversi.recorded_line import GAME, match_line
from arena.matches.models import Match, MatchStatus


@dataclass(frozen=True, slots=True)
class MatchPanel:
    """The content of the panel.

    ``opening``: name of the opening, "" for none; ``moves``: its length; ``is_analysed``: whether an analysis has been
    requested.

    ``verdict``: sentences that summarize the match, from the finished analysis.
    """

    match_id: int
    opening: str
    moves: int
    is_analysed: bool
    verdict: tuple[str, ...]


def analysable_match(match_id: int, reader: Person) -> int | None:
    """Return the match's id if it can be analysed, otherwise None. Runs one query."""
    rows = Match.objects.filter(pk=match_id, game=GAME, status=MatchStatus.FINISHED)
    return match_id if rows.exists() else None


def panel_of(match_id: int, record: Record | None, analysis: AnalysisState | None) -> MatchPanel | None:
    """Return the panel of a match with this record and analysis; None if it cannot be analysed."""
    if record is None:
        return None
    found = match_line(record)
    findings = analysis.findings if analysis and analysis.status == AnalysisStatus.DONE else ()
    shown = present_line(found.line, findings, [seat.name for seat in record.seats], found.prescribed)
    return MatchPanel(match_id, shown.opening, shown.opening_moves, analysis is not None, shown.verdict)
