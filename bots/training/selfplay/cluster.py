"""Run learners and samplers on the machines of a Ray cluster, all started by one command.

Every learner and every sampler is a Ray actor on one CPU. Learners average their gradients with JAX's collectives, just
as on one machine; trajectories are transferred by Ray. If a sampler is lost with its machine, the others take over its
share.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import ray

from bots.training.selfplay.assignment import assign_samplers, trajectories_per_learner
from bots.training.selfplay.job import LearnerJob, run_learner
from bots.training.selfplay.processes import TrainingError, free_port
from bots.training.selfplay.remote import RemoteSamplers, SamplerLostError, SamplerRequest
from bots.training.selfplay.sampling import Trajectory

LOCAL: Final = "local"


class SamplerActor:
    """A sampler on any machine in the cluster."""

    def __init__(self, job: LearnerJob, number: int) -> None:
        os.environ["JAX_PLATFORMS"] = "cpu"
        from bots.training.selfplay.sampler import Sampler

        self._sampler = Sampler(job.game.load_environment(), job.plan, number)

    def play(self, work: SamplerRequest) -> Trajectory:
        """Return the requested trajectories as NumPy arrays."""
        import jax

        played: Trajectory = jax.device_get(self._sampler.play(work.time, work.newest, work.past))
        return played


@dataclass(slots=True)
class ActorLink:
    """A ``SamplerLink`` to a sampler actor."""

    handle: Any
    answers: Any = None

    def ask(self, work: SamplerRequest) -> None:
        """Send work to the actor. A lost actor is detected only when its answer is read."""
        self.answers = self.handle.play.remote(work)

    def answer(self) -> Trajectory:
        """Return the actor's trajectory. Raises SamplerLostError if the actor is lost."""
        try:
            played: Trajectory = ray.get(self.answers)
        except ray.exceptions.RayActorError:
            raise SamplerLostError from None
        return played

    def close(self) -> None:
        """Stop the actor."""
        ray.kill(self.handle)


def wait_for_actors(links: Sequence[ActorLink]) -> Sequence[ActorLink]:
    """Wait for the links; return those whose answer has arrived or whose actor is lost."""
    by_answer = {link.answers: link for link in links}
    done, _ = ray.wait(list(by_answer), num_returns=1)
    return [by_answer[one] for one in done]


class LearnerActor:
    """A learner on any machine in the cluster; the run's folder is on the first learner's machine."""

    def address(self) -> str:
        """Return the address to which the learners connect."""
        return f"{ray.util.get_node_ip_address()}:{free_port()}"

    def learn(self, job: LearnerJob, rank: int, address: str, samplers: range) -> None:
        """Train until the budget is used up."""
        from bots.training.selfplay.group import join_group

        group = join_group(address, rank, job.learners)
        job.folder.mkdir(parents=True, exist_ok=True)
        actor = ray.remote(num_cpus=1)(SamplerActor)
        links = [ActorLink(actor.remote(job, number)) for number in samplers]
        run_learner(
            job, group, RemoteSamplers(links, wait_for_actors, trajectories_per_learner(job.samplers, job.learners))
        )
        group.leave()


def train_on_cluster(job: LearnerJob, address: str) -> None:
    """Run all learners on the cluster at ``address`` or on a ``LOCAL`` one. Raises TrainingError if a learner fails."""
    shares = assign_samplers(max(job.samplers, job.learners), job.learners)
    job = _prepare_job(job, sum(map(len, shares)))
    ray.init(
        address=None if address == LOCAL else address,
        num_cpus=job.learners + job.samplers if address == LOCAL else None,
        include_dashboard=False,
    )
    try:
        actor = ray.remote(num_cpus=1)(LearnerActor)
        learners = [actor.remote() for _ in shares]
        meeting = ray.get(learners[0].address.remote())
        ray.get([one.learn.remote(job, rank, meeting, shares[rank]) for rank, one in enumerate(learners)])
    except ray.exceptions.RayError as error:
        raise TrainingError(f"A learner failed: {error}") from None
    finally:
        ray.shutdown()


def _prepare_job(job: LearnerJob, samplers: int) -> LearnerJob:
    """Return the job with an absolute folder path and this number of samplers."""
    return replace(job, folder=job.folder.resolve(), samplers=samplers)
