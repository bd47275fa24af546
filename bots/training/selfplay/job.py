"""Run one learner, from its setup to the final save, in the same way on one machine and on a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bots.training.selfplay.environment import Learnable
from bots.training.selfplay.group import LearnerGroup
from bots.training.selfplay.learner import Learner, Samplers, UpdateReport
from bots.training.selfplay.mirrored_pairs import strength_measurer
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.run import Budget, LearnerRun
from bots.training.selfplay.sampler import EmbeddedSampler, Sampler


@dataclass(frozen=True, slots=True)
class LearnerJob:
    """The parameters of a training run.

    ``samplers``: number of processes that play for the learners, or 0 if the learners play the games themselves;
    ``pairs``: number of mirrored pairs in a measurement.
    """

    game: Learnable
    plan: Plan
    budget: Budget
    folder: Path
    learners: int = 1
    samplers: int = 0
    resume: bool = False
    pairs: int = 256


def run_learner(
    job: LearnerJob,
    group: LearnerGroup,
    samplers: Samplers | None,
    *,
    show: Callable[[str], None] = print,
    stops: Callable[[UpdateReport], bool] = lambda report: False,
    clock: Callable[[], float] = time.monotonic,
) -> UpdateReport:
    """Run one learner until its budget is used up; return its last report.

    Without ``samplers``, the learner plays the games in its own process.
    """
    own = None
    if samplers is None:
        own = Sampler(job.game.load_environment(), job.plan, group.rank)
        samplers = EmbeddedSampler(own)
    learner = Learner(job.game, job.plan, group, samplers)
    first = group.rank == 0
    measure = strength_measurer(job.game, job.pairs) if first and job.pairs else None
    run = LearnerRun(job.folder, learner, group.rank, clock=clock, show=show, sampler=own, measure=measure)
    if job.resume:
        run.resume()
    try:
        return run.learn(job.budget, stops)
    finally:
        samplers.close()
