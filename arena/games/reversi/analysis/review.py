"""Review a finished match based on its analysis, for the title, the bar and the graph on its page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import ngettext_lazy

from arena.games.reversi.analysis.match_panel import panel_of
from arena.games.reversi.analysis.models import AnalysisStatus
from arena.games.reversi.analysis.queries import analysis_of_match
from arena.games.reversi.analysis.texts import EMPTY_SQUARES_COUNT
from arena.games.reversi.analysis.verdict import verdicts
from arena.games.reversi.lines import ended_with_empty_squares
from arena.games.reversi.move_grades import DISC, EngineFinding, grade_moves
from arena.games.reversi.recorded_line import GAME, match_line
from arena.games.reversi.rules import ReversiState
from arena.games.review import Evaluation, LeadNote, Review
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.records import record_of

_DECISIVE: Final = 24.0  # a lead in discs that is hardly ever lost


def review(match_id: int) -> Review | None:
    """Return the review; None if the analysis is finished but the match has no record.

    Without a finished analysis, the review has only the panel. This takes five queries, including those of the panel.
    """
    analysis = analysis_of_match(match_id)
    if analysis is None or analysis.status != AnalysisStatus.DONE:
        return Review(panel=lambda: panel_of(match_id, record_of(match_id, game=GAME), analysis))
    record = record_of(match_id, game=GAME)
    if record is None:
        return None
    played = match_line(record)
    states = played.line.states()
    end = states[-1]
    judged = [one for one in grade_moves(played.line, analysis.findings, states) if one.ply > played.prescribed]
    names = unambiguous_names(seat_rows(match_id))
    found = verdicts(judged, names, end, played.prescribed, complete=True)
    evaluation = evaluation_of(analysis.findings, states, played.prescribed)
    return Review(tuple(found), evaluation, lambda: panel_of(match_id, record, analysis))


def evaluation_of(findings: Sequence[EngineFinding], states: Sequence[ReversiState], prescribed: int) -> Evaluation:
    """Return the evaluation: black's lead after each turn.

    ``prescribed``: how many opening moves precede the first turn.

    If the match ended before the board was full, exact leads include the empty squares, and a note explains this.
    """
    known = {finding.ply: finding.value / DISC for finding in findings}
    leads = [known.get(ply) for ply in range(prescribed, len(states))]
    note = None
    if ended_with_empty_squares(states[-1]):
        estimated = [finding.ply for finding in findings if not finding.exact]
        since = max(0, max(estimated, default=-1) + 1 - prescribed)
        note = LeadNote(since, EMPTY_SQUARES_COUNT)
    return Evaluation(leads, (ngettext_lazy("disc", "discs", 1), ngettext_lazy("disc", "discs", 2)), _DECISIVE, note)
