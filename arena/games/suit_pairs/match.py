"""The state of a Suit Pairs match between two decisions: its deals, seating and most recent decisions."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from arena.games.suit_pairs.cards import CARDS
from arena.games.suit_pairs.deal import Deal, DecisionStage, deal_cards
from arena.games.suit_pairs.stages import legal_actions, play

SEATS: Final = 2
DEFAULT_DEALS: Final = 5
MAX_DEALS: Final = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """The match settings. ``deals``: number of deck orders, each of which is played twice if ``mirrored`` is 1."""

    deals: int = DEFAULT_DEALS
    mirrored: int = 1

    @property
    def deal_count(self) -> int:
        """Return the number of deals in a match."""
        return self.deals * 2 if self.mirrored else self.deals


@dataclass(frozen=True, slots=True)
class Decision:
    """One action of a seat.

    ``number``: number of the deal, counted from 1. ``first``: the pending card that this action pairs. ``waits``:
    whether its card becomes pending. ``passes``: whether its card ends the turn because no pair is possible.
    ``forced``: whether the rules made the choice because only one stage was available.
    """

    number: int
    seat: int
    stage: DecisionStage
    action: int
    first: int | None
    waits: bool
    passes: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class State:
    """The state between two decisions.

    ``number``: number of the deal, counted from 1; ``over``: points in earlier deals, by seat.

    ``decisions``: the decisions since the previous state, oldest first.
    """

    settings: Settings
    seed: int
    deal: Deal
    number: int = 1
    over: tuple[tuple[int, int], ...] = ()
    decisions: tuple[Decision, ...] = ()
    out: frozenset[int] = frozenset()

    @property
    def to_move(self) -> int | None:
        """Return the seat to move; None if the match is over."""
        return None if self.deal.player is None or self.out else self.seat_of(self.deal.player)

    def seat_of(self, player: int) -> int:
        """Return the seat of a player, 0 or 1, in this deal. Player 0 begins; seats are swapped in every other deal."""
        return player if self.number % 2 else 1 - player

    @property
    def deal_points(self) -> tuple[int, int]:
        """Return the points of the current deal, by seat."""
        by_player = self.deal.points
        return by_player[self.seat_of(0)], by_player[self.seat_of(1)]  # swapping twice changes nothing

    @property
    def points(self) -> tuple[int, int]:
        """Return the points in all deals including the current one, by seat."""
        deals = (*self.over, self.deal_points)
        return sum(deal[0] for deal in deals), sum(deal[1] for deal in deals)


def initial_state(settings: Settings, seed: int) -> State:
    """Return the state of a match before its first decision."""
    return enter_only_stage(State(settings, seed, _deal_number(settings, seed, 1)))


def _deal_number(settings: Settings, seed: int, number: int) -> Deal:
    """Return the deal with this number (counted from 1); mirrored deals come in pairs with the same deck order."""
    order = list(range(CARDS))
    shuffle = (number - 1) // 2 if settings.mirrored else number - 1
    random.Random(f"{seed}/{shuffle}").shuffle(order)  # noqa: S311 - a game
    return deal_cards(order)


def apply_decision(state: State, action: int, *, forced: bool) -> State:
    """Apply one decision, and start the next deal if it ended the current one. ``forced``: see ``Decision``."""
    deal, seat = state.deal, state.to_move
    assert seat is not None  # noqa: S101 - somebody decides
    played = play(deal, action)
    waits = played.pending is not None
    passes = deal.stage is DecisionStage.PAIR and deal.pending is None and not waits
    decision = Decision(state.number, seat, deal.stage, action, deal.pending, waits, passes, forced)
    after = replace(state, deal=played, decisions=(*state.decisions, decision))
    if played.player is not None or after.number == after.settings.deal_count:
        return after
    number = after.number + 1
    following = _deal_number(after.settings, after.seed, number)
    return replace(after, over=(*after.over, after.deal_points), number=number, deal=following)


def enter_only_stage(state: State) -> State:
    """Enter the available stage, if there is only one."""
    legal = legal_actions(state.deal)
    if state.to_move is None or state.deal.stage is not DecisionStage.INIT or legal & (legal - 1):
        return state
    return apply_decision(state, legal.bit_length() - 1, forced=True)
