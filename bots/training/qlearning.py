"""Show Q-learning in the two-state world, step by step, with the Q-table as it grows.

    python -m bots.training.qlearning --steps 20
    python -m bots.training.qlearning --episodes 50 --steps 40

The world and the learner are the same as on the page /learn/, and so are the steps unless a seed or a rate is given.
Each episode begins in state A and keeps the values learned so far. With several episodes, only the Q-table at the end
of each episode is shown.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import islice

from arena.core.learning.q_learning import (
    NOTHING_KNOWN,
    WORKED_SEED,
    Lesson,
    Rates,
    Values,
    episode,
    format_value,
    true_values,
)
from arena.core.learning.two_states import RULES
from bots.cli.table import format_table

_CHOICES = tuple(RULES)
_NAMES = tuple(f"Q({state}, {action})" for state, action in _CHOICES)


def run_episodes(count: int, steps: int, seed: int, rates: Rates) -> Iterator[list[Lesson]]:
    """Yield each episode's learning steps; every episode starts with the values learned in the previous one."""
    rng = random.Random(seed)  # noqa: S311 - a game
    values = NOTHING_KNOWN
    for _ in range(count):
        taught = list(islice(episode(rng, rates, values), steps))
        values = taught[-1].values
        yield taught


def format_steps(taught: list[Lesson]) -> str:
    """Format every step of an episode: the move, the calculation, and all values after the step."""
    head = ("step", "state", "action", "points", "then", "the value of the choice", *_NAMES)
    return format_table(head, [_format_step(lesson) for lesson in taught])


def _format_step(lesson: Lesson) -> tuple[str, ...]:
    move = lesson.move
    action = f"{move.action}{' (tried)' if lesson.explored else ''}"
    values = (format_value(lesson.values[choice]) for choice in _CHOICES)
    return (str(lesson.number), move.state, action, f"{move.reward:+d}", move.after, lesson.calculation, *values)


def format_episodes(all_taught: list[list[Lesson]]) -> str:
    """Format each episode's final values and points."""
    head = ("episode", "points", *_NAMES)
    rows = []
    for number, taught in enumerate(all_taught, start=1):
        points = sum(lesson.move.reward for lesson in taught)
        rows.append((str(number), str(points), *_format_values(taught[-1].values)))
    return format_table(head, rows)


def _format_values(values: Values) -> tuple[str, ...]:
    return tuple(format_value(values[choice]) for choice in _CHOICES)


def main() -> None:
    usual = Rates()
    parser = argparse.ArgumentParser(
        prog="python -m bots.training.qlearning", description="Demonstrate Q-learning in a two-state world."
    )
    parser.add_argument("--episodes", type=_parse_count, default=1)
    parser.add_argument("--steps", type=_parse_count, default=20, help="steps per episode")
    parser.add_argument("--seed", type=int, default=WORKED_SEED)
    parser.add_argument("--learning-rate", type=_parse_share, default=usual.learning)
    parser.add_argument("--discount", type=_parse_share, default=usual.discount)
    parser.add_argument("--exploring", type=_parse_share, default=usual.exploration, help="exploration rate (epsilon)")
    options = parser.parse_args()
    rates = Rates(options.learning_rate, options.discount, options.exploring)
    taught = list(run_episodes(options.episodes, options.steps, options.seed, rates))
    print(format_steps(taught[0]) if len(taught) == 1 else format_episodes(taught))
    if rates.discount < 1:
        truth = zip(_NAMES, _format_values(true_values(rates.discount)), strict=True)
        print("In the limit:", ", ".join(f"{name} = {value}" for name, value in truth))


def _parse_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, not {text}")
    return int(text)


def _parse_share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, not {text}")
    return value


if __name__ == "__main__":
    main()
