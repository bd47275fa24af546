"""Write the tables that the arena and the house bots read: the exact values and the learned ones."""

from __future__ import annotations

from pathlib import Path

from arena.games.fib2584.values import RESOURCE, write_values
from bots.fib2584.house.engine import learned
from bots.fib2584.house.engine.learned import pack_values
from bots.fib2584.house.engine.solver import solve
from bots.fib2584.training.positions import Positions
from bots.fib2584.training.temporal_difference import Learner

_ARENA = Path(__file__).resolve().parents[3] / "arena" / "games" / "fib2584"


def export_value_table() -> Path:
    """Write the table of exact values that the rules and pages read."""
    path = _ARENA / RESOURCE
    solution = solve()
    path.write_bytes(write_values(solution.after.tolist(), solution.after_values.tolist()))
    return path


def export_learned(positions: Positions, learner: Learner) -> Path:
    """Write the table for the house bot that learned its values."""
    path = Path(learned.__file__).with_suffix(".bin")
    path.write_bytes(pack_values(positions.codes.tolist(), learner.values.tolist()))
    return path
