"""Measure the newest model during training, against each of the game's opponents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bots.training.selfplay.duels import Score, duel, fixed, network_player
from bots.training.selfplay.environment import Learnable

Measure = Callable[[Any, int], Mapping[str, Score]]


def measure_against_opponents(game: Learnable, pairs: int) -> Measure:
    """Return ``measure(parameters, seed)``, which returns the score against each opponent, keyed by name.

    ``pairs``: number of mirrored pairs per opponent.
    """
    environment = game.load_environment()
    ours = network_player(environment)
    duels = {name: duel(environment, ours, fixed(policy)) for name, policy in game.load_opponents().items()}

    def measure(parameters: Any, seed: int) -> Mapping[str, Score]:
        return {name: play(parameters, None, pairs, seed) for name, play in duels.items()}

    return measure
