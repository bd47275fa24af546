"""Recompute a round with other numbers of one player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.golden_point.evaluation.game import PlayedGame
from arena.games.golden_point.rules import Numbers, RoundScore, score_round


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round as it was and as it would have been; ``totals`` are everybody's scores at the end of the game then."""

    before: RoundScore
    after: RoundScore
    totals: tuple[int, ...]


def what_if(game: PlayedGame, at: int, player: int, numbers: Numbers) -> WhatIf:
    """The round at index ``at`` with other numbers of one player, one or two; all other rounds stay what they were.

    Raises ValueError for numbers that may not be named.
    """
    if not 1 <= len(numbers) <= 2 or not all(0 < x < 100 for x in numbers):
        raise ValueError("One number or two are expected, each greater than 0 and less than 100.")
    each = game.rounds[at]
    named = list(each.numbers)
    named[player] = numbers
    after = score_round(named)
    return WhatIf(each.score, after, tuple(_moved(game.totals(), each.score, after)))


def _moved(totals: Sequence[int], before: RoundScore, after: RoundScore) -> list[int]:
    return [total - old + new for total, old, new in zip(totals, before.gains, after.gains, strict=True)]
