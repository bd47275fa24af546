"""A learner that plays its games itself: the fastest way on one machine, where there is nobody to wait for."""

from __future__ import annotations

from collections.abc import Sequence

from bots.training.selfplay.network import Parameters
from bots.training.selfplay.pool import Model
from bots.training.selfplay.sampler import Sampler
from bots.training.selfplay.sampling import Trajectory


class Embedded:
    """One sampler in the learner's own process."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def play(self, update: int, newest: Parameters, past: Sequence[Model] | None) -> Sequence[Trajectory]:
        """One trajectory."""
        return [self.sampler.play(update, newest, past)]
