"""Plot a run's progress: win rates, entropy, KL divergence and explained variance over the steps."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bots.training.selfplay.progress import read_rows

PICTURE: Final = "curves.png"
_OWN: Final = ("entropy", "kl", "explained_variance")


def draw_curves(progress: Path) -> Path | None:
    """Plot a progress file as ``curves.png`` in the same folder; return its path, or None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    from matplotlib.figure import Figure  # an optional extra, and slow to import

    head, rows = read_rows(progress)
    steps = [float(row["steps"]) for row in rows]
    rates = [name for name in head if name.endswith(("_games", "_pairs"))]
    figure = Figure(figsize=(12, 7), layout="constrained")
    axes = figure.subplots(2, 2).flat
    for axis, names in zip(axes, (rates, *((name,) for name in _OWN)), strict=True):
        for name in names:
            known = [(step, float(row[name])) for step, row in zip(steps, rows, strict=True) if row[name]]
            axis.plot(*_read_columns(known), marker="." if len(known) < 100 else None, label=name.replace("_", " "))
        axis.set_xlabel("steps")
        if names:
            axis.legend()
        axis.grid(visible=True)
    path = progress.with_name(PICTURE)
    figure.savefig(path, dpi=100)
    return path


def _read_columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [step for step, _ in points], [value for _, value in points]
