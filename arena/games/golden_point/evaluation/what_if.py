"""Recompute a round with different numbers for one player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import MAX_NUMBERS, Numbers, RoundScore, is_valid, score_round


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round with its actual and its alternative numbers. ``totals``: the alternative final scores."""

    before: RoundScore
    after: RoundScore
    totals: tuple[int, ...]


def what_if(match: GoldenMatch, at: int, player: int, numbers: Numbers) -> WhatIf:
    """Recompute the round at index ``at`` with one or two different numbers for one player.

    All other rounds stay the same. Raises ValueError for invalid numbers.
    """
    if not 1 <= len(numbers) <= MAX_NUMBERS or not all(map(is_valid, numbers)):
        raise ValueError("Enter one or two numbers, each greater than 0 and less than 100.")
    each = match.rounds[at]
    named = list(each.numbers)
    named[player] = numbers
    after = score_round(named)
    return WhatIf(each.score, after, tuple(_adjusted_totals(match.totals(), each.score, after)))


def _adjusted_totals(totals: Sequence[int], before: RoundScore, after: RoundScore) -> list[int]:
    return [total - old + new for total, old, new in zip(totals, before.gains, after.gains, strict=True)]
