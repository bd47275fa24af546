"""A run's hyperparameters, for PPO and for the model pool."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The hyperparameters of one training run.

    ``games``: number of games that each sampler plays at once; ``length``: number of decisions per trajectory, counting
    both players. ``minibatch``: number of decisions that each learner averages into one gradient; ``epochs``: passes
    over a batch. ``rate`` and ``entropy`` fall linearly to ``last_rate`` and ``last_entropy`` over the run. One game in
    ``pool_every`` is played against a past model; up to ``opponents`` models play at once and are redrawn every
    ``redraw`` updates. The pool keeps at most ``pool_size`` models; initially it stores one every ``remember`` updates.
    """

    games: int = 64
    length: int = 128
    minibatch: int = 1024
    epochs: int = 3
    rate: float = 1e-3
    last_rate: float = 1e-4
    entropy: float = 0.02
    last_entropy: float = 0.003
    clip: float = 0.2
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    pool_every: int = 5
    pool_size: int = 16
    opponents: int = 4
    redraw: int = 4
    remember: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if self.games < 1 or self.length < 2 or self.decisions % self.minibatch:
            raise ValueError(f"{self.decisions} decisions cannot be divided into minibatches of {self.minibatch}")

    @property
    def decisions(self) -> int:
        """Return the number of decisions in one of a sampler's trajectories."""
        return self.games * self.length

    @property
    def pool_games(self) -> int:
        """Return how many of a sampler's games have a past model in one seat; a multiple of ``opponents_at_once``."""
        return self.games // self.pool_every // self.opponents_at_once * self.opponents_at_once

    @property
    def opponents_at_once(self) -> int:
        """Return the number of past models that play at once."""
        return max(1, min(self.opponents, self.games // self.pool_every))

    def rate_at(self, progress: float) -> float:
        """Return the learning rate at this point in the run (0 to 1)."""
        return self.rate + (self.last_rate - self.rate) * min(progress, 1.0)

    def entropy_at(self, progress: float) -> float:
        """Return the weight of the entropy bonus at this point in the run (0 to 1)."""
        return self.entropy + (self.last_entropy - self.entropy) * min(progress, 1.0)
