"""Moves are graded by how much they lose; the turning point is the last move that threw away a win or a draw."""

from __future__ import annotations

import pytest

from arena.games.reversi.move_grades import DISC, EngineFinding, Grade, costliest_mistake, grade_moves, turning_point
from arena.games.reversi.notation import read_moves

LINE = read_moves("F5D6C3D3C4F4F6")


def create_finding(ply: int, value: float, played: float, *, exact: bool = True, best: str = "A1") -> EngineFinding:
    """Return an engine's finding after ``ply`` moves; values are in discs from black's point of view."""
    return EngineFinding(ply, round(value * DISC), exact, 10, best, (best,), round(played * DISC))


@pytest.mark.parametrize(
    ("value", "played", "exact", "grade"),
    [
        (6, 6, True, Grade.BEST),
        (6, 5, True, Grade.GOOD),
        (8, 6, True, Grade.DOUBTFUL),
        (8, 4, True, Grade.MISTAKE),
        (14, 6, True, Grade.BLUNDER),
        (2, 0, True, Grade.BLUNDER),  # a win becomes a draw
        (0, -2, True, Grade.BLUNDER),
        (-2, -4, True, Grade.DOUBTFUL),
        (8, 6, False, Grade.GOOD),
        (8, 5, False, Grade.DOUBTFUL),
        (8, 2, False, Grade.MISTAKE),
        (1, -1, False, Grade.GOOD),  # noise of an estimate around zero
        (14, 2, False, Grade.BLUNDER),
        (4, 9, False, Grade.BEST),  # better than the engine estimated
    ],
)
def test_loss_determines_the_grade_of_a_move(value: float, played: float, exact: bool, grade: Grade) -> None:
    (black,) = grade_moves(LINE, [create_finding(0, value, played, exact=exact)])
    (white,) = grade_moves(LINE, [create_finding(1, -value, -played, exact=exact)])
    assert (black.grade, white.grade) == (grade, grade)
    assert (black.seat, black.ply, black.move) == (0, 1, "F5")
    assert black.loss == white.loss == max(0, round((value - played) * DISC))


def test_best_move_has_no_loss_despite_inconsistent_values() -> None:
    (one,) = grade_moves(LINE, [create_finding(0, 8, 2, best="F5")])
    assert (one.grade, one.loss, one.discs) == (Grade.BEST, 0, 0)


def test_turning_point_is_the_last_move_that_gave_the_result_away() -> None:
    findings = [
        create_finding(0, 10, -10, exact=False),  # black falls behind by an estimate
        create_finding(1, -10, 4),  # white gives it back
        create_finding(2, 4, -2),  # black loses it
        create_finding(4, -2, -12),  # black loses more
        create_finding(5, -12, -6),
    ]
    judged = grade_moves(LINE, findings)
    black, white = turning_point(judged, 0), turning_point(judged, 1)
    assert black is not None
    assert white is not None
    assert (black.ply, black.discs, black.exact) == (3, 6, True)
    assert white.ply == 2
    assert [one.ply for one in judged] == [1, 2, 3, 5, 6]


def test_seat_that_was_always_behind_has_a_worst_move() -> None:
    judged = grade_moves(LINE, [create_finding(0, -2, -3), create_finding(2, -3, -9), create_finding(4, -9, -13)])
    assert turning_point(judged, 0) is None
    most = costliest_mistake(judged, 0)
    assert most is not None
    assert most.ply == 3
    assert costliest_mistake(judged, 1) is None


def test_finding_survives_a_json_round_trip() -> None:
    one = EngineFinding(3, -250, False, 8, "D3", ("D3", "C5"), -400)
    assert EngineFinding.from_json(one.to_json()) == one
    last = EngineFinding(60, 600, True, 0)
    assert EngineFinding.from_json(last.to_json()) == last


@pytest.mark.parametrize("wrong", [{"ply": "1"}, {"value": True}, {"best": "Z9"}, {"line": 5}, {"played": 0.5}])
def test_invalid_finding_is_rejected(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="engine result"):
        EngineFinding.from_json(create_finding(0, 1, 1).to_json() | wrong)
    with pytest.raises(ValueError, match="engine result"):
        EngineFinding.from_json({})
