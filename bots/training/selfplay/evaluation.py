"""Measure levels in mirrored pairs of games: each level plays the game's opponents and the level below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.core.ranking.interval import wilson_interval
from bots.training.selfplay.environment import Learnable
from bots.training.selfplay.mirrored_pairs import PairScore, compile_pair_play, fixed_policy_player, network_player
from bots.training.selfplay.network import Parameters


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One row of the table of results.

    ``rate`` is the score in mirrored pairs (a draw counts half), with its 95 % confidence interval.
    """

    player: str
    opponent: str
    pairs: int
    rate: float
    low: float
    high: float


def evaluate_levels(
    game: Learnable, levels: Mapping[str, Parameters], pairs: int, seed: int
) -> Iterator[EvaluationRow]:
    """Yield each row as soon as its games are finished; ``levels`` are keyed by name, weakest first."""
    environment = game.load_environment()
    network = network_player(environment)
    opponents = {
        name: compile_pair_play(environment, network, fixed_policy_player(one))
        for name, one in game.load_opponents().items()
    }
    against_level = compile_pair_play(environment, network, network)
    below: tuple[str, Parameters] | None = None
    for name, parameters in levels.items():
        for opponent, play in opponents.items():
            yield _evaluate(name, opponent, play(parameters, None, pairs, seed))
        if below is not None:
            yield _evaluate(name, below[0], against_level(parameters, below[1], pairs, seed))
        below = name, parameters


def _evaluate(player: str, opponent: str, score: PairScore) -> EvaluationRow:
    low, high = wilson_interval(score.pairs, score.count)
    return EvaluationRow(player, opponent, score.count, score.pair_rate, low, high)
