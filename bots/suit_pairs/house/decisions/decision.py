"""Choose the best decision, given the values of cards taken and the costs of cards given away."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

Taken = Callable[..., float]  # value of cards that go to the player's pile together
Cost = Callable[[Any], float]  # cost of a card that leaves the hand without gain


def choose_action(state: Any, taken: Taken, cost: Cost) -> Any:
    """Return the best action from ``state.legal``; the first one if several are equally good."""
    if state.stage == "init":
        return max(state.legal, key=lambda action: _stage_value(state, action.stage, taken, cost))
    if state.stage == "pair" and not any(state.partners(card) for card in state.hand):
        return min(state.legal, key=lambda action: cost(action.card))
    if state.stage == "pair":
        return max(state.legal, key=lambda action: _pair_value(state, action.card, taken))
    if state.stage == "capture":
        return max(state.legal, key=lambda action: _capture_value(state, action.card, taken))
    return min(state.legal, key=lambda action: cost(action.card))


def _stage_value(state: Any, stage: str, taken: Taken, cost: Cost) -> float:
    """Return the value of a stage; a stage that only gives cards away is worth less than a stage that takes some."""
    if stage == "capture":
        return max(taken(*cards) for cards in combinations(state.hand, 2))
    pairs = [taken(card, other) for card in state.hand for other in state.partners(card)]
    if stage == "pair" and pairs:
        return max(pairs)
    # If nothing pairs, a swap brings a new card and keeps the old one within reach. If something pairs, the swap can
    # wait.
    cheapest = min(cost(card) for card in state.hand)
    return -cheapest - 100.0 * bool(pairs) - 1.0 * (stage != "swap")


def _pair_value(state: Any, card: Any, taken: Taken) -> float:
    if state.pending is not None:
        return taken(state.pending, card)
    return max(taken(card, other) for other in state.partners(card))


def _capture_value(state: Any, card: Any, taken: Taken) -> float:
    if state.pending is not None:
        return taken(state.pending, card)
    return max(taken(card, other) for other in state.hand if other != card)
