"""Save and load runs as ``.npz`` files, without pickle; each file is replaced atomically."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from bots.training.selfplay.learner import Learner, UpdateReport
from bots.training.selfplay.pool import Model, ModelPool

Arrays = dict[str, np.ndarray[Any, Any]]
_STATE: Final = "learnt/"  # the key in existing checkpoints
_POOL: Final = "pool/"


class CheckpointMismatchError(ValueError):
    """Raised if a file belongs to a different network, game or plan."""


def save_checkpoint(path: Path, learner: Learner) -> None:
    """Save the state that all learners share. The learner must be between two updates."""
    report, pool = learner.report, learner.pool
    arrays: Arrays = {
        "report": np.array([report.update, report.steps, report.progress]),
        "pool_every": np.array(pool.every),
        **_flatten(_STATE, learner.state),
    }
    for number, model in pool.past:
        arrays |= {f"{_POOL}{number}/{name}": value for name, value in model.items()}
    write_arrays(path, arrays)


def load_checkpoint(path: Path, learner: Learner) -> None:
    """Restore the state written by ``save_checkpoint``.

    Raises CheckpointMismatchError if the state does not fit ``learner``.
    """
    arrays = read_arrays(path)
    state = _restore_tree(path, _STATE, learner.state, arrays)
    update, steps, progress = arrays["report"]
    past: dict[int, Model] = {}
    for name, value in arrays.items():
        if name.startswith(_POOL):
            _, number, parameter = name.split("/")
            past.setdefault(int(number), {})[parameter] = value
    pool = ModelPool(learner.pool.size, int(arrays["pool_every"]), learner.pool.newest, tuple(sorted(past.items())))
    learner.resume(state, pool, UpdateReport(int(update), int(steps), float(progress)))


def save_tree(path: Path, tree: Any) -> None:
    """Write a pytree's arrays to a file."""
    write_arrays(path, _flatten("", tree))


def load_tree(path: Path, like: Any) -> Any:
    """Read a pytree. Raises CheckpointMismatchError if it does not have the structure of ``like``."""
    return _restore_tree(path, "", like, read_arrays(path))


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write arrays to a file, replacing it atomically, so that a killed run leaves the previous file intact."""
    half = path.with_name(path.name + ".half")
    with half.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def read_arrays(path: Path) -> Arrays:
    """Return all arrays in a file."""
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


def _flatten(prefix: str, tree: Any) -> Arrays:
    return {f"{prefix}{number}": np.asarray(leaf) for number, leaf in enumerate(jax.tree.leaves(tree))}


def _restore_tree(path: Path, prefix: str, like: Any, arrays: Arrays) -> Any:
    leaves, structure = jax.tree.flatten(like)
    found = [arrays.get(f"{prefix}{number}") for number in range(len(leaves))]
    for leaf, array in zip(leaves, found, strict=True):
        if array is None or array.shape != leaf.shape or array.dtype != leaf.dtype:
            raise CheckpointMismatchError(
                f"{path} was saved by a run with a different network or different options. Use the same "
                "options, or start a new run."
            )
    return jax.tree.unflatten(structure, [jnp.asarray(array) for array in found])
