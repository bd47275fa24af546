"""A close match has a verdict too: the last lead change, the costliest move, or the absence of a turning point."""

from __future__ import annotations

import pytest

from arena.games.reversi import verdict_messages as messages
from arena.games.reversi.analysis.verdict import verdicts
from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import DISC, EngineFinding, grade_moves
from arena.games.reversi.notation import read_moves
from arena.games.review import Verdict

# The shortest possible match: black, the first seat, wins after nine moves. White's moves are at plies 1, 3, 5 and 7.
WON_BY_BLACK = Line(moves=read_moves("E6F4E3F6G5D6E7F5C5").moves)
WHITE = 1


def find_verdicts(line: Line, values: dict[int, tuple[float, float]], *, complete: bool = True) -> list[Verdict]:
    """Return the verdicts; ``values``: black's lead before and after some moves, by ply. All other moves are best."""
    findings = [
        EngineFinding(ply, 0, False, 4, line.moves[ply], (), 0)
        if ply not in values
        else EngineFinding(ply, *(round(values[ply][0] * DISC), False, 4, "A1", (), round(values[ply][1] * DISC)))
        for ply in range(len(line.moves))
    ]
    return verdicts(grade_moves(line, findings), ("Ann", "Ben"), line.states()[-1], complete=complete)


def test_inaccuracy_that_lost_the_lead_is_the_turning_point_of_a_close_match() -> None:
    (found,) = find_verdicts(WON_BY_BLACK, {1: (-4, 0.5), 3: (-2.5, 1.5), 5: (1.5, 4)})
    assert (found.seat, found.turn, found.message.code) == (WHITE, 4, messages.FELL_BEHIND.code)
    assert found.message.parameters["move"] == "F6"


def test_costliest_move_explains_a_close_match_without_a_change_of_the_lead() -> None:
    (found,) = find_verdicts(WON_BY_BLACK, {1: (0.5, 1.5), 3: (1, 3), 5: (-0.5, 0.9)})
    assert (found.seat, found.turn, found.message.code) == (WHITE, 4, messages.WORST_PROBABLY.code)


@pytest.mark.parametrize("values", [{}, {3: (1, 1.9)}, {2: (9, 6)}])
def test_match_without_a_turning_point_says_so(values: dict[int, tuple[float, float]]) -> None:
    (found,) = find_verdicts(WON_BY_BLACK, values)
    assert (found.seat, found.turn, found.message.code) == (WHITE, 0, messages.NO_TURNING_POINT.code)
    assert "Ben" in found.message.text


def test_mistake_of_the_winner_does_not_replace_the_verdict_on_the_loser() -> None:
    found = find_verdicts(WON_BY_BLACK, {2: (8, -1)})
    assert [(one.seat, one.turn) for one in found] == [(WHITE, 0), (0, 3)]


def test_incomplete_analysis_and_unfinished_match_have_no_verdict_on_a_close_match() -> None:
    assert find_verdicts(WON_BY_BLACK, {}, complete=False) == []
    assert find_verdicts(Line(moves=WON_BY_BLACK.moves[:5]), {1: (-4, 0.5)}) == []
