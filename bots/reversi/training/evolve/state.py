"""The state of an evolution, in a human-readable file.

Invariant: the file is replaced atomically, so that it contains the last finished generation after an interruption.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bots.reversi.training.evolve.genetic_algorithm import Genes


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation's result: the best and the mean fitness (shares of the points), and the best genes."""

    best: float
    mean: float
    genes: Genes


@dataclass(slots=True)
class EvolutionState:
    """The current state of an evolution.

    ``population``: the next generation; ``known``: each computed fitness, keyed by genes.
    """

    population: list[Genes]
    history: list[Generation] = field(default_factory=list)
    known: dict[Genes, float] = field(default_factory=dict)

    def write(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "population": self.population,
            "history": [asdict(one) for one in self.history],
            "known": [[*genes, fitness] for genes, fitness in self.known.items()],
        }
        partial = file.with_suffix(".part")
        partial.write_text(json.dumps(content, indent=1), encoding="ascii")
        partial.replace(file)


def read_state(file: Path) -> EvolutionState:
    """Read the state. Raises OSError, or ValueError for a different kind of file."""
    content = json.loads(file.read_text(encoding="ascii"))
    try:
        return EvolutionState(
            [tuple(genes) for genes in content["population"]],
            [Generation(one["best"], one["mean"], tuple(one["genes"])) for one in content["history"]],
            {tuple(genes): fitness for *genes, fitness in content["known"]},
        )
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{file} is not the state file of an evolution run. Choose another file with --state."
        ) from error
