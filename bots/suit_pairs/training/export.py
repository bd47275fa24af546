"""Choose the five difficulty levels from a run's models, and write their weights for the house bots.

python -m bots.suit_pairs.training.export build/training/suit_pairs
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final

import numpy as np

from bots.suit_pairs.house.levels import LEVELS
from bots.suit_pairs.house.policy.weights import FILE, NAMES
from bots.suit_pairs.training.selfplay import SUIT_PAIRS
from bots.training.selfplay.checkpoint import write_arrays
from bots.training.selfplay.mirrored_pairs import compile_pair_play, network_player
from bots.training.selfplay.network import Parameters
from bots.training.selfplay.pool import Model
from bots.training.selfplay.run import MODELS, read_models

PAIRS: Final = 300  # mirrored pairs of games per pair of models; the shipped levels are measured with more


def choose_models(models: Mapping[int, Model], count: int, pairs: int = PAIRS) -> list[int]:
    """Choose ``count`` models as levels, in the order of training; the last model is always included.

    The choice maximizes the smallest win rate of a level against the level below it, in mirrored pairs.
    """
    environment = SUIT_PAIRS.load_environment()
    player = network_player(environment)
    play = compile_pair_play(environment, player, player)
    precise = {steps: load_parameters(model) for steps, model in sorted(models.items())}
    rates = {
        (low, high): play(precise[high], precise[low], pairs, 11).pair_rate for low, high in combinations(precise, 2)
    }
    last = max(models)
    chains = [(*lower, last) for lower in combinations([one for one in precise if one != last], count - 1)]
    return list(max(chains, key=lambda chain: sorted(rates[step] for step in pairwise(chain))))


def load_parameters(model: Model) -> Parameters:
    """Return the parameters of a stored model, in single precision."""
    return {name: np.asarray(value, dtype=np.float32) for name, value in model.items()}  # type: ignore[misc]


def export_models(models: Sequence[Model], target: Path = FILE) -> None:
    """Write the weights of the difficulty levels; ``models`` starts with the weakest."""
    levels = dict(zip(LEVELS, models, strict=True))
    write_arrays(target, {f"{level}/{name}": model[name] for level, model in levels.items() for name in NAMES})


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose a model for each difficulty level, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m bots.suit_pairs.training.export")
    parser.add_argument("run", type=Path, help="run folder")
    parser.add_argument(
        "--steps",
        type=int,
        nargs=len(LEVELS),
        help="use the models after these numbers of steps instead of choosing by strength",
    )
    options = parser.parse_args(arguments)
    models = read_models(options.run / MODELS)
    chosen = options.steps or choose_models(models, len(LEVELS))
    export_models([models[steps] for steps in chosen])
    print(f"Wrote {FILE}: models after {', '.join(f'{steps:,}' for steps in chosen)} steps.")


if __name__ == "__main__":
    main()
