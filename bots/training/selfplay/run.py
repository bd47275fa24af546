"""One learner's run: updates until the budget is used up, saved in a folder from which it can resume.

The folder holds ``checkpoint.npz``, ``progress.csv``, ``curves.png`` and ``models.npz`` (past models, from which levels
are chosen), all written by learner 0. Each learner that plays the games in its own process also saves them there, in
``games-RANK.npz``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bots.training.selfplay.checkpoint import (
    load_checkpoint,
    load_tree,
    read_arrays,
    save_checkpoint,
    save_tree,
    write_arrays,
)
from bots.training.selfplay.curves import draw_curves
from bots.training.selfplay.learner import Learner, UpdateReport
from bots.training.selfplay.mirrored_pairs import Measure
from bots.training.selfplay.pool import Model, to_half_precision
from bots.training.selfplay.progress import append_row, format_row, last_seconds
from bots.training.selfplay.sampler import Sampler

CHECKPOINT: Final = "checkpoint.npz"
PROGRESS: Final = "progress.csv"
MODELS: Final = "models.npz"
METRICS: Final = ("entropy", "kl", "explained_variance", "clipped", "value_loss")
_GROWTH: Final = 1.5  # minimum ratio between the steps of two consecutive models that are kept for levels

Clock = Callable[[], float]
Show = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """The length of training: either ``seconds`` or the total number of ``updates``."""

    seconds: float | None = None
    updates: int | None = None
    save_seconds: float = 60.0
    measure_seconds: float = 30.0

    def progress(self, seconds: float, updates: int) -> float:
        """Return the share of the budget that this many seconds or updates use up."""
        if self.updates is not None:
            return updates / self.updates
        return 1.0 if not self.seconds else seconds / self.seconds


class LearnerRun:
    """The run of one learner.

    ``sampler``: the sampler in the learner's own process, if any; ``measure``: measures the model's strength, on
    learner 0 only.
    """

    def __init__(
        self,
        folder: Path,
        learner: Learner,
        rank: int,
        *,
        clock: Clock,
        show: Show,
        sampler: Sampler | None = None,
        measure: Measure | None = None,
    ) -> None:
        self._folder = folder
        self._learner = learner
        self._rank = rank
        self._clock = clock
        self._show = show
        self._sampler = sampler
        self._measure = measure
        self._models: dict[int, Model] = {}
        self._spent = 0.0  # training time of earlier runs in this folder

    @property
    def _games(self) -> Path:
        return self._folder / f"games-{self._rank}.npz"

    def resume(self) -> None:
        """Resume from the folder. Raises CheckpointMismatchError, or FileNotFoundError if nothing was saved."""
        load_checkpoint(self._folder / CHECKPOINT, self._learner)
        self._spent = last_seconds(self._folder / PROGRESS)
        if self._sampler is not None and self._games.exists():
            self._sampler.games = load_tree(self._games, self._sampler.games)
        if self._rank == 0:
            self._models = read_models(self._folder / MODELS)

    def learn(self, budget: Budget, stops: Callable[[UpdateReport], bool] = lambda report: False) -> UpdateReport:
        """Learn until the budget is used up or any learner's ``stops`` returns true.

        In either case the run can be resumed.
        """
        began = saved = measured = self._clock()
        first = report = self._learner.report
        if budget.progress(self._spent, report.update) >= 1:
            return report
        while not (self._learner.at_rest and (report.progress >= 1 or report.stops)) or report is first:
            before = self._spent + self._clock() - began
            report = self._learner.step(budget.progress(before, report.update + 1), stops=stops(report))
            now = self._clock()
            rate = (report.steps - first.steps) / max(now - began, 1e-9)
            if self._rank == 0:
                self._remember(report)
                due = now - measured >= budget.measure_seconds
                measured = now if due else measured
                self._write_progress(report, self._spent + now - began, rate, measured=due)
            if self._learner.at_rest and now - saved >= budget.save_seconds:
                saved = now
                self.save()
        self._spent += self._clock() - began
        if self._rank == 0:
            self._models[report.steps] = to_half_precision(self._learner.state.parameters)
            self._write_progress(report, self._spent, rate, measured=True)
        self.save()
        return report

    def save(self) -> None:
        """Save the state from which the run can resume."""
        if self._sampler is not None:
            save_tree(self._games, self._sampler.games)
        if self._rank == 0:
            save_checkpoint(self._folder / CHECKPOINT, self._learner)
            write_models(self._folder / MODELS, self._models)
            draw_curves(self._folder / PROGRESS)

    def _remember(self, report: UpdateReport) -> None:
        if report.steps >= _GROWTH * max(self._models, default=0):
            self._models[report.steps] = to_half_precision(self._learner.state.parameters)

    def _write_progress(self, report: UpdateReport, seconds: float, rate: float, *, measured: bool) -> None:
        scores = self._measure(self._learner.state.parameters, report.update) if measured and self._measure else {}
        row: dict[str, str] = {
            "update": str(report.update),
            "steps": str(report.steps),
            "seconds": f"{seconds:.1f}",
            "steps_per_second": f"{rate:.0f}",
            **{name: f"{report.metrics[name]:.5f}" for name in METRICS},
        }
        for name, score in scores.items():
            row |= {f"{name}_games": f"{score.game_rate:.4f}", f"{name}_pairs": f"{score.pair_rate:.4f}"}
        append_row(self._folder / PROGRESS, row)
        if measured:
            self._show(format_row(row, scores))


def write_models(path: Path, models: Mapping[int, Model]) -> None:
    """Write models, keyed by their number of training steps, to one file."""
    write_arrays(path, {f"{steps}/{name}": value for steps, model in models.items() for name, value in model.items()})


def read_models(path: Path) -> dict[int, Model]:
    """Read the models; return an empty mapping if there is no file."""
    found: dict[int, Model] = {}
    for key, value in (read_arrays(path) if path.exists() else {}).items():
        steps, _, name = key.partition("/")
        found.setdefault(int(steps), {})[name] = value
    return found
