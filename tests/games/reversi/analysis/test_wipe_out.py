"""If a match ends before the board is full, its margin includes the empty squares, and the messages explain this."""

from __future__ import annotations

from arena.games.reversi.analysis.presentation import present_line
from arena.games.reversi.analysis.review import evaluation_of
from arena.games.reversi.analysis.texts import EMPTY_SQUARES_COUNT, SIDES, WON_WITH_EMPTY_SQUARES
from arena.games.reversi.lines import Line, final_lead
from arena.games.reversi.move_grades import DISC, EngineFinding
from arena.games.reversi.verdict_messages import discs

WIPE_OUT = Line(moves=("E6", "F4", "E3", "F6", "G5", "D6", "E7", "F5", "C5"))  # 13-0 after nine moves
ROUTINE = Line(moves=("E6", "F4"))
# How a verdict and a position mention the empty squares, with any number of discs.
IN_VERDICT = [discs(n, with_empty=True).text for n in range(65)]
IN_POSITION = [WON_WITH_EMPTY_SQUARES % {"side": side, "n": n} for side in SIDES.values() for n in range(65)]


def wipe_out_findings() -> list[EngineFinding]:
    estimates = [EngineFinding(ply, 0, exact=False, depth=4, best="C3", played=0) for ply in range(7)]
    proven = [
        EngineFinding(7, 2 * DISC, exact=True, depth=50, best="C3", played=64 * DISC),
        EngineFinding(8, 64 * DISC, exact=True, depth=50, best="C5", played=64 * DISC),
        EngineFinding(9, 64 * DISC, exact=True, depth=0),
    ]
    return [*estimates, *proven]


def test_verdict_and_last_position_explain_a_margin_above_the_score() -> None:
    states = WIPE_OUT.states()
    assert (final_lead(states[-1]), [discs.bit_count() for discs in states[-1].discs]) == (64, [13, 0])
    shown = present_line(WIPE_OUT, wipe_out_findings(), ("Ada", "Bob"))
    assert [any(text in verdict for text in IN_VERDICT) for verdict in shown.verdict] == [True]
    assert any(text in shown.positions[-1]["description"] for text in IN_POSITION)
    assert not any(text in shown.positions[-2]["description"] for text in IN_POSITION)


def test_graph_explains_leads_that_include_empty_squares() -> None:
    note = evaluation_of(wipe_out_findings(), WIPE_OUT.states(), prescribed=2).to_json()["note"]
    assert (note["since"], note["text"]) == (5, EMPTY_SQUARES_COUNT)
    assert evaluation_of(wipe_out_findings()[:3], ROUTINE.states(), prescribed=0).to_json()["note"] is None
