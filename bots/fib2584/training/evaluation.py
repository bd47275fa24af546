"""Measure the 2584 house bots: raw and luck-adjusted scores over many matches, and their variance.

Each bot plays the same matches alone, under the arena's rules; with the same seed, a seat always gets the same random
draws. The variance of the scores determines how many matches are needed to distinguish two bots.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Any

from arena.core.ranking.interval import mean_half_width
from arena.games.fib2584.board import TILES, legal_directions, unpack
from arena.games.fib2584.rules import GAME, State, adjusted_score
from bots.cli.locate import house_bots
from bots.cli.table import format_table
from bots.fib2584.sdk.state import State as Observation

Mover = Callable[[Observation], Any]


@dataclass(frozen=True, slots=True)
class Result:
    """A bot's mean scores per game, one value for each match."""

    name: str
    raw: tuple[float, ...]
    adjusted: tuple[float, ...]


def create_player(name: str) -> Mover:
    """Create a house bot's player, as the harness does for each match."""
    module = importlib.import_module(f"bots.{GAME.name}.house.{name}")
    mover: Mover = module.AIPlayer().get_move if hasattr(module, "AIPlayer") else module.get_move
    return mover


def play_match(mover: Mover, games: int, seed: int) -> State:
    """Play one match with one seat and return its final state. Raises IllegalMove if the bot breaks the rules."""
    state = GAME.initial(GAME.settings({"games": games}), 1, random.Random(seed))  # noqa: S311 - a game
    while state.to_move:
        state = GAME.apply(state, {0: GAME.parse(state, 0, mover(_observation(state)))})
    return state


def _observation(state: State) -> Observation:
    board = state.boards[0]
    indices = unpack(board.tiles)
    return Observation(
        board=[TILES[index] for index in indices],
        indices=list(indices),
        legal=list(legal_directions(board.tiles)),
        score=board.score,
        game=state.game,
        games=state.settings.games,
        turn=state.turn + 1,
    )


def measure_bot(name: str, matches: int, games: int, seed: int) -> Result:
    """Play ``matches`` matches of ``games`` games each; return the bot's scores. The same seed gives the same tiles."""
    mover = create_player(name)
    random.seed(seed)  # the module from which bots draw random numbers
    ends = [play_match(mover, games, seed + number).boards[0] for number in range(matches)]
    raw = tuple(board.total / games for board in ends)
    return Result(name, raw, tuple(adjusted_score(board, games) for board in ends))


def format_results(results: Sequence[Result]) -> Iterator[str]:
    """Yield the results, formatted as one table."""
    head = ("bot", "matches", "raw mean", "95 %", "variance", "luck-adjusted mean", "95 %", "variance", "ratio")
    yield format_table(head, [tuple(_cells(result)) for result in results])


def _cells(result: Result) -> Iterator[str]:
    yield result.name
    yield str(len(result.raw))
    for values in (result.raw, result.adjusted):
        half = mean_half_width(values)
        yield f"{fmean(values):.1f}"
        yield "" if half is None else f"+- {half:.1f}"
        yield f"{pvariance(values):.0f}"
    yield f"{pvariance(result.adjusted) / max(pvariance(result.raw), 1e-9):.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    known = house_bots(GAME.name)
    parser = argparse.ArgumentParser(
        prog=f"python -m bots evaluate {GAME.name}", description="Measure the scores of the house bots."
    )
    parser.add_argument("bots", nargs="*", metavar="BOT", help=f"house bots (default: all): {', '.join(known)}")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--games", type=int, default=20, help="games per match (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if unknown := set(options.bots) - set(known):
        parser.error(f"there is no house bot {sorted(unknown)[0]}; choose from {', '.join(known)}")
    if options.matches < 1 or not 1 <= options.games <= 100:
        parser.error("--matches must be at least 1, and --games from 1 to 100")
    results = []
    for name in options.bots or known:
        if sys.stderr.isatty():
            print(f"{name} ...", file=sys.stderr)
        results.append(measure_bot(name, options.matches, options.games, options.seed))
    print(*format_results(results), sep="\n")
