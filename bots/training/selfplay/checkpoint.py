"""Save and load a run: one ``.npz`` file without pickles, replaced as a whole."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jax
import numpy as np

from bots.training.selfplay.learner import Learner, Report
from bots.training.selfplay.pool import Model, ModelPool
from bots.training.selfplay.update import Learnt

Arrays = dict[str, np.ndarray[Any, Any]]
_LEARNT: Final = "learnt/"
_GAMES: Final = "games/"
_POOL: Final = "pool/"


class Mismatch(ValueError):  # noqa: N818 - what is wrong
    """A file of another network, game or plan."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a run goes on from. ``games``: those of this learner's own sampler, or None."""

    learnt: Learnt
    pool: ModelPool
    report: Report
    games: Any


def save(path: Path, learner: Learner, games: Any) -> None:
    """Write the state of a run between two updates."""
    report, pool = learner.report, learner.pool
    arrays: Arrays = {
        "report": np.array([report.update, report.steps, report.progress]),
        "pool_every": np.array(pool.every),
        **_flat(_LEARNT, learner.learnt),
        **_flat(_GAMES, games),
    }
    for number, model in pool.past:
        arrays |= {f"{_POOL}{number}/{name}": value for name, value in model.items()}
    write(path, arrays)


def write(path: Path, arrays: Arrays) -> None:
    """Replace a file in one step, so that a run that is killed leaves the one before."""
    half = path.with_name(path.name + ".half")
    with half.open("wb") as file:
        np.savez_compressed(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def load(path: Path, learner: Learner, games: Any) -> Checkpoint:
    """What ``save`` wrote, in the shapes of this learner and its games; raises Mismatch."""
    with np.load(path, allow_pickle=False) as file:
        arrays: Arrays = dict(file)
    update, steps, progress = arrays["report"]
    newest: Model = {name: np.asarray(value) for name, value in learner.pool.newest.items()}
    past: dict[int, Model] = {}
    for name, value in arrays.items():
        if name.startswith(_POOL):
            _, number, parameter = name.split("/")
            past.setdefault(int(number), {})[parameter] = value
    models = tuple(sorted(past.items()))
    pool = ModelPool(learner.pool.size, int(arrays["pool_every"]), models[-1][1] if models else newest, models)
    return Checkpoint(
        _restored(path, _LEARNT, learner.learnt, arrays),
        pool,
        Report(int(update), int(steps), float(progress)),
        None if games is None else _restored(path, _GAMES, games, arrays),
    )


def _flat(prefix: str, tree: Any) -> Arrays:
    return {f"{prefix}{number}": np.asarray(leaf) for number, leaf in enumerate(jax.tree.leaves(tree))}


def _restored(path: Path, prefix: str, like: Any, arrays: Arrays) -> Any:
    leaves, structure = jax.tree.flatten(like)
    found = [arrays.get(f"{prefix}{number}") for number in range(len(leaves))]
    for leaf, array in zip(leaves, found, strict=True):
        if array is None or array.shape != leaf.shape or array.dtype != leaf.dtype:
            raise Mismatch(f"{path} holds another network, or a run with another number of games.")
    return jax.tree.unflatten(structure, [jax.numpy.asarray(array) for array in found])
