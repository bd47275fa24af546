"""A run's files: weights in half precision for the bot, and checkpoints."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from bots.cli.errors import CommandError
from bots.reversi.training.network.learning import LearnerState
from bots.training.selfplay.network import Parameters
from bots.training.selfplay.run import MODELS, read_models


def save_weights(parameters: Parameters, path: Path) -> None:
    """Write the weights, each array under its name."""
    np.savez_compressed(
        path, allow_pickle=False, **{name: np.asarray(one, np.float16) for name, one in parameters.items()}
    )


def load_weights(path: Path) -> Parameters:
    """Read saved weights, or the newest weights of a self-play run if ``path`` is its folder."""
    if path.is_dir():
        models = read_models(path / MODELS)
        if not models:
            raise CommandError(f"{path} contains no self-play run. Choose another folder.", code="no_run")
        return {name: jnp.asarray(one, jnp.float32) for name, one in models[max(models)].items()}
    if not path.is_file():
        raise CommandError(f"File not found: {path}. Check the path.", code="file_missing")
    with np.load(path, allow_pickle=False) as kept:
        return {name: jnp.asarray(kept[name], jnp.float32) for name in kept.files}


def save_checkpoint(learner: LearnerState, path: Path) -> None:
    """Write a checkpoint. It omits unfinished games; a resumed run starts new ones."""
    leaves = jax.tree.leaves((learner.parameters, learner.average, learner.optimizer))
    np.savez(path, allow_pickle=False, **{f"leaf{index}": np.asarray(leaf) for index, leaf in enumerate(leaves)})


def load_checkpoint(learner: LearnerState, path: Path) -> LearnerState:
    """Return the learner with the weights and optimizer state from a checkpoint."""
    tree = (learner.parameters, learner.average, learner.optimizer)
    with np.load(path, allow_pickle=False) as kept:
        leaves = [jnp.asarray(kept[f"leaf{index}"]) for index in range(len(jax.tree.leaves(tree)))]
    parameters, average, optimizer = jax.tree.unflatten(jax.tree.structure(tree), leaves)
    return learner._replace(parameters=parameters, average=average, optimizer=optimizer)
