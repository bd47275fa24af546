"""Train TD(0) from zero and from optimistic initial values, compare both with the exact values, and write the tables.

python -m bots train fib2584                     # mean score and mean absolute error over the games
python -m bots train fib2584 --export-learned    # also write the optimistic values for the house bot
python -m bots train fib2584 --exact             # write only the exact values that the arena's rules read
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.fib2584.values import RESOURCE, write_values
from bots.fib2584.house.engine import learned
from bots.fib2584.house.engine.learned import pack_values
from bots.fib2584.house.engine.solver import solve
from bots.fib2584.training.positions import Positions, number_positions
from bots.fib2584.training.temporal_difference import Learner, Plan

OPTIMISTIC = 400.0
_ARENA = Path(__file__).resolve().parents[3] / "arena" / "games" / "fib2584"


def header_line() -> str:
    names = f"{'games':>9}  {'from zero':^20}  {'from optimistic values':^24}"
    return f"{names}\n{'':9}  {'score':>9} {'error':>10}  {'score':>11} {'error':>12}"


def progress_lines(learners: Sequence[Learner], reports: int) -> Iterator[str]:
    """Yield one line per report with both learners' scores and the errors of their values."""
    for zero, optimistic in zip(*(learner.run(reports) for learner in learners), strict=True):
        yield (
            f"{zero.games:9}  {zero.mean_score:9.1f} {zero.mean_error:10.1f}"
            f"  {optimistic.mean_score:11.1f} {optimistic.mean_error:12.1f}"
        )


def create_learners(positions: Positions, plan: Plan, optimistic: float) -> tuple[Learner, Learner]:
    """Return a learner that starts from zero and a learner that starts from optimistic values."""
    starting = [
        Plan(plan.games, initial, plan.first_rate, plan.last_rate, seed=plan.seed) for initial in (0.0, optimistic)
    ]
    return Learner(positions, starting[0]), Learner(positions, starting[1])


def export_value_table() -> Path:
    """Write the table of exact values that the rules and pages read; return its path."""
    path = _ARENA / RESOURCE
    solution = solve()
    path.write_bytes(write_values(solution.after.tolist(), solution.after_values.tolist()))
    return path


def export_learned(positions: Positions, learner: Learner) -> Path:
    """Write the learner's values to the table of the learned house bot; return the table's path."""
    path = Path(learned.__file__).with_suffix(".bin")
    path.write_bytes(pack_values(positions.codes.tolist(), learner.values.tolist()))
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    plan = Plan()
    parser = argparse.ArgumentParser(
        prog="python -m bots train fib2584", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=plan.games, help=f"games per learner (default: {plan.games})")
    parser.add_argument(
        "--optimistic",
        type=float,
        default=OPTIMISTIC,
        metavar="V",
        help=f"initial values of the second learner (default: {OPTIMISTIC:.0f})",
    )
    parser.add_argument("--reports", type=int, default=20, help="number of progress lines (default: 20)")
    parser.add_argument("--seed", type=int, default=plan.seed)
    parser.add_argument("--exact", action="store_true", help="write the table of exact values instead of learning")
    parser.add_argument(
        "--export-learned", action="store_true", help="write the optimistic learner's values for the house bot"
    )
    options = parser.parse_args(arguments)
    if options.exact:
        print(f"Wrote {export_value_table()}")
        return
    if not 1 <= options.reports <= options.games:
        parser.error("--reports must be at least 1, and --games at least as large as --reports")
    positions = number_positions()
    learners = create_learners(positions, Plan(games=options.games, seed=options.seed), options.optimistic)
    print(header_line())
    for line in progress_lines(learners, options.reports):
        print(line)
        sys.stdout.flush()
    if options.export_learned:
        print(f"Wrote {export_learned(positions, learners[1])}")
