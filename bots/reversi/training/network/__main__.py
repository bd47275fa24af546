"""Train the network by expert iteration, starting from a self-play run or from random weights.

    python -m bots train reversi network --minutes 10 --run build/training/reversi-network

The run folder contains ``weights.npz``, ``checkpoint.npz`` (from which the same command resumes) and ``curves.csv``.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import Array

from bots.reversi.training.network.environment import ENVIRONMENT, OPPONENTS
from bots.reversi.training.network.expert_iteration import search_one_ply
from bots.reversi.training.network.files import load_checkpoint, load_weights, save_checkpoint, save_weights
from bots.reversi.training.network.learning import LearnerState, Plan, RoundReport, compile_round, new_learner
from bots.reversi.training.network.rules import Position
from bots.training.selfplay.mirrored_pairs import compile_pair_play, fixed_policy_player
from bots.training.selfplay.network import Parameters

_COLUMNS = (
    "seconds", "moves", "games", "moves_per_second", "rate", "policy_loss", "value_loss", "entropy", "explained",
    *OPPONENTS, "earlier",
)  # fmt: skip
_LAST_RATE = 0.02  # final learning rate, as a share of the initial rate
_EARLIER = 4  # number of progress lines after which the reference network for measuring progress is replaced

Compete = Callable[[Parameters, Parameters, int], list[float]]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse_options(arguments)
    began = time.monotonic()
    plan = Plan(options.games, options.steps, min(options.batch, options.games * options.steps))
    options.run.mkdir(parents=True, exist_ok=True)
    learner = new_learner(plan, options.seed, load_weights(options.begin) if options.begin else None)
    checkpoint = options.run / "checkpoint.npz"
    if checkpoint.exists():
        learner = load_checkpoint(learner, checkpoint)
    learner = _train(options, plan, learner, began)
    save_checkpoint(learner, checkpoint)
    save_weights(learner.average, options.run / "weights.npz")


def _train(options: argparse.Namespace, plan: Plan, learner: LearnerState, began: float) -> LearnerState:
    """Train until the time or the number of rounds is used up; return the final state of the learner."""
    advance, compete = compile_round(plan), _strength_measurer(options.trial)
    curves = CurvesFile(options.run / "curves.csv", learner.average, began, options.every, plan.games * plan.steps)
    learner, report = advance(learner, jnp.float32(0))
    compete(learner.average, learner.average, 0)
    curves.begin()
    first = time.monotonic()
    print(f"{jax.devices()[0]}: compiled in {first - began:.0f} s", flush=True)
    while (progress := _elapsed_share(options, time.monotonic() - first, first - began, curves.rounds)) < 1:
        rate = options.rate * max(_LAST_RATE, 0.5 * (1 + math.cos(math.pi * progress)))
        learner, report = advance(learner, jnp.float32(rate))
        curves.count(report, rate)
        if curves.due():
            curves.write(learner.average, compete)
    if curves.unwritten:
        curves.write(learner.average, compete)
    return learner


def _elapsed_share(options: argparse.Namespace, seconds: float, compiling: float, done: int) -> float:
    """Return the elapsed fraction of the training time or of the planned rounds."""
    if options.rounds:
        return float(done / options.rounds)
    left = 60 * options.minutes - compiling
    return 1.0 if left <= 0 else float(seconds / left)


def _strength_measurer(pairs: int) -> Compete:
    """Return a function that plays mirrored pairs with the one-ply search ``search_move``.

    Its result lists the score against each fixed opponent, then the score against an earlier network.
    """
    if not pairs:
        return lambda ours, earlier, seed: [math.nan] * (len(OPPONENTS) + 1)
    plays = [compile_pair_play(ENVIRONMENT, search_move, fixed_policy_player(other)) for other in OPPONENTS.values()]
    plays.append(compile_pair_play(ENVIRONMENT, search_move, search_move))

    def compete(ours: Parameters, earlier: Parameters, seed: int) -> list[float]:
        return [play(ours, earlier, pairs, seed).game_rate for play in plays]

    return compete


def search_move(parameters: Parameters, position: Position, key: Array) -> Array:
    """Choose the best move by a one-ply search."""
    return jnp.argmax(search_one_ply(parameters, position).policy)


class CurvesFile:
    """A run's ``curves.csv``, written periodically."""

    def __init__(self, path: Path, parameters: Parameters, began: float, every: float, moves: int) -> None:
        self._path, self._began, self._every, self._moves_of_round = path, began, every, moves
        self._earlier = jax.tree.map(jnp.copy, parameters)
        self.rounds = self._games = self._lines = 0
        self.unwritten = False
        self._last, self._counted = time.monotonic(), 0
        self._report: RoundReport | None = None
        self._rate = 0.0

    def begin(self) -> None:
        """Restart the clock after compilation, so that the compilation time is not counted."""
        self._last = time.monotonic()

    def count(self, report: RoundReport, rate: float) -> None:
        self.rounds += 1
        self.unwritten = True
        self._games += int(report.games)
        self._report, self._rate = report, rate

    def due(self) -> bool:
        return time.monotonic() - self._last >= self._every

    def write(self, parameters: Parameters, compete: Compete) -> None:
        """Write one line: the last round's report and the network's current strength."""
        if self._report is None:
            return
        now = time.monotonic()
        moves = self.rounds * self._moves_of_round
        speed = (moves - self._counted) / (now - self._last)
        rates = compete(parameters, self._earlier, self.rounds)
        measured = [*map(float, self._report[:4]), *rates]
        line = dict(zip(_COLUMNS, (now - self._began, moves, self._games, speed, self._rate, *measured), strict=True))
        with self._path.open("a", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS)
            if not file.tell():
                writer.writeheader()
            writer.writerow({name: f"{number:.6g}" for name, number in line.items()})
        print("  ".join(f"{name} {number:.4g}" for name, number in line.items()), flush=True)
        self._lines += 1
        if self._lines % _EARLIER == 0:
            self._earlier = jax.tree.map(jnp.copy, parameters)
        self.unwritten = False
        self._last, self._counted = time.monotonic(), moves


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bots train reversi network", description="Train the self_taught network by self-play."
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, help="number of rounds, instead of --minutes")
    parser.add_argument("--run", type=Path, default=Path("build/training/reversi-network"), help="run folder")
    parser.add_argument("--begin", type=Path, help="initial weights, or a self-play run (default: random)")
    parser.add_argument(
        "--games", type=int, default=256, help="concurrent games (default: 256; use thousands on a GPU)"
    )
    parser.add_argument("--steps", type=int, default=32, help="moves per game in each round (default: 32)")
    parser.add_argument("--batch", type=int, default=1024, help="batch size (default: 1024)")
    parser.add_argument("--rate", type=float, default=1e-3, help="initial learning rate (default: 0.001)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between progress lines (default: 10)")
    parser.add_argument(
        "--trial", type=int, default=128, help="pairs of games per evaluation (default: 128; 0: no evaluation)"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
