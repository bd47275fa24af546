"""The stages of a turn: one decision at a time, out of 58 actions.

``STAGES`` is the whole state machine. In INIT, the player chooses one of the available rows. The row's stage then asks
for its cards one by one, applies the row's effect with the last card, and continues with the row's next stage. Actions
0 to 51 are cards, 52 to 57 enter the stages in the order of ``DecisionStage``; 52 (INIT) is never legal.

Invariants: an unfinished deal has a legal action; at most one row of a stage is open, and it remains open while its
cards are chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from arena.games.suit_pairs import conditions as may
from arena.games.suit_pairs import deal as put
from arena.games.suit_pairs.cards import CARDS, cards_in
from arena.games.suit_pairs.deal import Deal, DecisionStage, end_turn, player_to_move


@dataclass(frozen=True, slots=True)
class StageRow:
    """A row of a stage.

    ``asks``: for each decision, a function that returns the set of cards to choose from. ``ends``: whether the row ends
    the turn; otherwise INIT follows.
    """

    stage: DecisionStage
    is_open: Callable[[Deal], bool]
    asks: tuple[Callable[[Deal], int], ...]
    does: Callable[[Deal, int], Deal]
    ends: bool = False


STAGES: Final = (
    # stage, open where, asks for, does
    StageRow(DecisionStage.SWAP, may.can_swap, (may.hand_cards,), put.swap),
    StageRow(DecisionStage.CAPTURE, may.can_capture, (may.hand_cards, may.other_hand_cards), put.capture),
    StageRow(DecisionStage.DISCARD_1, may.may_draw_first, (may.hand_cards,), put.discard),
    StageRow(DecisionStage.DISCARD_2, may.may_draw_again, (may.hand_cards,), put.discard),
    StageRow(DecisionStage.PAIR, may.can_pair, (may.pairable_hand_cards, may.table_partners), put.pair, ends=True),
    StageRow(DecisionStage.PAIR, may.must_pass, (may.hand_cards,), put.remove_from_play, ends=True),
)

ENTER: Final = CARDS  # ENTER + stage is the action that enters the stage
ACTIONS: Final = CARDS + len(DecisionStage)


def legal_actions(deal: Deal) -> int:
    """Return the set of legal actions as bits; 0 only if the deal is over."""
    if deal.player is None:
        return 0
    if deal.stage is DecisionStage.INIT:
        return sum(1 << ENTER + row.stage for row in STAGES if row.is_open(deal))
    legal_in_row = _open_row(deal).asks[0 if deal.pending is None else 1]
    return legal_in_row(deal)


def play(deal: Deal, action: int) -> Deal:
    """Return the deal after one decision; raises ValueError if it is illegal."""
    if action < 0 or not legal_actions(deal) >> action & 1:
        raise ValueError(f"action {action} is not legal here")
    if deal.stage is DecisionStage.INIT:
        return replace(deal, stage=DecisionStage(action - ENTER))
    row = _open_row(deal)
    if deal.pending is None and len(row.asks) > 1:
        return replace(deal, pending=action)
    done = row.does(deal, action)
    if row.ends or not done.hands[player_to_move(done)]:
        return end_turn(done)
    return replace(done, stage=DecisionStage.INIT, pending=None)


def _open_row(deal: Deal) -> StageRow:
    return next(row for row in STAGES if row.stage is deal.stage and row.is_open(deal))


def actions_in(actions: int) -> tuple[int, ...]:
    """Return the actions in a bit set, in ascending order."""
    return tuple(cards_in(actions))
