"""One generation of weights after the other, by the genetic algorithm of PyGAD.

The best are copied unchanged; of the others only the fittest half has children (the rest is eliminated). A child has
genes between those of its two parents (crossover), and then one of its genes changes by chance (mutation). Genes are
shares: after every change they are made to add up to 1 again.

Invariants: a generation follows from the one before and its number alone, so a run that was stopped goes on as it
would have; a fitness is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import pygad

from bots.reversi.house.engine.evaluation import Weights

Genes = tuple[float, ...]
GENES: Final = len(fields(Weights))
_DIGITS: Final = 4
_MUTATION: Final = 0.08  # the standard deviation of a change at first
_CALMER: Final = 0.97  # with every generation


@dataclass(frozen=True, slots=True)
class Breeding:
    """``population`` individuals, of which ``copied`` survive and ``parents`` have children."""

    population: int = 16
    copied: int = 2
    parents: int = 8
    seed: int = 1


def weights(genes: Sequence[float]) -> Weights:
    return Weights(*genes)


def normal(genes: Any) -> Genes:
    """Not negative and adding up to 1, rounded."""
    kept = np.maximum(np.asarray(genes, dtype=float), 0.0)
    shares = kept / kept.sum() if kept.any() else np.full(GENES, 1 / GENES)
    rounded = [round(float(share), _DIGITS) for share in shares]
    rounded[int(np.argmax(shares))] += 1 - sum(rounded)
    return tuple(round(share, _DIGITS) for share in rounded)


def first(breeding: Breeding) -> list[Genes]:
    """The first generation: by chance, evenly over all shares."""
    chance = np.random.default_rng(breeding.seed)
    return [normal(chance.exponential(size=GENES)) for _ in range(breeding.population)]


def following(
    population: list[Genes], number: int, fitness: Callable[[Genes], float], breeding: Breeding
) -> list[Genes]:
    """The generation after this one, which has this number."""
    chance = np.random.default_rng((breeding.seed, number))

    def crossed(parents: Any, size: tuple[int, int], algorithm: Any) -> Any:
        """Children of two different parents: each gene somewhere between theirs."""
        children = np.empty(size)
        for child in children:
            one, two = chance.choice(len(parents), 2, replace=False)
            part = chance.random(GENES)
            child[:] = part * parents[one] + (1 - part) * parents[two]
        return children

    def mutated(children: Any, algorithm: Any) -> Any:
        """One gene of each has changed."""
        for child in children:
            child[chance.integers(GENES)] += chance.normal(0.0, _MUTATION * _CALMER**number)
            child[:] = normal(child)
        return children

    algorithm = pygad.GA(
        num_generations=1,
        initial_population=np.array(population),
        fitness_func=lambda algorithm, genes, index: fitness(normal(genes)),
        num_parents_mating=breeding.parents,
        parent_selection_type="sss",
        keep_elitism=breeding.copied,
        crossover_type=crossed,
        mutation_type=mutated,
        suppress_warnings=True,
    )
    algorithm.run()
    return [normal(genes) for genes in algorithm.population]
