"""Matches to analyse: small handwritten ones, random ones, and the recorded match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.recorded_file import read
from arena.games.golden_point.rules import Numbers

RECORDED = (
    Path(__file__).parents[4]
    / "arena"
    / "games"
    / "golden_point"
    / "recordings"
    / "examples"
    / "golden_recorded_400x23.tsv"
)


def match_of(*rounds: Sequence[Numbers | None]) -> GoldenMatch:
    """Build a match from the numbers of players A, B, C, ... in rounds 1, 2, 3, ..."""
    players = [chr(ord("A") + place) for place in range(len(rounds[0]))]
    return GoldenMatch.from_rounds(players, list(enumerate(rounds, start=1)))


def random_match(rng: random.Random, players: int, rounds: int, numbers: int) -> GoldenMatch:
    """Build a match with ``numbers`` numbers per player and round, including absent players and repeated numbers."""
    usual = [rng.uniform(1, 40) for _ in range(4)]

    def number() -> float:
        return rng.choice([rng.uniform(0.01, 99.9), rng.choice(usual), rng.uniform(5, 20)])

    return match_of(
        *(
            [
                None if rng.random() < 0.1 and seat else tuple(number() for _ in range(numbers))
                for seat in range(players)
            ]
            for _ in range(rounds)
        )
    )


def recorded_match() -> GoldenMatch:
    return read(RECORDED.read_text())
