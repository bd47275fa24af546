"""Learner processes as one group: JAX collectives (gloo on CPUs, NCCL on GPUs) average their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax import Array
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from bots.training.selfplay.update import LEARNERS


@dataclass(frozen=True, slots=True)
class LearnerGroup:
    """The group from one learner's perspective; each learner uses one device."""

    rank: int
    size: int
    mesh: Mesh

    def split(self, tree: Any) -> Any:
        """Return global arrays split along their first axis; ``tree`` contains this learner's part of each."""
        sharding = NamedSharding(self.mesh, PartitionSpec(LEARNERS))

        def join(array: Array) -> Array:
            shape = (array.shape[0] * self.size, *array.shape[1:])
            return jax.make_array_from_single_device_arrays(shape, sharding, [self._place(array)])

        return jax.tree.map(join, tree)

    def shared(self, tree: Any) -> Any:
        """Turn arrays that are equal on every learner into replicated global arrays."""
        sharding = NamedSharding(self.mesh, PartitionSpec())
        return jax.tree.map(
            lambda array: jax.make_array_from_single_device_arrays(np.shape(array), sharding, [self._place(array)]),
            tree,
        )

    def own(self, tree: Any) -> Any:
        """Return this learner's copy of replicated arrays."""
        return jax.tree.map(lambda array: array.addressable_data(0), tree)

    def leave(self) -> None:
        """Leave the group once all other learners have finished as well."""
        if self.size > 1:
            jax.distributed.shutdown()

    def _place(self, array: Any) -> Array:
        placed: Array = jax.device_put(array, jax.local_devices()[0])
        return placed


def single_learner_group() -> LearnerGroup:
    """Return a group that consists of a single learner."""
    return LearnerGroup(0, 1, Mesh(np.array(jax.local_devices()[:1]), (LEARNERS,)))


def join_group(address: str, rank: int, size: int) -> LearnerGroup:
    """Join a group of ``size`` learners; return it once all of them have joined.

    This must be the first use of JAX in the process.

    ``address``: the host:port at which the learner with rank 0 listens.
    """
    if size == 1:
        return single_learner_group()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, size, rank)
    devices = [next(one for one in jax.devices() if one.process_index == process) for process in range(size)]
    return LearnerGroup(rank, size, Mesh(np.array(devices), (LEARNERS,)))
