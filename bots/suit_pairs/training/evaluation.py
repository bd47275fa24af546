"""Measure the strength of the shipped levels or, with ``--run FOLDER``, of a run's newest model.

Usage: ``python -m bots evaluate suit_pairs [--pairs N] [--json]``.

The compiled rules play all games of one table row at once; tests compare the compiled rules and opponents with the
arena's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bots.cli.errors import CommandError
from bots.cli.table import format_table
from bots.suit_pairs.house.levels import LEVELS
from bots.suit_pairs.house.policy.weights import weights_of
from bots.suit_pairs.training.export import load_parameters
from bots.suit_pairs.training.selfplay import SUIT_PAIRS
from bots.training.selfplay.evaluation import EvaluationRow, evaluate_levels
from bots.training.selfplay.run import MODELS, read_models

HEAD = ("player", "opponent", "pairs", "rate", "95 %")


def level_rows(pairs: int, seed: int, names: Sequence[str] = LEVELS) -> list[EvaluationRow]:
    """Return the rows of the evaluation table for these levels."""
    levels = {name: weights_of(number) for number, name in enumerate(LEVELS, start=1) if name in names}
    return list(evaluate_levels(SUIT_PAIRS, levels, pairs, seed))


def run_rows(folder: Path, pairs: int, seed: int) -> list[EvaluationRow]:
    """Return the rows of the evaluation table for a run's newest model. Raises CommandError if there is no run."""
    models = read_models(folder / MODELS)
    if not models:
        message = f"There is no run in {folder}. Start one with train, or choose another folder."
        raise CommandError(message, code="no_run")
    newest = {folder.name: load_parameters(models[max(models)])}
    return list(evaluate_levels(SUIT_PAIRS, newest, pairs, seed))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the levels or a run's newest model, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bots evaluate suit_pairs",
        description="Measure the five levels in mirrored pairs: against random, greedy and greedy_rank, and against "
        "the level below.",
    )
    parser.add_argument(
        "--run", type=Path, metavar="FOLDER", help="measure the newest model of this training run instead"
    )
    parser.add_argument("--pairs", type=int, default=2000, metavar="N", help="mirrored pairs per row (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="random seed for the deals (default: 1)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    if options.pairs < 1:
        parser.error("--pairs must be at least 1")
    found = (
        run_rows(options.run, options.pairs, options.seed) if options.run else level_rows(options.pairs, options.seed)
    )
    if options.json:
        print(json.dumps([asdict(row) for row in found], indent=1))
    else:
        print(format_table(HEAD, [_format_row(row) for row in found]))


def _format_row(row: EvaluationRow) -> tuple[str, ...]:
    return (row.player, row.opponent, str(row.pairs), f"{row.rate:.3f}", f"{row.low:.3f} to {row.high:.3f}")
