"""Two deals that a viewer cannot tell apart: the same decisions of a random match, with different hidden cards.

A card that is hidden at the end of a match has been hidden throughout, because hands are dealt from the deck face down.
These cards can therefore be exchanged from the start, as long as the rules still allow the same decisions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.games.base import Audience, Viewer
from arena.games.suit_pairs.cards import CARDS, card_suit, cards_in
from arena.games.suit_pairs.deal import deal_cards
from arena.games.suit_pairs.match import Settings, State, enter_only_stage
from arena.games.suit_pairs.rules import GAME
from arena.games.suit_pairs.stages import actions_in, legal_actions

TRIES = 20


@dataclass(frozen=True)
class RandomMatch:
    """One match: its deck order, its actions, and the states before, between and after them."""

    order: tuple[int, ...]
    actions: tuple[int, ...]
    states: tuple[State, ...]


@dataclass(frozen=True)
class IndistinguishableMatches:
    """Two matches that look the same to ``viewer``."""

    viewer: Viewer
    one: RandomMatch
    other: RandomMatch


def initial_state(order: Sequence[int]) -> State:
    """Return the initial state of a single-deal match with this deck order."""
    return enter_only_stage(State(Settings(deals=1, mirrored=0), 1, deal_cards(order)))


def find_indistinguishable_matches(seed: int, viewer: Viewer, decisions: int) -> IndistinguishableMatches | None:
    """Return a random match of at most ``decisions`` decisions, and the same match with some hidden cards exchanged.

    Return None if no exchange is possible.
    """
    rng = random.Random(seed)
    order = list(range(CARDS))
    rng.shuffle(order)
    one = _play_at_random(tuple(order), decisions, rng)
    hidden = _hidden_cards(one.states[-1], viewer)
    for exchange in _card_permutations(hidden, rng):
        actions = tuple(exchange.get(action, action) for action in one.actions)
        other = _replay_with_deck(tuple(exchange.get(card, card) for card in order), actions, one)
        if other is not None and other.states[-1].deal.hands != one.states[-1].deal.hands:
            return IndistinguishableMatches(viewer, one, other)
    return None


def _play_at_random(order: tuple[int, ...], decisions: int, rng: random.Random) -> RandomMatch:
    states = [initial_state(order)]
    actions: list[int] = []
    while len(actions) < decisions and (seat := states[-1].to_move) is not None:
        actions.append(rng.choice(actions_in(legal_actions(states[-1].deal))))
        after = GAME.apply(states[-1], {seat: actions[-1]})
        if after.to_move is None:  # nothing is hidden after the end
            actions.pop()
            break
        states.append(after)
    return RandomMatch(order, tuple(actions), tuple(states))


def _hidden_cards(state: State, viewer: Viewer) -> list[int]:
    hands = [
        state.deal.hands[player] for player in (0, 1) if viewer is Audience.PUBLIC or state.seat_of(player) != viewer
    ]
    return [*(card for hand in hands for card in cards_in(hand)), *state.deal.deck[state.deal.drawn :]]


def _card_permutations(hidden: list[int], rng: random.Random) -> Iterator[dict[int, int]]:
    """Yield random permutations of the hidden cards, then permutations within each suit, which preserve pairs."""
    for _ in range(TRIES):
        yield dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    for _ in range(TRIES):
        suits = [[card for card in hidden if card_suit(card) == suit] for suit in range(4)]
        yield {card: other for cards in suits for card, other in zip(cards, rng.sample(cards, len(cards)), strict=True)}


def _replay_with_deck(order: tuple[int, ...], actions: tuple[int, ...], one: RandomMatch) -> RandomMatch | None:
    """Replay ``actions`` with another deck order.

    Return None if the rules reject an action or if everybody would see a difference from ``one``.
    """
    if order == one.order:
        return None
    states = [initial_state(order)]
    for action, expected in zip((*actions, None), one.states, strict=True):
        state = states[-1]
        if _public_part(state) != _public_part(expected):
            return None
        if action is None:
            return RandomMatch(order, actions, tuple(states))
        if state.to_move is None or not legal_actions(state.deal) >> action & 1:
            return None
        states.append(GAME.apply(state, {state.to_move: action}))
    raise AssertionError


def _public_part(state: State) -> tuple[object, ...]:
    """Return the public part of the state, read from the deal itself instead of the sent view."""
    deal = state.deal
    return deal.table, deal.piles, deal.discards, deal.stage, deal.player, deal.drawn, deal.swapped, deal.captured
