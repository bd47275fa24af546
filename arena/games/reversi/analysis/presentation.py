"""Prepare a line and its findings for display as table rows, a curve and sentences.

Invariant: this data is in the reader's language, and serves both the script and the page shown without JavaScript.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from arena.games.base import Audience
from arena.games.localized_messages import translate_message
from arena.games.reversi.analysis.texts import GRADES, OPENINGS, SIDES, WON_WITH_EMPTY_SQUARES
from arena.games.reversi.analysis.verdict import verdicts
from arena.games.reversi.lines import Line, ended_with_empty_squares
from arena.games.reversi.move_grades import DISC, EngineFinding, Grade, GradedMove, grade_moves
from arena.games.reversi.opening_names import find_opening
from arena.games.reversi.rules import COLORS, ReversiGame, ReversiState

MINUS: Final = "\N{MINUS SIGN}"
_RULES: Final = ReversiGame()
_TONES: Final = {Grade.DOUBTFUL: "neutral", Grade.MISTAKE: "warn", Grade.BLUNDER: "bad"}


@dataclass(frozen=True, slots=True)
class DisplayedValue:
    """A value formatted for display; ``text``: black's lead in discs, such as "+6" or "≈ −3.4"."""

    text: str
    exact: bool


@dataclass(frozen=True, slots=True)
class AnalysedMoveRow:
    """One move. ``is_prescribed``: whether it is part of the match's opening; ``after``: the value after the move."""

    ply: int
    side: str
    move: str
    is_prescribed: bool
    after: DisplayedValue | None
    loss: str
    best: str
    play: str
    grade: str
    tone: str


@dataclass(frozen=True, slots=True)
class LinePresentation:
    """A line with all the data that its page needs. ``positions``: data for the script that steps through the line."""

    line: Line
    opening: str
    opening_moves: int
    rows: tuple[AnalysedMoveRow, ...]
    verdict: tuple[str, ...]
    positions: tuple[dict[str, Any], ...]

    @property
    def mistake_count(self) -> int:
        """Count moves that were inaccuracies or worse."""
        return sum(bool(row.grade) for row in self.rows)

    def displayed_position(self, requested: str | None) -> dict[str, Any]:
        """Return the requested position; without a valid request, the last one."""
        last = len(self.positions) - 1
        number = int(requested) if requested and requested.isdecimal() and len(requested) < 4 else last
        return self.positions[min(number, last)]


def present_line(
    line: Line, findings: Sequence[EngineFinding], names: Sequence[str], prescribed: int = 0
) -> LinePresentation:
    """Prepare a line for its page. Raises LineError.

    ``names``: names of black and white; ``prescribed``: how many of the first moves belong to the match's opening.
    """
    states = line.states()
    known = {finding.ply: finding for finding in findings}
    judged = {one.ply: one for one in grade_moves(line, findings, states) if one.ply > prescribed}
    opening = find_opening(line, states)
    is_complete = len(judged) == len(line.moves) - prescribed
    found = verdicts(list(judged.values()), names, states[-1], complete=is_complete)
    rows = tuple(
        _move_row(ply, states[ply - 1], move, known, judged.get(ply), is_prescribed=ply <= prescribed)
        for ply, move in enumerate(line.moves, start=1)
    )
    return LinePresentation(
        line=line,
        opening=str(OPENINGS[opening.name]) if opening else "",
        opening_moves=opening.moves if opening else 0,
        rows=rows,
        verdict=tuple(translate_message(one.message) for one in found if one.turn),
        positions=tuple(_position_data(ply, state, known, judged) for ply, state in enumerate(states)),
    )


def evaluation(value: int, *, exact: bool) -> DisplayedValue:
    number = discs_text(value, exact=exact)
    sign = "" if not float(number) else "+" if value > 0 else MINUS
    return DisplayedValue(f"{sign}{number}" if exact else f"≈ {sign}{number}", exact)


def discs_text(value: int, *, exact: bool) -> str:
    """Format hundredths of a disc as discs, without a sign: whole discs if ``exact``, otherwise with one decimal."""
    discs = abs(value) / DISC
    return str(round(discs)) if exact else f"{discs:.1f}"


def _move_row(
    ply: int,
    before: ReversiState,
    move: str,
    known: dict[int, EngineFinding],
    judged: GradedMove | None,
    *,
    is_prescribed: bool,
) -> AnalysedMoveRow:
    after = known.get(ply)
    side = COLORS[before.to_move or 0]
    value = evaluation(after.value, exact=after.exact) if after else None
    if judged is None or not judged.loss:
        return AnalysedMoveRow(ply, side, move, is_prescribed, value, "", "", "", "", "")
    return AnalysedMoveRow(
        ply=ply,
        side=side,
        move=move,
        is_prescribed=is_prescribed,
        after=value,
        loss=discs_text(judged.loss, exact=judged.exact),
        best=judged.finding.best or "",
        play=" ".join(judged.finding.line[1:6]),
        grade=str(GRADES[judged.grade]),
        tone=_TONES.get(judged.grade, ""),
    )


def _position_data(
    ply: int, state: ReversiState, known: dict[int, EngineFinding], judged: dict[int, GradedMove]
) -> dict[str, Any]:
    """Return a position as data for the page's scripts, with its description."""
    finding = known.get(ply)
    last = judged.get(ply)
    return {
        "ply": ply,
        "view": _RULES.view(state, Audience.EVERYBODY),
        "value": finding.value / DISC if finding else None,
        "exact": finding.exact if finding else False,
        "best": finding.best if finding else None,
        "grade": last.grade.value if last else None,
        "description": _description(ply, state, finding, last),
    }


def _description(ply: int, state: ReversiState, finding: EngineFinding | None, last: GradedMove | None) -> list[str]:
    """Describe a position: the previous move, the value, and the best move."""
    sentences = []
    if last and last.grade in _TONES:
        sentences.append(
            _("Move %(n)s, %(move)s: %(grade)s, loses %(loss)s; %(best)s was better.")
            % {
                "n": ply,
                "move": last.move,
                "grade": GRADES[last.grade],
                "loss": discs_text(last.loss, exact=last.exact),
                "best": " ".join(last.finding.line[:5]),
            }
        )
    if finding:
        sentences.append(_value_text(finding, state))
    if finding and finding.best and state.to_move is not None:
        sentences.append(
            _("Best for %(side)s: %(line)s")
            % {"side": SIDES[COLORS[state.to_move]], "line": " ".join(finding.line) or finding.best}
        )
    return sentences


def _value_text(finding: EngineFinding, state: ReversiState) -> str:
    discs = abs(finding.value) / DISC
    side = SIDES[COLORS[0] if finding.value > 0 else COLORS[1]]
    if ended_with_empty_squares(state):
        return WON_WITH_EMPTY_SQUARES % {"side": side, "n": round(discs)}
    if state.to_move is None:
        return _("%(side)s has won by %(n)s.") % {"side": side, "n": round(discs)} if discs else _("A draw.")
    if finding.exact:
        if not discs:
            return _("A draw with perfect play (proven).")
        return _("%(side)s wins by %(n)s with perfect play (proven).") % {"side": side, "n": round(discs)}
    return _("%(side)s is ahead by about %(n)s (search depth %(depth)s).") % {
        "side": side,
        "n": f"{discs:.1f}",
        "depth": finding.depth,
    }
