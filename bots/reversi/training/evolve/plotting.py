"""Plot an evolutionary run: the fitness and the best individual's genes, by generation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from matplotlib.figure import Figure

from bots.reversi.house.engine.evaluation import Weights
from bots.reversi.training.evolve.state import Generation


def plot(history: list[Generation], file: Path) -> None:
    """Save the plot in the format given by the file's extension, or as PNG if it has none."""
    figure = Figure(figsize=(8, 8), layout="constrained")
    above, below = figure.subplots(2, sharex=True)
    numbers = range(1, len(history) + 1)
    above.plot(numbers, [100 * one.best for one in history], label="best")
    above.plot(numbers, [100 * one.mean for one in history], label="mean")
    above.set_ylabel("points against the fixed opponents, %")
    above.legend()
    names = [one.name.replace("_", " ") for one in fields(Weights)]
    below.stackplot(numbers, *zip(*(one.genes for one in history), strict=True), labels=names)
    below.set_ylabel("weights of the best individual")
    below.set_xlabel("generation")
    below.set_ylim(0, 1)
    below.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file)
