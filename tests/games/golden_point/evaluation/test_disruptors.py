"""Numbers above 50 raise the golden number as predicted."""

from __future__ import annotations

import pytest

from arena.games.golden_point.evaluation.disruptors import disruptions
from tests.games.golden_point.evaluation.matches import match_of, recorded_match


def test_jump_equals_theory_when_nothing_else_changes() -> None:
    """Replacing 0 with 99 among ten numbers raises the golden number by 0.618 x 99 / 10."""
    calm = [(10.0, 10.0)] * 4 + [(10.0, 1e-9)]
    (found,) = disruptions(match_of(calm, [*calm[:-1], (10.0, 99.0)], calm))
    assert found.at == 1
    assert found.before == pytest.approx(0.618 * 9)
    assert found.jump == pytest.approx(0.618 * 99 / 10)
    assert found.predicted_jump == pytest.approx(found.jump)
    assert found.without == pytest.approx(0.618 * 10)
    (one,) = found.disruptors
    assert (one.player, one.number, one.share) == (4, 99.0, pytest.approx(found.predicted_jump))


def test_constant_disruptor_causes_the_same_jump_every_round() -> None:
    """The jump is measured from the undisrupted part of the previous golden number, which excludes the last jump."""
    disrupted = [(10.0, 10.0)] * 4 + [(10.0, 99.0)]
    found = disruptions(match_of([(10.0, 10.0)] * 5, disrupted, disrupted, [*disrupted[:-1], (10.0, 80.0)]))
    assert [each.at for each in found] == [1, 2, 3]
    assert found[0].jump == pytest.approx(0.618 * 89 / 10)  # the 99 replaced a 10
    assert found[1].golden == found[1].before
    assert found[1].jump == pytest.approx(found[1].predicted_jump)
    assert found[2].jump == pytest.approx(0.618 * 80 / 10) == found[2].predicted_jump


def test_disruptors_share_the_jump_and_first_round_has_none() -> None:
    (found,) = disruptions(match_of([(80.0,), (60.0,), (50.0,)]))
    assert [each.player for each in found.disruptors] == [0, 1]
    assert found.predicted_jump == pytest.approx(0.618 * 140 / 3)
    assert (found.before, found.jump) == (None, None)
    assert found.without == pytest.approx(0.618 * 50)


def test_golden_number_without_disruptors_is_none_if_all_disrupt() -> None:
    (found,) = disruptions(match_of([(80.0,), (60.0,)]))
    assert found.without is None


def test_recorded_match_is_disrupted_in_its_first_round() -> None:
    found = disruptions(recorded_match())
    assert found[0].at == 0
    assert [(each.player, each.number) for each in found[0].disruptors] == [(22, 60.0), (22, 70.0)]
    assert all(each.number > 50 for one in found for each in one.disruptors)
