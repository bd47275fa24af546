"""Numbers above 50 and their effect."""

from __future__ import annotations

import pytest

from arena.games.golden_point.evaluation.disturbers import disturbances
from tests.games.golden_point.evaluation.games import game, recorded


def test_jump_equals_theory_when_nothing_else_changes() -> None:
    """Replacing 0 by 99 among ten numbers raises the golden number by 0.618 x 99 / 10."""
    calm = [(10.0, 10.0)] * 4 + [(10.0, 1e-9)]
    (found,) = disturbances(game(calm, [*calm[:-1], (10.0, 99.0)], calm))
    assert found.at == 1
    assert found.before == pytest.approx(0.618 * 9)
    assert found.jump == pytest.approx(0.618 * 99 / 10)
    assert found.theory == pytest.approx(found.jump)
    assert found.without == pytest.approx(0.618 * 10)
    (one,) = found.disturbers
    assert (one.player, one.number, one.share) == (4, 99.0, pytest.approx(found.theory))


def test_constant_disturber_causes_the_same_jump_every_round() -> None:
    """Measured against the other players' numbers, not against a golden number that includes the last jump."""
    disturbed = [(10.0, 10.0)] * 4 + [(10.0, 99.0)]
    found = disturbances(game([(10.0, 10.0)] * 5, disturbed, disturbed, [*disturbed[:-1], (10.0, 80.0)]))
    assert [each.at for each in found] == [1, 2, 3]
    assert found[0].jump == pytest.approx(0.618 * 89 / 10)  # the 99 replaced a 10
    assert found[1].golden == found[1].before
    assert found[1].jump == pytest.approx(found[1].theory)
    assert found[2].jump == pytest.approx(0.618 * 80 / 10) == found[2].theory


def test_disturbers_share_the_jump_and_first_round_has_none() -> None:
    (found,) = disturbances(game([(80.0,), (60.0,), (50.0,)]))
    assert [each.player for each in found.disturbers] == [0, 1]
    assert found.theory == pytest.approx(0.618 * 140 / 3)
    assert (found.before, found.jump) == (None, None)
    assert found.without == pytest.approx(0.618 * 50)


def test_golden_number_without_disturbers_is_none_if_all_disturb() -> None:
    (found,) = disturbances(game([(80.0,), (60.0,)]))
    assert found.without is None


def test_recorded_match_is_disturbed_in_its_first_round() -> None:
    found = disturbances(recorded())
    assert found[0].at == 0
    assert [(each.player, each.number) for each in found[0].disturbers] == [(22, 60.0), (22, 70.0)]
    assert all(each.number > 50 for one in found for each in one.disturbers)
