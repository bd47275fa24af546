"""Adapter for Suit Pairs: bots get a ``State`` for each decision; every request contains it in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.sdk import answers
from bots.sdk.adapter import WholeStateAdapter
from bots.suit_pairs.sdk.cards import ACTIONS, CARDS, Card
from bots.suit_pairs.sdk.state import State


class SuitPairsAdapter(WholeStateAdapter):
    """The adapter for ``get_move(state)``, which returns an action, its number, or the name of a card or stage."""

    def state(self) -> State:
        own, shared, me = self._own, self._shared, self._seat
        other = 1 - me
        pending = own["pending"]
        return State(
            seat=me,
            deal=shared["deal"],
            deals=shared["deals"],
            begins=shared["begins"] == me,
            turn=shared["turn"],
            stage=shared["stage"],
            hand=_cards(own["hand"]),
            table=_cards(shared["table"]),
            pile=_cards(shared["piles"][me]),
            opponent_pile=_cards(shared["piles"][other]),
            discards=_cards(shared["discards"]),
            pending=None if pending is None else CARDS[pending],
            discarded=shared["discarded"],
            deck=shared["deck"],
            opponent_hand=shared["hand_sizes"][other],
            can_swap=not shared["swapped"][me],
            can_capture=not shared["captured"][me],
            opponent_can_swap=not shared["swapped"][other],
            opponent_can_capture=not shared["captured"][other],
            points=shared["points"][me],
            opponent_points=shared["points"][other],
            score=sum(deal[me] for deal in shared["over"]),
            opponent_score=sum(deal[other] for deal in shared["over"]),
            legal=[ACTIONS[number] for number in own["legal"]],
        )

    def answer(self, value: Any) -> Any:
        return answers.to_json_values(value)


def _cards(numbers: Iterable[int]) -> list[Card]:
    return [CARDS[number] for number in numbers]
