"""Describe where a losing seat lost the most: a kind of number, a round, and a number that would have won."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Message
from arena.games.golden_point import verdict_messages as messages
from arena.games.golden_point.evaluation.best_reply import BestReplies
from arena.games.golden_point.evaluation.mistakes import CostliestMistakes, MistakeKind
from arena.games.golden_point.rules import Numbers, is_valid

_TEMPLATES: Final = {
    MistakeKind.TOO_HIGH: messages.TOO_HIGH,
    MistakeKind.TOO_LOW: messages.TOO_LOW,
    MistakeKind.FARTHEST: messages.FARTHEST,
}
_DIGITS: Final = range(3, 18)  # significant digits; 17 identify every double


def loss_message(found: CostliestMistakes, name: str) -> Message:
    """Return the message about the costliest mistakes of the player with this name."""
    change = _change_message(found.numbers, found.replies)
    if found.count == 1:
        return messages.COSTLIEST_ROUND(name=name, round=found.example, points=found.points, change=change)
    return _TEMPLATES[found.kind](
        name=name,
        points=found.points,
        count=found.count,
        rounds=found.rounds,
        round=found.example,
        change=change,
    )


def _change_message(numbers: Numbers, replies: BestReplies) -> Message:
    *played, best = _shown_numbers(numbers, replies)
    if len(played) == 1:
        return messages.INSTEAD_OF_ONE(best=best, one=played[0])
    return messages.INSTEAD_OF_PAIR(best=best, one=played[0], other=played[1])


def _shown_numbers(numbers: Numbers, replies: BestReplies) -> list[str]:
    """Format the numbers and the best reply.

    Uses the fewest digits at which the reply still wins and still differs from the numbers.
    """
    shown: list[str] = []
    for digits in _DIGITS:
        shown = [f"{number:.{digits}g}" for number in (*numbers, replies.best)]
        *played, best = map(float, shown)
        if replies.low <= best <= replies.high and set(played) != {best} and all(map(is_valid, played)):
            break
    return shown
