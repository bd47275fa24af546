"""Evolve generations of weights with PyGAD's genetic algorithm.

The best individuals are copied unchanged; only the fittest half of the population reproduces. Each gene of a child has
a value between those of its two parents (crossover), and then one gene changes at random (mutation). Genes are weights:
after every change, they are normalized to a sum of 1.

Invariants: a generation depends only on the previous one and its number, so an interrupted run continues with the same
results; the fitness of an individual is computed only once.
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
_MUTATION: Final = 0.08  # the initial standard deviation of a change
_CALMER: Final = 0.97  # decay factor of this standard deviation per generation


@dataclass(frozen=True, slots=True)
class GeneticParameters:
    """The parameters of the genetic algorithm; ``population``: number of individuals.

    ``copied``: how many of the best individuals survive unchanged; ``parents``: how many of the best have children.
    """

    population: int = 16
    copied: int = 2
    parents: int = 8
    seed: int = 1


def weights_from_genes(genes: Sequence[float]) -> Weights:
    return Weights(*genes)


def normalize(genes: Any) -> Genes:
    """Normalize the genes so that they are non-negative and sum to 1, and round them."""
    kept = np.maximum(np.asarray(genes, dtype=float), 0.0)
    shares = kept / kept.sum() if kept.any() else np.full(GENES, 1 / GENES)
    rounded = [round(float(share), _DIGITS) for share in shares]
    rounded[int(np.argmax(shares))] += 1 - sum(rounded)
    return tuple(round(share, _DIGITS) for share in rounded)


def first_generation(parameters: GeneticParameters) -> list[Genes]:
    """Return the first generation; individuals are drawn uniformly from all sets of weights that add up to 1."""
    chance = np.random.default_rng(parameters.seed)
    return [normalize(chance.exponential(size=GENES)) for _ in range(parameters.population)]


def next_generation(
    population: list[Genes], number: int, fitness: Callable[[Genes], float], parameters: GeneticParameters
) -> list[Genes]:
    """Return generation ``number``, derived from ``population``, the previous generation."""
    chance = np.random.default_rng((parameters.seed, number))

    def cross(parents: Any, size: tuple[int, int], algorithm: Any) -> Any:
        """Return children of pairs of distinct parents; each gene lies between the genes of the two parents."""
        children = np.empty(size)
        for child in children:
            one, two = chance.choice(len(parents), 2, replace=False)
            part = chance.random(GENES)
            child[:] = part * parents[one] + (1 - part) * parents[two]
        return children

    def mutate(children: Any, algorithm: Any) -> Any:
        """Change one random gene in each child."""
        for child in children:
            child[chance.integers(GENES)] += chance.normal(0.0, _MUTATION * _CALMER**number)
            child[:] = normalize(child)
        return children

    algorithm = pygad.GA(
        num_generations=1,
        initial_population=np.array(population),
        fitness_func=lambda algorithm, genes, index: fitness(normalize(genes)),
        num_parents_mating=parameters.parents,
        parent_selection_type="sss",
        keep_elitism=parameters.copied,
        crossover_type=cross,
        mutation_type=mutate,
        suppress_warnings=True,
    )
    algorithm.run()
    return [normalize(genes) for genes in algorithm.population]
