"""Everything that explains a game, as one value: what pages show and what is kept of a long computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.games.golden_point.evaluation.disturbers import Disturbance, disturbances
from arena.games.golden_point.evaluation.game import PlayedGame
from arena.games.golden_point.evaluation.regret import SingleNumber, best_single_numbers
from arena.games.golden_point.evaluation.rules import Known
from arena.games.golden_point.evaluation.strategies import Strategy, strategies

Progress = Callable[[int], None]  # told how many players are done


@dataclass(frozen=True, slots=True)
class Report:
    """``strategies`` (one a number) and ``singles`` are by player; ``disturbances`` in order."""

    game: PlayedGame
    strategies: tuple[tuple[Strategy, ...], ...]
    singles: tuple[SingleNumber | None, ...]
    disturbances: tuple[Disturbance, ...]


def explain(game: PlayedGame, progress: Progress = lambda done: None) -> Report:
    """Work through a game; some thirty microseconds for every player and round."""
    known = Known.of(game)
    found = []
    for player in range(len(game.players)):
        progress(player)
        found.append(strategies(game, known, player))
    return Report(game, tuple(found), tuple(best_single_numbers(game)), tuple(disturbances(game)))
