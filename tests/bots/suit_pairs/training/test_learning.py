"""A short run of self-play is enough to beat random play; its length is set in updates, not in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.suit_pairs.training.opponents import OPPONENTS
from bots.suit_pairs.training.selfplay import SUIT_PAIRS
from bots.training.selfplay.group import single_learner_group
from bots.training.selfplay.learner import Learner
from bots.training.selfplay.mirrored_pairs import compile_pair_play, fixed_policy_player, network_player
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.sampler import EmbeddedSampler, Sampler

UPDATES = 48
PAIRS = 500


@pytest.mark.long
def test_short_run_beats_random_play_in_more_than_four_of_five_deals(tmp_path: Path) -> None:
    environment, plan = SUIT_PAIRS.load_environment(), Plan()
    learner = Learner(SUIT_PAIRS, plan, single_learner_group(), EmbeddedSampler(Sampler(environment, plan, 0)))
    for update in range(UPDATES):
        report = learner.step(update / UPDATES)
    play = compile_pair_play(environment, network_player(environment), fixed_policy_player(OPPONENTS["random"]))
    score = play(learner.state.parameters, None, PAIRS, 1)
    assert score.game_rate > 0.80
    assert score.pair_rate > 0.90
    assert report.metrics["explained_variance"] > 0.3
