"""Distribute samplers evenly among learners."""

from __future__ import annotations

import itertools


def assign_samplers(samplers: int, learners: int) -> list[range]:
    """Return the indices of each learner's samplers; if there is a remainder, the first learners get one extra each."""
    if learners < 1 or samplers < learners:
        raise ValueError(f"Each of the {learners} learners needs a sampler, but the number of samplers is {samplers}.")
    share, rest = divmod(samplers, learners)
    starts = [number * share + min(number, rest) for number in range(learners + 1)]
    return [range(start, end) for start, end in itertools.pairwise(starts)]


def trajectories_per_learner(samplers: int, learners: int) -> int:
    """Return how many trajectories each learner uses for an update.

    The number is the same for all, so that their gradients have equal weight.

    A learner with an extra sampler uses the trajectories that arrive first; it uses the last trajectory in its next
    update.
    """
    return samplers // learners
