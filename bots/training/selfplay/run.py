"""One learner's run: updates until the budget is spent, with a folder that shows how it goes and that it resumes from.

The folder holds ``plan.json``, ``progress.csv``, ``curves.png``, ``models.npz`` (models along the way, for levels) and
``checkpoint-RANK.npz`` of each learner. Learner 0 writes all but the other checkpoints.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.training.selfplay.checkpoint import load, save, write
from bots.training.selfplay.learner import Learner, Report
from bots.training.selfplay.measuring import Measure
from bots.training.selfplay.pool import Model, plain

PROGRESS: Final = "progress.csv"
MODELS: Final = "models.npz"
METRICS: Final = ("entropy", "kl", "explained_variance", "clipped", "value_loss")
_GROWTH: Final = 1.5  # of the steps between two models that are kept for levels

Clock = Callable[[], float]
Show = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to learn: ``seconds``, or ``updates`` in all; one of them."""

    seconds: float | None = None
    updates: int | None = None
    save_seconds: float = 60.0
    measure_seconds: float = 30.0

    def progress(self, seconds: float, updates: int) -> float:
        """The share that is spent."""
        if self.updates is not None:
            return updates / self.updates
        return 1.0 if not self.seconds else seconds / self.seconds


@dataclass(slots=True)
class Games:
    """The state of a learner's own sampler, where it has one: what a checkpoint keeps beside the learner."""

    read: Callable[[], Any] = field(default=lambda: None)
    write: Callable[[Any], None] = field(default=lambda games: None)


class Run:
    """Drives one learner. ``measure`` is None on all learners but the first."""

    def __init__(
        self, folder: Path, learner: Learner, rank: int, games: Games, clock: Clock, show: Show, measure: Measure | None
    ) -> None:
        self._folder = folder
        self._learner = learner
        self._rank = rank
        self._games = games
        self._clock = clock
        self._show = show
        self._measure = measure
        self._models: dict[int, Model] = {}
        self._spent = 0.0  # seconds of earlier runs of this folder

    @property
    def checkpoint(self) -> Path:
        """Where this learner saves itself."""
        return self._folder / f"checkpoint-{self._rank}.npz"

    def resume(self) -> None:
        """Go on from the folder; raises Mismatch, and FileNotFoundError where there is none."""
        found = load(self.checkpoint, self._learner, self._games.read())
        self._learner.resume(found.learnt, found.pool, found.report)
        self._games.write(found.games)
        if self._rank == 0:
            self._models = read_models(self._folder / MODELS)
            self._spent = last_seconds(self._folder / PROGRESS)

    def learn(self, budget: Budget, stop: Callable[[Report], bool] = lambda report: False) -> Report:
        """Learn until the budget is spent or ``stop`` says so, in either case where the run can be resumed."""
        began = saved = measured = self._clock()
        first = self._learner.report
        while not self._learner.at_rest or not (self._learner.report.progress >= 1 or stop(self._learner.report)):
            before = self._spent + self._clock() - began
            report = self._learner.step(budget.progress(before, self._learner.report.update + 1))
            now = self._clock()
            if self._rank == 0:
                scores: Mapping[str, Any] = {}
                if self._measure and now - measured >= budget.measure_seconds:
                    scores, measured = self._measure(self._learner.learnt.parameters, report.update), now
                self._remember(report)
                self._write_line(report, self._spent + now - began, (report.steps - first.steps) / max(now - began, 1e-9), scores)
            if self._learner.at_rest and now - saved >= budget.save_seconds:
                saved = now
                self.save()
        self._spent += self._clock() - began
        self._finish(began, first)
        return self._learner.report

    def save(self) -> None:
        """Write what a later run resumes from."""
        save(self.checkpoint, self._learner, self._games.read())
        if self._rank == 0:
            write_models(self._folder / MODELS, self._models)

    def _finish(self, began: float, first: Report) -> None:
        report = self._learner.report
        if self._rank == 0:
            self._models[report.steps] = plain(self._learner.learnt.parameters)
            scores = self._measure(self._learner.learnt.parameters, 0) if self._measure else {}
            rate = (report.steps - first.steps) / max(self._clock() - began, 1e-9)
            self._write_line(replace(report), self._spent, rate, scores)
        self.save()

    def _remember(self, report: Report) -> None:
        if report.steps >= _GROWTH * max(self._models, default=0):
            self._models[report.steps] = plain(self._learner.learnt.parameters)

    def _write_line(self, report: Report, seconds: float, rate: float, scores: Mapping[str, Any]) -> None:
        row: dict[str, str] = {
            "update": str(report.update),
            "steps": str(report.steps),
            "seconds": f"{seconds:.1f}",
            "steps_per_second": f"{rate:.0f}",
            **{name: f"{report.metrics.get(name, float('nan')):.5f}" for name in METRICS},
        }
        for name, score in scores.items():
            row |= {f"{name}_games": f"{score.game_rate:.4f}", f"{name}_pairs": f"{score.pair_rate:.4f}"}
        append_row(self._folder / PROGRESS, row)
        if scores:
            self._show(shown(row, scores))


def shown(row: Mapping[str, str], scores: Mapping[str, Any]) -> str:
    """A line for the terminal; rates are of single games and of mirrored pairs."""
    rates = "  ".join(f"{name} {score.game_rate:.3f} {score.pair_rate:.3f}" for name, score in scores.items())
    return (
        f"{float(row['seconds']):7.0f} s  {int(row['steps']):>11,} steps  {int(row['steps_per_second']):>9,}/s  "
        f"entropy {float(row['entropy']):.3f}  kl {float(row['kl']):.4f}  "
        f"explained {float(row['explained_variance']):.3f}  {rates}"
    )


def append_row(path: Path, row: Mapping[str, str]) -> None:
    """One more line of progress; a file that has other columns is written anew with all of them."""
    head, rows = read_rows(path)
    if set(row) <= set(head):
        with path.open("a", newline="") as file:
            csv.DictWriter(file, head, restval="").writerow(row)
        return
    head = [*head, *(name for name in row if name not in head)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, head, restval="")
        writer.writeheader()
        writer.writerows([*rows, row])


def read_rows(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The columns and lines of a progress file; nothing where there is none."""
    if not path.exists():
        return [], []
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or ()), list(reader)


def last_seconds(path: Path) -> float:
    """How long the run has learned so far."""
    _, rows = read_rows(path)
    return float(rows[-1]["seconds"]) if rows else 0.0


def write_models(path: Path, models: Mapping[int, Model]) -> None:
    """Models by the steps that they learned for."""
    write(path, {f"{steps}/{name}": value for steps, model in models.items() for name, value in model.items()})


def read_models(path: Path) -> dict[int, Model]:
    """What ``write_models`` wrote; nothing where there is no file."""
    found: dict[int, Model] = {}
    if path.exists():
        with np.load(path, allow_pickle=False) as file:
            for key in file.files:
                steps, _, name = key.partition("/")
                found.setdefault(int(steps), {})[name] = file[key]
    return found
