"""Learn generation by generation: play games with the current weights, then fit new weights to the results.

Invariants: finished work is stored in the folder; an interrupted run resumes by replaying the unfinished batch from the
batch's own seed. The first generation knows only the rules, so its games are random.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.reversi.house.engine.patterns import STAGE_DISCS, STAGES
from bots.reversi.training.patterns.compiled import WEIGHT_OF, WEIGHTS
from bots.reversi.training.patterns.fitting import fit_stage
from bots.reversi.training.patterns.probcut import measure_spreads
from bots.reversi.training.patterns.selfplay import play_games

BATCH: Final = 250  # number of games
_OVERLAP: Final = 2  # discs: a stage also learns from positions in adjacent stages that are this close
_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """The settings for playing a generation's games (see ``selfplay``); ``games``: the number of games."""

    games: int
    depth: int
    exact: int
    strays: float
    trust: float


PLAN: Final = (
    GenerationPlan(50_000, 1, 8, 1.0, 1.0),
    GenerationPlan(50_000, 1, 8, 0.2, 0.95),
    GenerationPlan(25_000, 2, 9, 0.1, 0.9),
    GenerationPlan(24_500, 3, 10, 0.05, 0.9),
)


def expand_weights(weights: Any) -> Any:
    """Return the weights as int16, one row per stage, with a weight for every pattern index."""
    return np.ascontiguousarray(np.round(weights).astype(np.int16)[:, WEIGHT_OF])


class LearningRun:
    """A learning run. ``folder`` contains its state; ``report`` receives progress lines."""

    def __init__(self, folder: Path, plan: tuple[GenerationPlan, ...], report: Callable[[str], None]) -> None:
        self._folder, self._plan, self._report = folder, plan, report

    def run(self) -> Any:
        """Run all generations; return the weights of the last one as float32, one row per stage."""
        weights = np.zeros((STAGES, WEIGHTS), dtype=np.float32)
        for number, generation in enumerate(self._plan):
            file = self._folder / f"weights-{number}.npy"
            if file.exists():
                weights = np.load(file)
                continue
            self._play(number, generation, weights)
            weights = self._fit(number, weights)
            np.save(file, weights)
        return weights

    def spreads(self, weights: Any) -> list[dict[int, int]]:
        """Return the spread of the differences between shallow and deep searches with these weights.

        The differences are measured on the most recent games; see ``probcut``.
        """
        return measure_spreads(self._training_positions(len(self._plan) - 1)[0], expand_weights(weights))

    def _play(self, number: int, generation: GenerationPlan, weights: Any) -> None:
        folder = self._folder / f"games-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        weighed = expand_weights(weights)
        batches = generation.games // BATCH
        began = time.monotonic()
        for batch in range(batches):
            file = folder / f"{batch:04}.npz"
            if file.exists():
                continue
            positions, labels = play_games(
                1000 * number + batch,
                BATCH,
                generation.depth,
                generation.exact,
                generation.strays,
                generation.trust,
                weighed,
            )
            partial = file.with_suffix(".part.npz")
            np.savez(partial, positions=positions, labels=labels)
            partial.rename(file)
            if batch % 10 == 9:
                self._report(f"generation {number}: {(batch + 1) * BATCH} games, {time.monotonic() - began:.0f} s")

    def _fit(self, number: int, before: Any) -> Any:
        positions, labels = self._training_positions(number)
        discs = np.bitwise_count(positions[:, 0] | positions[:, 1])
        weights = before.copy()
        for stage in range(STAGES):
            first, last = stage * STAGE_DISCS - _OVERLAP, (stage + 1) * STAGE_DISCS + _OVERLAP
            chosen = (discs >= first) & (discs < last)
            if not chosen.any():
                continue
            weights[stage], error = fit_stage(positions[chosen], labels[chosen], weights[stage], _ROUNDS)
            self._report(f"generation {number}: stage {stage}, {chosen.sum()} positions, off by {error:.2f} discs")
        return weights

    def _training_positions(self, number: int) -> tuple[Any, Any]:
        """Return the positions and labels of this generation and of the previous one.

        The previous generation is left out if it played at random.
        """
        numbers = [one for one in (number - 1, number) if one >= min(number, 2)]
        files = [file for one in numbers for file in sorted((self._folder / f"games-{one}").glob("????.npz"))]
        loaded = [np.load(file) for file in files]
        return np.concatenate([one["positions"] for one in loaded]), np.concatenate([one["labels"] for one in loaded])
