"""What-if analysis recomputes a round with different numbers for one player; invalid numbers are rejected."""

from __future__ import annotations

import pytest

from arena.games.golden_point.evaluation.what_if import what_if
from arena.games.golden_point.rules import score_round
from tests.games.golden_point.evaluation.matches import match_of, recorded_match


def test_what_if_matches_a_worked_example() -> None:
    """The golden number is 0.618 x 40 = 24.72, so A is nearest. With 60 instead of 20, it is 32.96, so B is nearest.

    A is then farthest.
    """
    played = match_of([(20.0,), (30.0,), (70.0,)], [(20.0,), (21.0,), (70.0,)])
    found = what_if(played, 0, 0, (90.0,))
    assert found.before.golden == pytest.approx(24.72)
    assert found.before.gains == (3, 0, -2)
    assert found.after.golden == pytest.approx(0.618 * 190 / 3)
    assert found.after.gains == (-2, 3, 0)
    then = score_round(played.rounds[1].numbers).gains
    assert found.totals == (then[0] - 2, then[1] + 3, then[2])


def test_same_numbers_change_nothing() -> None:
    played = recorded_match()
    own = played.rounds[17].numbers[3]
    assert own is not None
    found = what_if(played, 17, 3, own)
    assert found.after == found.before
    assert list(found.totals) == played.totals()


def test_absent_player_can_be_given_numbers() -> None:
    played = recorded_match()
    absent = played.rounds[0].numbers.index(None)
    found = what_if(played, 0, absent, (9.04, 9.05))
    assert found.after.gains[absent] == played.rounds[0].player_count + 1


@pytest.mark.parametrize("numbers", [(), (0.0,), (100.0,), (float("nan"),), (1.0, -1.0), (1.0, 2.0, 3.0)])
def test_invalid_numbers_are_rejected(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="100"):
        what_if(match_of([(5.0,), (6.0,)]), 0, 0, numbers)
