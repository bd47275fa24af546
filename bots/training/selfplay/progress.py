"""A run's progress, as lines in the terminal and as a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from bots.training.selfplay.mirrored_pairs import PairScore


def format_row(row: Mapping[str, str], scores: Mapping[str, PairScore]) -> str:
    """Format a line for the terminal; win rates are for single games and, after the slash, for mirrored pairs."""
    rates = "  ".join(f"{name} {score.game_rate:.3f}/{score.pair_rate:.3f}" for name, score in scores.items())
    return (
        f"{float(row['seconds']):6.0f} s  {int(row['steps']):>11,} steps  {int(row['steps_per_second']):>9,}/s  "
        f"entropy {float(row['entropy']):.3f}  KL {float(row['kl']):.4f}  "
        f"explained variance {float(row['explained_variance']):.2f}  {rates}"
    )


def append_row(path: Path, row: Mapping[str, str]) -> None:
    """Append a row; if the file lacks some of the row's columns, rewrite the file."""
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
    """Return the columns and rows of a progress file; both are empty if the file does not exist."""
    if not path.exists():
        return [], []
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or ()), list(reader)


def last_seconds(path: Path) -> float:
    """Return the run's training time so far, in seconds."""
    _, rows = read_rows(path)
    return float(rows[-1]["seconds"]) if rows else 0.0
