"""Suit Pairs bots receive readable fields, the vector and the mask; the house bots always answer legally."""

from __future__ import annotations

import importlib
import random

import pytest

from arena.games.suit_pairs.cards import NAMES, cards_in, completing_cards
from arena.games.suit_pairs.match import State as MatchState
from arena.games.suit_pairs.rules import ACTION_NAMES, GAME
from arena.games.suit_pairs.stages import legal_actions
from bots.suit_pairs.sdk.adapter import SuitPairsAdapter
from bots.suit_pairs.sdk.cards import ACTIONS, CARDS, pile_points
from bots.suit_pairs.sdk.state import State
from bots.suit_pairs.terminal import draw

PLANES = 7


def received_state(state: MatchState) -> State:
    """Return the state that the seat to move receives."""
    assert state.to_move is not None
    adapter = SuitPairsAdapter({"seat": state.to_move})
    adapter.begin(GAME.own(state, state.to_move))
    adapter.observe(GAME.own(state, state.to_move), GAME.shared(state))
    return adapter.state()


def states(seed: int, deals: int = 1) -> list[MatchState]:
    """Return the states of a whole match of random actions."""
    rng = random.Random(seed)
    state = GAME.initial(GAME.settings({"deals": deals}), 2, random.Random(seed))
    found = [state]
    while state.to_move is not None:
        state = GAME.apply(state, {state.to_move: int(rng.choice(received_state(state).legal))})
        found.append(state)
    return found


def test_cards_and_actions_are_named_as_in_the_rules() -> None:
    assert [card.name for card in CARDS] == list(NAMES)
    assert [action.name for action in ACTIONS] == list(ACTION_NAMES)
    assert (CARDS[51].suit, CARDS[51].rank, CARDS[51].points) == ("S", 13, 5)
    assert (ACTIONS[5].card, ACTIONS[5].stage, ACTIONS[57].card, ACTIONS[57].stage) == (CARDS[5], None, None, "pair")
    assert str([CARDS[9], ACTIONS[53]]) == "[10C, swap]"


def test_vector_has_all_planes_and_values_in_order() -> None:
    compared = 0
    for state in states(3)[:-1]:
        seen, deal = received_state(state), state.deal
        mine = deal.player
        assert mine is not None
        other = 1 - mine
        pending = 0 if deal.pending is None else 1 << deal.pending
        own = deal.piles[mine] | pending
        obtainable = ~(own | deal.piles[other] | deal.discards) & (1 << 52) - 1
        planes = [deal.hands[mine], deal.table, own, deal.piles[other], pending]
        planes += [completing_cards(own, obtainable), completing_cards(deal.piles[other], obtainable)]
        vector = seen.vector
        assert len(vector) == 384
        for number, plane in enumerate(planes):
            assert [card for card in range(52) if vector[52 * number + card]] == list(cards_in(plane)), number
        points, theirs = deal.points[mine], deal.points[other]
        assert vector[52 * PLANES :] == [
            *(float(number == deal.stage) for number in range(6)),
            float(not deal.swapped[mine]),
            float(not deal.captured[mine]),
            float(not deal.swapped[other]),
            float(not deal.captured[other]),
            points / 50,
            theirs / 50,
            (points - theirs) / 20,
            deal.hands[mine].bit_count() / 10,
            deal.hands[other].bit_count() / 10,
            deal.cards_left / 22,
            deal.discarded / 2,
            deal.table.bit_count() / 10,
            deal.turn / 20,
            float(mine),
        ]
        assert [number for number, legal in enumerate(seen.mask) if legal] == list(cards_in(legal_actions(deal)))
        assert len(seen.mask) == 58
        assert pile_points(seen.pile) == seen.points == points
        compared += 1
    assert compared > 50


def test_scores_of_earlier_deals_are_the_seats_own() -> None:
    for state in states(4)[:-1]:
        seen = received_state(state)
        before = [sum(points[seat] for points in state.over) for seat in (0, 1)]
        assert (seen.score, seen.opponent_score) == (before[seen.seat], before[1 - seen.seat])
        assert seen.begins == ((state.deal.player or 0) == 0)


@pytest.mark.parametrize("name", ["random_action", "greedy", "greedy_rank"])
def test_house_bots_always_answer_legally(name: str) -> None:
    random.seed(1)
    module = importlib.import_module(f"bots.suit_pairs.house.{name}")
    move = module.AIPlayer().get_move if hasattr(module, "AIPlayer") else module.get_move
    for seed in range(10):
        for state in states(seed)[:-1]:
            seen = received_state(state)
            assert move(seen) in seen.legal


def rate(better: str, worse: str, pairs: int) -> float:
    """Return the win rate of the house bot ``better`` against ``worse`` over ``pairs`` pairs of mirrored deals."""
    modules = [importlib.import_module(f"bots.suit_pairs.house.{name}") for name in (better, worse)]
    moves = [one.AIPlayer().get_move if hasattr(one, "AIPlayer") else one.get_move for one in modules]
    won = 0.0
    for seed in range(pairs):
        state = GAME.initial(GAME.settings({"deals": 1}), 2, random.Random(seed))
        while state.to_move is not None:
            state = GAME.apply(state, {state.to_move: int(moves[state.to_move](received_state(state)))})
        outcome = GAME.outcome(state)
        assert outcome is not None
        won += outcome.points[0]
    return won / pairs


@pytest.mark.long
def test_greedy_beats_random_play() -> None:
    random.seed(3)
    assert rate("greedy", "random_action", 40) >= 0.9
    assert rate("greedy_rank", "random_action", 40) >= 0.9


def test_terminal_shows_every_turn_of_a_match() -> None:
    drawn = [
        draw({"number": number, "moves": [], "view": GAME.view(state, 0)}, ["mine", "other"])
        for number, state in enumerate(states(5))
    ]
    assert "table" in drawn[0]
    text = "\n".join(drawn)
    assert "pair " in text
    assert " selected card" in text
    assert "deal 2 of 2" in text
    assert "the end" in drawn[-1]
