"""Find the best, the lowest and the most different scores of a score attack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeedScore:
    """An entry's score in a match without opponents; scores in the same round, on the same seed, are comparable."""

    match: int
    entry: int
    round: int
    score: float


def best_score(scores: Iterable[SeedScore], entry: int) -> SeedScore | None:
    """Return an entry's highest score, None if it has none; ties go to the earlier round."""
    return min((one for one in scores if one.entry == entry), key=lambda one: (-one.score, one.round), default=None)


def lowest_scores(scores: Iterable[SeedScore]) -> list[SeedScore]:
    """Return the lowest score of each entry."""
    found: dict[int, SeedScore] = {}
    for one in scores:
        known = found.get(one.entry)
        if known is None or (one.score, one.round) < (known.score, known.round):
            found[one.entry] = one
    return list(found.values())


def most_different_scores(scores: Iterable[SeedScore]) -> tuple[SeedScore, SeedScore] | None:
    """Return the highest and the lowest score in the round in which they differ most; None if they never differ."""
    rounds: dict[int, list[SeedScore]] = {}
    for one in scores:
        rounds.setdefault(one.round, []).append(one)
    ends = [
        (max(own, key=lambda one: (one.score, -one.entry)), min(own, key=lambda one: (one.score, one.entry)))
        for own in rounds.values()
    ]
    high, low = max(ends, key=lambda pair: (pair[0].score - pair[1].score, -pair[0].round), default=(None, None))
    return (high, low) if high is not None and low is not None and high.score > low.score else None
