"""Who plays for whom: samplers are spread over learners as evenly as their numbers allow."""

from __future__ import annotations

import itertools


def assign(samplers: int, learners: int) -> list[range]:
    """The numbers of each learner's samplers; the first learners have one more where it does not come out even."""
    if learners < 1 or samplers < learners:
        raise ValueError(f"{samplers} samplers cannot serve {learners} learners: each needs one at least.")
    share, rest = divmod(samplers, learners)
    starts = [number * share + min(number, rest) for number in range(learners + 1)]
    return [range(start, end) for start, end in itertools.pairwise(starts)]


def trajectories(samplers: int, learners: int) -> int:
    """How many trajectories each learner takes for an update: as many for all, so that their gradients weigh the same.

    A learner with one sampler more takes those that come first, and the late one in the next update.
    """
    return samplers // learners
