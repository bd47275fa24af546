"""Find the kind of number that cost a player the most, and the round that shows it best.

The regret of a round (see ``regret``) has two parts: the N points that the player did not win, because its nearest
number was above or below the golden number, and the 2 points that it lost with the farthest number. Summed over all
rounds, the parts add up to the player's regret.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from arena.games.golden_point.evaluation.best_reply import BestReplies, best_replies
from arena.games.golden_point.evaluation.golden_match import GoldenMatch, GoldenRound
from arena.games.golden_point.rules import FARTHEST_LOSES, Numbers


class MistakeKind(StrEnum):
    """A kind of number that costs points. If several cost the same, the one listed first counts."""

    TOO_HIGH = "too_high"  # the nearest number was above the golden number
    TOO_LOW = "too_low"  # the nearest number was below the golden number
    FARTHEST = "farthest"  # a number was farthest from the golden number


@dataclass(frozen=True, slots=True)
class CostliestMistakes:
    """The kind of number that cost a player the most.

    ``points``: the total cost of the ``count`` mistakes of this kind; ``rounds``: the number of rounds in which the
    player had opponents; ``example``: the number of the round that shows the mistake best; ``numbers`` and ``replies``:
    the player's numbers and best replies in that round.
    """

    kind: MistakeKind
    points: int
    count: int
    rounds: int
    example: int
    numbers: Numbers
    replies: BestReplies


class _Mistake(NamedTuple):  # a tuple, because a long match has 100,000 of them
    """A mistake in the round at index ``at``. ``error``: relative distance of the number from the golden number."""

    kind: MistakeKind
    points: int
    at: int
    error: float


def costliest_mistakes(match: GoldenMatch, players: Iterable[int]) -> dict[int, CostliestMistakes]:
    """Map each of these players to their costliest mistakes; omit players who could not have gained more."""
    counts = [each.player_count for each in match.rounds]  # once, because each count is linear in the number of players
    found = {player: _costliest_mistakes(match, counts, player) for player in players}
    return {player: mistakes for player, mistakes in found.items() if mistakes is not None}


def _costliest_mistakes(match: GoldenMatch, counts: Sequence[int], player: int) -> CostliestMistakes | None:
    contested = [at for at, each in enumerate(match.rounds) if each.numbers[player] is not None and counts[at] > 1]
    mistakes = [one for at in contested for one in _mistakes_in(match.rounds[at], counts[at], at, player)]
    if not mistakes:
        return None
    costs = {kind: sum(one.points for one in mistakes if one.kind is kind) for kind in MistakeKind}
    kind = max(costs, key=costs.__getitem__)
    found = [one for one in mistakes if one.kind is kind]
    # In the first round, nobody knows anything yet, so it is an example only if there is no other.
    example = match.rounds[max(found, key=lambda one: (one.at > 0, one.points, one.error)).at]
    numbers, replies = example.numbers[player], best_replies(example, player)
    if numbers is None or replies is None:
        raise AssertionError("the player had opponents in this round")
    return CostliestMistakes(kind, costs[kind], len(found), len(contested), example.number, numbers, replies)


def _mistakes_in(each: GoldenRound, count: int, at: int, player: int) -> list[_Mistake]:
    score = each.score
    own, golden = each.numbers[player] or (), score.golden
    found = []
    if player not in score.nearest:
        error = min([number - golden for number in own], key=abs)
        kind = MistakeKind.TOO_HIGH if error > 0 else MistakeKind.TOO_LOW
        found.append(_Mistake(kind, count, at, _relative(abs(error), golden)))
    if player in score.farthest:
        farthest = max([abs(number - golden) for number in own])
        found.append(_Mistake(MistakeKind.FARTHEST, FARTHEST_LOSES, at, _relative(farthest, golden)))
    return found


def _relative(distance: float, golden: float) -> float:
    return distance / golden if golden else math.inf  # the mean of the smallest doubles rounds to 0
