"""The site and the bots encode a decision as the same 384 numbers."""

from __future__ import annotations

import random

import pytest

from arena.games.suit_pairs.observation import SIZE, mask, observation
from arena.games.suit_pairs.rules import GAME
from arena.games.suit_pairs.stages import actions_in, legal_actions
from bots.suit_pairs.sdk.adapter import SuitPairsAdapter


def test_observation_equals_the_vector_of_bots() -> None:
    rng = random.Random(8)
    compared = 0
    for seed in range(8):
        state = GAME.initial(GAME.settings({"deals": 1}), 2, random.Random(seed))
        bots = [SuitPairsAdapter({"seat": seat}) for seat in (0, 1)]
        for seat, bot in enumerate(bots):
            bot.begin(GAME.own(state, seat))
        while (seat := state.to_move) is not None:
            bots[seat].observe(GAME.own(state, seat), GAME.shared(state))
            received = bots[seat].state()
            assert observation(state) == pytest.approx(received.vector, abs=1e-12)
            assert mask(state) == received.mask
            compared += 1
            state = GAME.apply(state, {seat: rng.choice(actions_in(legal_actions(state.deal)))})
        with pytest.raises(ValueError, match="nobody"):
            observation(state)
    assert compared > 500
    assert SIZE == 384
