"""A match of Suit Pairs between two decisions: its deals, who sits where, and what led here."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from arena.games.suit_pairs.cards import CARDS
from arena.games.suit_pairs.deal import Deal, Stage, deal_cards
from arena.games.suit_pairs.stages import legal_actions, play

SEATS: Final = 2
DEFAULT_DEALS: Final = 5
MOST_DEALS: Final = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """``deals``: orders of the deck, each played twice where ``mirrored`` is 1."""

    deals: int = DEFAULT_DEALS
    mirrored: int = 1

    @property
    def count(self) -> int:
        """Deals of a match."""
        return self.deals * 2 if self.mirrored else self.deals


@dataclass(frozen=True, slots=True)
class Decision:
    """One action of a seat.

    ``number``: of the deal, from 1. ``first``: the card that waited for this one. ``waits``: this card waits for
    another. ``passes``: the card ends the turn, because nothing pairs. ``forced``: the rules entered the only stage.
    """

    number: int
    seat: int
    stage: Stage
    action: int
    first: int | None
    waits: bool
    passes: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class State:
    """Between two decisions. ``number`` of the deal from 1; ``over``: points of the deals before, by seat.

    ``decisions``: those that led here since the last state, oldest first.
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
        """The seat that decides; None where the match is over."""
        return None if self.deal.player is None or self.out else self.seat_of(self.deal.player)

    def seat_of(self, player: int) -> int:
        """Who plays as player 0, who begins, or 1; the seats are exchanged in each second deal."""
        return player if self.number % 2 else 1 - player

    @property
    def deal_points(self) -> tuple[int, int]:
        """Of the running deal, by seat."""
        by_player = self.deal.points
        return by_player[self.seat_of(0)], by_player[self.seat_of(1)]  # exchanging twice changes nothing

    @property
    def points(self) -> tuple[int, int]:
        """Of all deals with the running one, by seat."""
        deals = (*self.over, self.deal_points)
        return sum(deal[0] for deal in deals), sum(deal[1] for deal in deals)


def begun(settings: Settings, seed: int) -> State:
    """The match before its first decision."""
    return entered(State(settings, seed, _dealt(settings, seed, 1)))


def _dealt(settings: Settings, seed: int, number: int) -> Deal:
    """The deal of this number, from 1; of mirrored ones, two in a row have the same order."""
    order = list(range(CARDS))
    shuffle = (number - 1) // 2 if settings.mirrored else number - 1
    random.Random(f"{seed}/{shuffle}").shuffle(order)  # noqa: S311 - a game
    return deal_cards(order)


def decided(state: State, action: int, *, forced: bool) -> State:
    """One decision, and the next deal where it ended this one."""
    deal, seat = state.deal, state.to_move
    assert seat is not None  # noqa: S101 - somebody decides
    played = play(deal, action)
    waits = played.pending is not None
    passes = deal.stage is Stage.PAIR and deal.pending is None and not waits
    decision = Decision(state.number, seat, deal.stage, action, deal.pending, waits, passes, forced)
    after = replace(state, deal=played, decisions=(*state.decisions, decision))
    if played.player is not None or after.number == after.settings.count:
        return after
    number = after.number + 1
    following = _dealt(after.settings, after.seed, number)
    return replace(after, over=(*after.over, after.deal_points), number=number, deal=following)


def entered(state: State) -> State:
    """The state after the only stage was entered that can be, if this is so."""
    legal = legal_actions(state.deal)
    if state.to_move is None or state.deal.stage is not Stage.INIT or legal & (legal - 1):
        return state
    return decided(state, legal.bit_length() - 1, forced=True)
