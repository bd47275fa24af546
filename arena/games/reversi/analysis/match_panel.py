"""The analysis panel of a match page: the opening, the verdict, and the link to the analysis."""

from __future__ import annotations

from dataclasses import dataclass

from arena.accounts.permissions import Person
from arena.games.reversi.analysis.models import AnalysisStatus
from arena.games.reversi.analysis.presentation import show
from arena.games.reversi.analysis.queries import analysis_of_match
from arena.games.reversi.recorded_line import GAME, line_of
from arena.matches.models import Match, MatchStatus
from arena.matches.records import record_of


@dataclass(frozen=True, slots=True)
class MatchPanel:
    """``opening``: its name, "" for none; ``moves``: its length; ``is_analysed``: an analysis was requested.

    ``verdict``: the finished analysis's summary of the game.
    """

    match_id: int
    opening: str
    moves: int
    is_analysed: bool
    verdict: tuple[str, ...]


def analysable_match(match_id: int, reader: Person) -> int | None:
    """Return the match's id if it can be analysed; one query."""
    rows = Match.objects.filter(pk=match_id, game=GAME, status=MatchStatus.FINISHED)
    return match_id if rows.exists() else None


def game_of_match(match_id: int, reader: Person) -> MatchPanel | None:
    """Return the game; None if it cannot be analysed; four queries. The page has checked that the reader may see the
    match.
    """
    record = record_of(match_id, game=GAME)
    if record is None:
        return None
    found, analysis = line_of(record), analysis_of_match(match_id)
    findings = analysis.findings if analysis and analysis.status == AnalysisStatus.DONE else ()
    shown = show(found.line, findings, [seat.name for seat in record.seats], found.given)
    return MatchPanel(match_id, shown.opening, shown.opening_moves, analysis is not None, shown.verdict)
