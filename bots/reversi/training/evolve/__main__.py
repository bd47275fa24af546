"""Evolve the evaluation's weights, or measure the shipped ones.

    python -m bots.reversi.training.evolve --generations 20  resumes an earlier run; needs the extra ``training``
    python -m bots.reversi.training.evolve --match 400       the shipped weights against uniform ones

Fitness is the share of points against fixed opponents. The opponent with uniform weights counts for one half; the other
half is the average over the other opponents, whose weights emphasize one feature or are random. Every opening is played
with both colours, and both sides search to the same depth.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Final

from bots.reversi.house.engine.evaluation import UNIFORM, Weights
from bots.reversi.training.evolve.playing import openings, play_match

_MUCH: Final = 0.4
_FEWER: Final = 10  # each of the other opponents plays this many times fewer openings
_SEED_OF_MATCH: Final = 2026  # a seed for openings that differ from those used in evolution


def main(arguments: Sequence[str] | None = None) -> None:
    options = _build_parser().parse_args(arguments)
    if options.match:
        _show_match(options.match, options.depth)
    else:
        _evolve(options)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bots.reversi.training.evolve", description="Evolve evaluation weights."
    )
    parser.add_argument("--state", type=Path, default=Path("build/evolution/state.json"), metavar="FILE")
    parser.add_argument(
        "--generations", type=int, default=30, metavar="N", help="total number of generations (default: 30)"
    )
    parser.add_argument("--depth", type=int, default=2, metavar="N", help="search depth (default: 2)")
    parser.add_argument(
        "--openings", type=int, default=200, metavar="N", help="openings played against uniform weights (default: 200)"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="plot output file (default: next to the state file)")
    parser.add_argument("--match", type=int, metavar="GAMES", help="play the shipped weights against uniform ones")
    return parser


def other_opponents() -> list[Weights]:
    """Return the opponents with non-uniform weights: for each feature, one that emphasizes it, and four random ones."""
    from bots.reversi.training.evolve.genetic_algorithm import GeneticParameters, first_generation

    count = len(fields(Weights))
    rest = (1 - _MUCH) / (count - 1)
    lovers = [Weights(*[_MUCH if one == much else rest for one in range(count)]) for much in range(count)]
    drawn = [Weights(*genes) for genes in first_generation(GeneticParameters(population=4, seed=99))]
    return [*lovers, *drawn]


def _evolve(options: argparse.Namespace) -> None:
    from bots.reversi.training.evolve import compiled
    from bots.reversi.training.evolve.genetic_algorithm import (
        Genes,
        GeneticParameters,
        first_generation,
        next_generation,
        weights_from_genes,
    )
    from bots.reversi.training.evolve.plotting import plot
    from bots.reversi.training.evolve.state import EvolutionState, Generation, read_state

    parameters, rivals, starts = GeneticParameters(), other_opponents(), openings(options.openings, seed=1)
    few = starts[: max(1, len(starts) // _FEWER)]
    state = read_state(options.state) if options.state.exists() else EvolutionState(first_generation(parameters))

    def fitness(genes: Genes) -> float:
        if genes not in state.known:
            ours = weights_from_genes(genes)
            even = compiled.play_match(ours, UNIFORM, starts, options.depth)
            others = [compiled.play_match(ours, rival, few, options.depth).share for rival in rivals]
            state.known[genes] = (even.share + sum(others) / len(others)) / 2
        return state.known[genes]

    while len(state.history) < options.generations:
        began = time.monotonic()
        found = {genes: fitness(genes) for genes in state.population}
        best = max(found, key=found.__getitem__)
        state.history.append(Generation(found[best], sum(found.values()) / len(found), best))
        state.population = next_generation(state.population, len(state.history), fitness, parameters)
        state.write(options.state)
        print(
            f"generation {len(state.history)}: best {found[best]:.1%}, mean {state.history[-1].mean:.1%}, "
            f"{time.monotonic() - began:.0f} s  {_format_weights(weights_from_genes(best))}",
            flush=True,
        )
    file = options.plot or options.state.with_suffix(".png")
    plot(state.history, file)
    print(f"Wrote the plot to {file}.")


def _show_match(games: int, deepest: int) -> None:
    print(f"shipped: {_format_weights(Weights())}")
    print(f"{games} games against uniform weights, each opening with both colours:")
    for depth in range(1, deepest + 1):
        score = play_match(Weights(), UNIFORM, openings(games // 2, _SEED_OF_MATCH), depth)
        print(
            f"search depth {depth}: {score.won} won, {score.drawn} drawn, {score.lost} lost, "
            f"{score.share:.1%} of the points",
            flush=True,
        )


def _format_weights(shares: Weights) -> str:
    return ", ".join(f"{one.name} {share:.4f}" for one, share in zip(fields(Weights), astuple(shares), strict=True))


if __name__ == "__main__":
    main()
