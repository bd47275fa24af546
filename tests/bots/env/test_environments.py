"""The environments of the arena's own games pass PettingZoo's tests and play the same matches as the referee."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.core.referee.record import Record
from arena.core.referee.replay import verify
from arena.games.base import SettingsError
from arena.games.registry import GAMES, PACKAGES
from bots import env
from bots.env.description import DiscreteActions, load_environment
from bots.suit_pairs import encoding
from tests.bots.env.matches import check_random_matches, check_with_pettingzoo, moves, play_in_environment

ROOT = Path(__file__).resolve().parents[3]
CHOSEN = [
    game
    for game in env.names()
    if isinstance(load_environment(game).actions(GAMES[game].settings({})), DiscreteActions)
]  # games whose actions are masked


def test_every_game_has_an_environment() -> None:
    assert set(env.names()) == set(GAMES)


@pytest.mark.long
@pytest.mark.parametrize("game", env.names())
def test_pettingzoo_api_tests_pass(game: str) -> None:
    one, rules = load_environment(game), GAMES[game]
    for seats in {rules.min_seats, one.seats, min(rules.max_seats, one.seats + 1)}:
        check_with_pettingzoo(game, seats, **one.short)
    check_with_pettingzoo(game, one.seats)  # with tournament settings


@pytest.mark.long
@pytest.mark.parametrize("game", env.names())
def test_random_matches_equal_referee_records(game: str) -> None:
    check_random_matches(game, 12)


@pytest.mark.long
@pytest.mark.parametrize("game", env.names())
def test_thousand_random_matches_equal_referee_records(game: str) -> None:
    check_random_matches(game, 1_000)


@pytest.mark.long
@pytest.mark.parametrize("game", env.names())
def test_every_agent_gets_the_final_reward(game: str) -> None:
    """The loser gets the final reward too, even if their last turn was before the end."""
    one = load_environment(game)
    table = env.make(game, seats=max(2, one.seats), **one.short)
    for seed in range(10):
        totals = rewards_of(table, seed)
        record: Record = table.unwrapped.record()
        if one.score is None:
            best = {0.5: 0.0, 1.0: 1.0, 0.0: -1.0}
            assert list(totals.values()) == [best[points] for points in record.outcome.points]
        else:
            final = one.score(table.unwrapped._matches._state)
            assert list(totals.values()) == pytest.approx(final)


def rewards_of(table: Any, seed: int) -> dict[str, float]:
    """Play a random match; return, for each agent, the sum of the rewards that ``last`` gave it."""
    table.reset(seed=seed)
    totals = dict.fromkeys(table.possible_agents, 0.0)
    told_the_end = set()
    for number, agent in enumerate(table.agent_iter()):
        seen, reward, ended, _, _ = table.last()
        totals[agent] += reward
        space = table.action_space(agent)
        space.seed(seed * 10_000 + number)
        if ended:
            told_the_end.add(agent)
            table.step(None)
        else:
            table.step(space.sample(seen["action_mask"]) if isinstance(seen, dict) else space.sample())
    assert told_the_end == set(totals)
    return totals


@pytest.mark.long
def test_last_returns_the_loss_to_agents_that_moved_earlier() -> None:
    """The loser's reward is negative even if the winner moved last; random matches include this case for both seats."""
    table = env.make("reversi")
    last_words = set()
    for seed in range(40):
        totals = rewards_of(table, seed)
        record: Record = table.unwrapped.record()
        loser = totals["player_0"] < 0
        last_words.add((record.turns[-1].moves[0].seat, 0 if loser else 1 if totals["player_1"] < 0 else None))
    assert {(0, 1), (1, 0)} <= last_words  # the winner made the last move, and the loser received the loss


@pytest.mark.parametrize("game", CHOSEN)
def test_illegal_action_is_a_fault_and_ends_the_agents_match(game: str) -> None:
    one = load_environment(game)
    table = env.make(game, seats=2, **one.short)
    table.reset(seed=3)
    agent = table.agent_selection
    while True:
        mask = table.observe(table.agent_selection)["action_mask"]
        illegal = np.flatnonzero(mask == 0)
        if len(illegal) and table.agent_selection == agent:
            break
        table.step(int(np.flatnonzero(mask)[0]))
    table.step(int(illegal[0]))
    if table.agent_selection != agent:  # the turn waits for the other seat
        table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert table.terminations[agent]
    assert table.rewards[agent] == -1


def test_illegal_action_in_reversi_gives_the_win_to_the_opponent() -> None:
    table = env.make("reversi")
    table.reset()
    table.step(0)
    assert table.terminations == {"player_0": True, "player_1": True}
    assert table.rewards == {"player_0": -1, "player_1": 1}


def test_match_continues_for_agents_with_legal_actions() -> None:
    table = env.parallel("fib2584", seats=2, seed=1, games=1)
    seen, _ = table.reset()
    while seen["player_0"]["action_mask"].all():
        seen = table.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in table.agents})[0]
    illegal = int(np.flatnonzero(seen["player_0"]["action_mask"] == 0)[0])
    legal = int(np.flatnonzero(seen["player_1"]["action_mask"])[0])
    _, rewards, ended, _, _ = table.step({"player_0": illegal, "player_1": legal})
    assert rewards["player_0"] == -1
    assert ended == {"player_0": True, "player_1": False}
    assert table.agents == ["player_1"]


def test_actions_outside_the_space_are_errors_and_numbers_are_clipped() -> None:
    table = env.make("reversi")
    table.reset()
    for action in (64, -1, 2.5, "D3", None):
        with pytest.raises(ValueError, match=r"for player_0\. .* Discrete\(64\)"):
            table.step(action)
    rounds = env.parallel("golden_point", seats=2, numbers=1, rounds=1)
    rounds.reset()
    for wrong in (np.array([np.nan]), np.array([1.0, 2.0]), "x"):
        with pytest.raises(ValueError, match="not a valid action for player_0"):
            rounds.step({"player_0": wrong, "player_1": np.array([50.0])})
    with pytest.raises(ValueError, match="Actions are missing for: player_1"):
        rounds.step({"player_0": np.array([50.0])})
    rounds.step({"player_0": np.array([-3.0]), "player_1": np.array([100.0])})
    low, high = (move.move[0] for move in rounds.record().turns[0].moves)
    assert 0 < low < 1e-6
    assert 99.99 < high < 100


def test_observation_contains_no_hidden_data_of_the_other_seat() -> None:
    """Deals that differ only in the opponent's hand and the deck look identical to the first seat."""
    table = env.make("suit_pairs", deals=1, mirrored=0)
    table.reset(seed=5)
    inner = table.unwrapped._matches
    before = table.observe("player_0")
    deal = inner._state.deal
    hidden = [card for card in range(52) if deal.hands[1] >> card & 1] + list(deal.deck)
    hand, deck = hidden[-10:], hidden[:-10]
    assert set(hand) != set(hidden[:10])
    changed = replace(deal, hands=(deal.hands[0], sum(1 << card for card in hand)), deck=tuple(deck))
    inner._state = replace(inner._state, deal=changed)
    inner._observe()
    after = table.observe("player_0")
    assert {name: one.tolist() for name, one in before.items()} == {name: one.tolist() for name, one in after.items()}
    other = table.observe("player_1")
    assert other["observation"][:52].tolist() == [float(card in hand) for card in range(52)]


def test_suit_pairs_observations_match_the_sdks_vector_and_mask() -> None:
    table = env.make("suit_pairs", deals=1, mirrored=0, seed=2)
    table.reset()
    assert table.observation_space("player_0")["observation"].shape == (384,)
    assert table.action_space("player_0").n == 58
    state = table.unwrapped._matches._adapters[0].state()
    assert encoding.observation(state, 0) == state.vector
    assert encoding.mask(state, 0) == state.mask


def test_seeds_match_the_referee_and_advance_on_reset() -> None:
    first, second = (play_in_environment("suit_pairs", 7, 2, {"deals": 1, "mirrored": 0})[0] for _ in range(2))
    assert moves(first) == moves(second)
    assert first.seed == 7
    assert verify(first, GAMES) == []
    made, reset = env.make("suit_pairs", seed=9), env.make("suit_pairs")
    made.reset()
    reset.reset(seed=9)
    for _ in range(3):
        assert made.unwrapped._matches.seed == reset.unwrapped._matches.seed
        made.reset()
        reset.reset()
    assert made.unwrapped._matches.seed != 9


def test_agents_are_notified_when_bots_are_restarted() -> None:
    """``starts`` increases when Suit Pairs restarts bots between two deals, so that agents forget the first deal."""
    table = env.make("suit_pairs", deals=1, mirrored=1, seed=1)
    table.reset()
    starts = []
    for _ in table.agent_iter():
        seen, _, ended, _, info = table.last()
        starts.append(info["starts"])
        table.step(None if ended else int(np.flatnonzero(seen["action_mask"])[0]))
    assert starts == sorted(starts)
    assert set(starts) == {1, 2}


def test_unsupported_calls_raise_clear_errors() -> None:
    with pytest.raises(ValueError, match=r"There is no environment 'chess'\. Choose from reversi"):
        env.make("chess")
    with pytest.raises(ValueError, match=r"played in turns: use env.make\('reversi'\)"):
        env.parallel("reversi")
    with pytest.raises(ValueError, match="has 2 to 2 seats, not 3"):
        env.make("reversi", seats=3)
    with pytest.raises(SettingsError, match="no setting 'rounds'"):
        env.make("suit_pairs", rounds=3)
    started = env.make("reversi")
    started.reset()
    with pytest.raises(ValueError, match="not over"):
        started.unwrapped.record()


@pytest.mark.parametrize("game", env.names())
def test_turns_can_be_rendered(game: str) -> None:
    table = env.make(game, render_mode="ansi", seed=1, **load_environment(game).short)
    table.reset()
    assert table.render()
    seen = table.observe(table.agent_selection)
    space = table.action_space(table.agent_selection)
    table.step(space.sample(seen["action_mask"]) if isinstance(seen, dict) else space.sample())
    assert table.render()


@pytest.mark.parametrize("game", env.names())
def test_encodings_do_not_import_the_arena(game: str) -> None:
    """Encodings import nothing from the arena, because trained bots include a copy of their game's encoding."""
    source = (ROOT / PACKAGES[game].bots.replace(".", "/") / "encoding.py").read_text()
    imported = [line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert set(imported) <= {"math"}
