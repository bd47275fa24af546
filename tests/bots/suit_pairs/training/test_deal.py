"""The compiled rules, observations and opponents agree with the arena's."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from arena.games.suit_pairs.cards import CARDS, pile_points
from arena.games.suit_pairs.deal import Deal, DecisionStage, deal_cards
from arena.games.suit_pairs.rules import GAME, MAX_DECISIONS
from arena.games.suit_pairs.stages import legal_actions, play
from bots.suit_pairs.house import greedy, greedy_rank
from bots.suit_pairs.training import deal as compiled
from bots.suit_pairs.training.opponents import OPPONENTS
from tests.bots.suit_pairs.sdk.test_sdk import received_state
from tests.games.suit_pairs.test_random_matches import check_averages, check_ended

pytestmark = pytest.mark.long  # compiling takes most of the time

GAMES = 500
PLACES = range(1, 7)  # all places of a card except the deck


@jax.jit
def _comparable_parts(deals: compiled.DealState) -> tuple[Any, Any, Any]:
    """Return the masks, the cards by place, and the other parts of each state."""
    masks = jax.vmap(compiled.legal_mask)(deals)
    places = jnp.stack([deals.place == place for place in PLACES], axis=1)
    others = jnp.stack(
        [
            deals.over,
            deals.player,
            deals.stage,
            deals.pending,
            deals.drawn,
            deals.discarded,
            deals.turn,
            deals.swapped.astype(jnp.int32).sum(axis=1),
            deals.captured.astype(jnp.int32).sum(axis=1),
            jax.vmap(compiled.lead)(deals).astype(jnp.int32),
        ],
        axis=1,
    )
    return masks, places, others


_start = jax.jit(jax.vmap(compiled.deal_cards))
_step = jax.jit(jax.vmap(compiled.step))
_points = lru_cache(maxsize=10_000)(pile_points)  # cached, because most decisions do not change the piles


def sets(bits: Any) -> Any:
    """Convert Boolean masks of cards or actions to integers, one bit per card or action."""
    return (np.asarray(bits, dtype=np.uint64) << np.arange(bits.shape[-1], dtype=np.uint64)).sum(axis=-1).tolist()


def expected_parts(deal: Deal) -> list[int]:
    first, second = map(_points, deal.piles)
    return [
        deal.player is None,
        -1 if deal.player is None else deal.player,
        deal.stage,
        -1 if deal.pending is None else deal.pending,
        deal.drawn,
        deal.discarded,
        deal.turn,
        sum(deal.swapped),
        sum(deal.captured),
        first - second,
    ]


def apply_action(deal: Deal, action: int) -> Deal:
    """Apply an action; as in matches, then enter the next stage automatically if there is only one choice."""
    return enter_only_stage(play(deal, action))


def enter_only_stage(deal: Deal) -> Deal:
    if deal.player is None or deal.stage is not DecisionStage.INIT:
        return deal
    legal = legal_actions(deal)
    return deal if legal & (legal - 1) else play(deal, legal.bit_length() - 1)


def compare(games: int, seed: int) -> int:
    """Play random games with both implementations of the rules and compare every state; return the number of decisions.

    Also check that every stage has a legal action and that the deals end correctly.
    """
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(CARDS) for _ in range(games)]
    deals = [enter_only_stage(deal_cards([int(card) for card in order])) for order in orders]
    states = _start(jnp.array(np.argsort(orders, axis=1)))
    decisions = 0
    for _ in range(MAX_DECISIONS + 1):
        masks, places, others = map(np.asarray, _comparable_parts(states))
        legal, cards, rest = sets(masks), sets(places), others.tolist()
        for number, deal in enumerate(deals):
            wanted = expected_parts(deal)
            if deal.player is None:
                assert rest[number][0]
                assert rest[number][-1] == wanted[-1]
                continue
            assert legal[number] == legal_actions(deal) > 0
            assert rest[number] == wanted
            assert cards[number] == [*deal.hands, deal.table, *deal.piles, deal.discards]
        if all(deal.player is None for deal in deals):
            break
        chances = np.where(masks, rng.random(masks.shape), -1.0)
        actions = chances.argmax(axis=1)
        decisions += sum(deal.player is not None for deal in deals)
        over = np.array([deal.player is None for deal in deals])
        after = _step(states, jnp.array(actions, dtype=jnp.int32))
        states = jax.tree.map(
            lambda old, new: jnp.where(over.reshape(over.shape + (1,) * (old.ndim - 1)), old, new),  # noqa: B023
            states,
            after,
        )
        deals = [
            deal if deal.player is None else apply_action(deal, action)
            for deal, action in zip(deals, actions.tolist(), strict=True)
        ]
    for deal in deals:
        check_ended(deal)
    check_averages(deals)
    return decisions


def test_random_matches_agree_with_the_rules() -> None:
    assert 40 * GAMES < compare(GAMES, seed=1) < 60 * GAMES


@pytest.mark.parametrize("part", range(4))
def test_100_000_random_games_agree_with_the_rules(part: int) -> None:
    for batch in range(20):
        compare(1250, seed=100 * (part + 1) + batch)


def test_observations_and_opponents_agree_with_the_bots() -> None:
    """The compiled code agrees with the bots in games that mix the moves of greedy bots with random moves."""
    seeds = range(12)
    matches = [GAME.initial(GAME.settings({"deals": 1, "mirrored": 0}), 2, random.Random(seed)) for seed in seeds]
    orders = [list(range(CARDS)) for _ in seeds]
    for order, match in zip(orders, matches, strict=True):
        random.Random(f"{match.seed}/0").shuffle(order)
    states = _start(jnp.array(np.argsort(orders, axis=1)))
    players = {"greedy": greedy.AIPlayer(), "greedy_rank": greedy_rank.AIPlayer()}
    decided = {name: jax.jit(jax.vmap(lambda deal, one=OPPONENTS[name]: one(deal, None))) for name in players}
    observed = jax.jit(jax.vmap(compiled.observe))
    rng = random.Random(2)
    compared = 0
    while any(match.to_move is not None for match in matches):
        vectors = np.asarray(observed(states))
        answers = {name: np.asarray(decide(states)) for name, decide in decided.items()}
        actions = np.zeros(len(matches), dtype=np.int32)
        for number, match in enumerate(matches):
            if match.to_move is None:
                continue
            state = received_state(match)
            np.testing.assert_allclose(vectors[number], state.vector, atol=1e-6)
            for name, player in players.items():
                assert int(player.get_move(state)) == answers[name][number]
            actions[number] = rng.choice([*(int(answers[name][number]) for name in players), rng.choice(state.legal)])
            compared += 1
        states = _step(states, jnp.array(actions))
        matches = [
            match if match.to_move is None else GAME.apply(match, {match.to_move: int(action)})
            for match, action in zip(matches, actions, strict=True)
        ]
    assert compared > 400


def test_deals_are_shuffled_uniformly() -> None:
    deals = jax.vmap(compiled.start_deal)(jax.random.split(jax.random.key(1), 4000))
    in_hand = np.asarray(deals.place == compiled.HAND_PLACE).mean(axis=0)
    assert in_hand.min() > 0.16
    assert in_hand.max() < 0.225
    assert (np.asarray(deals.place == compiled.HAND_PLACE).sum(axis=1) == 10).all()
    assert (np.sort(np.asarray(deals.depth), axis=1)[:, 30:] == np.arange(22)).all()
