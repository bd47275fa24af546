"""Samplers are distributed evenly among learners."""

from __future__ import annotations

import pytest

from bots.training.selfplay.assignment import assign_samplers, trajectories_per_learner


def test_3150_samplers_serve_8_learners() -> None:
    shares = assign_samplers(3150, 8)
    assert [len(share) for share in shares] == [394] * 6 + [393] * 2
    assert [number for share in shares for number in share] == list(range(3150))
    assert trajectories_per_learner(3150, 8) == 393


@pytest.mark.parametrize(("samplers", "learners"), [(1, 1), (2, 2), (7, 3), (8, 3), (9, 3)])
def test_sampler_counts_of_learners_differ_by_at_most_one(samplers: int, learners: int) -> None:
    sizes = [len(share) for share in assign_samplers(samplers, learners)]
    assert sum(sizes) == samplers
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= trajectories_per_learner(samplers, learners) >= 1


def test_each_learner_needs_a_sampler() -> None:
    with pytest.raises(ValueError, match="number of samplers is 1"):
        assign_samplers(1, 2)
