"""Rank all golden-point house bots by their results at random tables.

    python -m bots.golden_point.training.tables --tables 60 --seed 1

The bots at each table are drawn at random without replacement. The tables are played under the arena's rules in this
process; the bots are the arena's own, so they need no jail. The results contain, for every bot, the number of tables,
its mean rank and its mean score, both with 95 % confidence intervals. The same seed gives the same tables and rounds.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from arena.core.ranking.interval import mean_half_width
from arena.games.base import Outcome
from arena.games.registry import GAMES
from bots.cli.locate import house_bots
from bots.cli.table import format_table
from bots.golden_point.sdk.golden_state import GoldenState

GAME = "golden_point"

Mover = Callable[[GoldenState], Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of a comparison: the number of tables, of seats and rounds per table, and of numbers per seat."""

    tables: int = 60
    seats: int = 8
    rounds: int = 400
    numbers: int = 2


@dataclass(frozen=True, slots=True)
class BotResults:
    """A bot's rank (1 is best, ties share the better rank) and score at each of its tables."""

    name: str
    ranks: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def mean_rank(self) -> float:
        return fmean(self.ranks)


def compare_bots(
    plan: Plan, seed: int, names: Sequence[str] = (), on_table: Callable[[int], None] = lambda number: None
) -> list[BotResults]:
    """Return the results of all bots that played, best mean rank first.

    ``names``: the bots to compare; () for all. ``on_table`` is called after each table with its number.
    """
    chosen = list(names) or house_bots(GAME)
    drawing = random.Random(seed)  # noqa: S311 - a game
    outcomes: dict[str, list[tuple[int, float]]] = {name: [] for name in chosen}
    for number in range(plan.tables):
        seated = drawing.sample(chosen, plan.seats)
        random.seed(drawing.getrandbits(64))  # the module from which bots draw random numbers
        outcome = play_match(plan, [create_player(name) for name in seated])
        for seat, name in enumerate(seated):
            outcomes[name].append((outcome.ranks[seat], outcome.points[seat]))
        on_table(number + 1)
    results = [
        BotResults(name, tuple(rank for rank, _ in sat), tuple(score for _, score in sat))
        for name, sat in outcomes.items()
        if sat
    ]
    return sorted(results, key=lambda result: result.mean_rank)


def create_player(name: str) -> Mover:
    """Create a house bot's player, as the harness does for each match."""
    module = importlib.import_module(f"bots.{GAME}.house.{name}")
    mover: Mover = module.AIPlayer().get_move if hasattr(module, "AIPlayer") else module.get_move
    return mover


def play_match(plan: Plan, movers: Sequence[Mover]) -> Outcome:
    """Play one match under the rules. Raises IllegalMove if a bot breaks them."""
    game = GAMES[GAME]
    settings = game.settings({"numbers": plan.numbers, "rounds": plan.rounds})
    state = game.initial(settings, len(movers), random.Random(0))  # noqa: S311 - unused by the rules
    golden: list[float] = []
    history: list[list[tuple[float, ...] | None]] = []
    while (outcome := game.outcome(state)) is None:
        moves = {}
        for seat, mover in enumerate(movers):
            observed = GoldenState(
                players=len(movers),
                numbers=plan.numbers,
                round=len(golden) + 1,
                rounds=plan.rounds,
                golden=golden,
                history=history,
                seat=seat,
                score=state.scores[seat],
            )
            moves[seat] = game.parse(state, seat, mover(observed))
        state = game.apply(state, moves)
        golden.append(state.score.golden)
        history.append(list(state.numbers))
    return outcome


def format_results(results: Sequence[BotResults]) -> Iterator[str]:
    """Yield the results, formatted as one table."""
    head = ("bot", "tables", "mean rank", "95 %", "first", "mean score", "95 %")
    yield format_table(head, [tuple(_cells(result)) for result in results])


def _cells(result: BotResults) -> Iterator[str]:
    yield result.name
    yield str(len(result.ranks))
    yield f"{result.mean_rank:.2f}"
    yield _width(result.ranks, 2)
    yield str(result.ranks.count(1))
    yield f"{fmean(result.scores):.0f}"
    yield _width(result.scores, 0)


def _width(values: Sequence[float], places: int) -> str:
    half = mean_half_width(values)
    return "" if half is None else f"+- {half:.{places}f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bots.golden_point.training.tables", description="Rank the golden-point house bots."
    )
    plan = Plan()
    parser.add_argument(
        "bots", nargs="*", metavar="BOT", help=f"house bots (default: all): {', '.join(house_bots(GAME))}"
    )
    parser.add_argument("--tables", type=int, default=plan.tables)
    parser.add_argument("--seats", type=int, default=plan.seats)
    parser.add_argument("--rounds", type=int, default=plan.rounds)
    parser.add_argument("--numbers", type=int, default=plan.numbers, choices=(1, 2))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    known = house_bots(GAME)
    if unknown := set(options.bots) - set(known):
        parser.error(f"there is no house bot {sorted(unknown)[0]}; choose from {', '.join(known)}")
    if not 2 <= options.seats <= len(options.bots or known):
        parser.error("--seats must be at least 2 and at most the number of bots")
    plan = Plan(options.tables, options.seats, options.rounds, options.numbers)

    def progress(number: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{number} of {plan.tables} tables", end="" if number < plan.tables else "\n", file=sys.stderr)

    print(*format_results(compare_bots(plan, options.seed, options.bots, progress)), sep="\n")


if __name__ == "__main__":
    main()
