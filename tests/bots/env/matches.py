"""Play random matches with the same bot through an environment and the referee, and run PettingZoo's own tests.

``python -m tests.bots.env.matches GAME N`` runs all of this for one game, which may come from EXTRA_GAMES.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from arena.core.referee.clock import FakeClock
from arena.core.referee.in_process_player import InProcessPlayer
from arena.core.referee.play import play_match
from arena.core.referee.record import Record
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.games.base import Json
from arena.games.registry import GAMES, PACKAGES
from bots import env
from bots.env.description import DiscreteActions, load_environment

ILLEGAL_OF = 400  # one decision in this many is illegal

# Warnings that PettingZoo issues for every observation with a mask, even for its own classic games.
_OF_MASKS = ("Observation space for each agent probably", "Observation is not a NumPy array")


def check_with_pettingzoo(game: str, seats: int, **settings: Json) -> None:
    """Run PettingZoo's tests on an environment; warnings are failures."""
    with warnings.catch_warnings():
        for text in _OF_MASKS:
            warnings.filterwarnings("ignore", text)
        api_test(env.make(game, seats=seats, **settings), num_cycles=100)
        seed_test(lambda: env.make(game, seats=seats, **settings), num_cycles=100)
        if load_environment(game).simultaneous:
            parallel_api_test(env.parallel(game, seats=seats, **settings), num_cycles=100)
            parallel_seed_test(lambda: env.parallel(game, seats=seats, **settings), num_cycles=100)


@dataclass
class RandomSeat:
    """A seat that acts at random, including occasional illegal actions, and logs its observations and actions."""

    game: str
    seed: str
    numbers: tuple[int, float, float] = (0, 0.0, 0.0)
    log: list[tuple[list[float], list[int], Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self._encoding = load_environment(self.game).encoding

    def choose(self, seen: Sequence[float], mask: Sequence[int]) -> Any:
        if not len(mask):
            count, low, high = self.numbers
            action: Any = [self._rng.uniform(low, high) for _ in range(count)]
        else:
            illegal = self._rng.randrange(ILLEGAL_OF) == 0 and not all(mask)
            action = self._rng.choice([one for one, legal in enumerate(mask) if bool(legal) is not illegal])
        self.log.append((np.array(seen, np.float32).tolist(), [int(one) for one in mask], action))
        return action

    def begin(self) -> Callable[[bytes], bytes]:
        """Restart the bot; return its request handler, whose next load request replaces the adapter."""
        return self.handle

    def handle(self, request: bytes) -> bytes:
        """Answer the referee as the arena's harness does, with the game's adapter and encoding."""
        message = json.loads(request)
        reply: dict[str, Json] = {"t": "done", "nonce": message["nonce"]}
        if message["do"] == "load":
            self._adapter = import_module(PACKAGES[self.game].sdk).SDK.adapter(message)
        elif message["do"] == "construct":
            self._adapter.begin(message["own"])
        elif message["do"] == "move":
            self._adapter.observe(message["own"], message["shared"])
            state, seat = self._adapter.state(), self._adapter.seat_argument
            action = self.choose(self._encoding.observation(state, seat), self._encoding.mask(state, seat))
            reply |= {"t": "answer", "value": self._encoding.answer(action)}
        return json.dumps(reply).encode()


def random_seats(game: str, seed: int, seats: int, settings: dict[str, Json]) -> list[RandomSeat]:
    actions = load_environment(game).actions(GAMES[game].settings(settings))
    numbers = (0, 0.0, 0.0) if isinstance(actions, DiscreteActions) else (actions.count, actions.low, actions.high)
    return [RandomSeat(game, f"{seed}/{seat}", numbers) for seat in range(seats)]


def play_in_environment(game: str, seed: int, seats: int, settings: dict[str, Json]) -> tuple[Record, list[Any]]:
    players = random_seats(game, seed, seats, settings)
    table = env.make(game, seats=seats, **settings)
    table.reset(seed=seed)
    for agent in table.agent_iter():
        seen, _, ended, _, _ = table.last()
        if ended:
            table.step(None)
        else:
            player = players[int(agent.removeprefix("player_"))]
            masked = isinstance(seen, dict)
            seen, mask = (seen["observation"], seen["action_mask"]) if masked else (seen, ())
            action = player.choose(seen, mask)
            table.step(action if masked else np.array(action))
    return table.unwrapped.record(), [player.log for player in players]


def play_in_parallel_environment(
    game: str, seed: int, seats: int, settings: dict[str, Json]
) -> tuple[Record, list[Any]]:
    players = random_seats(game, seed, seats, settings)
    table = env.parallel(game, seats=seats, **settings)
    seen, _ = table.reset(seed=seed)
    while table.agents:
        actions = {}
        for agent in table.agents:
            player, one = players[int(agent.removeprefix("player_"))], seen[agent]
            if not isinstance(one, dict):
                actions[agent] = np.array(player.choose(one, ()))
            elif one["action_mask"].any():
                actions[agent] = player.choose(one["observation"], one["action_mask"])
            else:
                actions[agent] = 0  # not to move in this turn
        seen = table.step(actions)[0]
    return table.record(), [player.log for player in players]


def play_with_referee(game: str, seed: int, seats: int, settings: dict[str, Json]) -> tuple[Record, list[Any]]:
    players = random_seats(game, seed, seats, settings)
    spec = MatchSpec(
        GAMES[game],
        settings,
        seed,
        MatchLimits(illegal_answers=1),
        tuple(SeatSpec(f"player_{seat}", "") for seat in range(seats)),
    )
    table = [InProcessPlayer(player.begin) for player in players]
    played = play_match(spec, table, FakeClock(), lambda event: None, lambda: False, thinking=1)
    return played.record, [player.log for player in players]


def moves(record: Record) -> dict[str, Json]:
    """Return a record without the parts that may vary: times, limits, and the number of rejected answers."""
    plain = record.to_json()
    turns = [[(move["seat"], move["move"], move.get("fault")) for move in turn["moves"]] for turn in plain["turns"]]
    return {**{name: plain[name] for name in ("game", "settings", "seed", "outcome")}, "turns": turns}


def check_random_matches(game: str, count: int) -> int:
    """Play ``count`` random matches with the referee and again in each environment of the game; compare the records.

    Return the total number of moves.
    """
    one = load_environment(game)
    rules = GAMES[game]
    played = 0
    for seed in range(count):
        most = min(rules.max_seats, one.seats + 2)
        seats = rules.min_seats + seed % (most - rules.min_seats + 1)
        settings = dict(one.short) if seed % 50 else {}  # tournament settings once in 50 matches
        expected, saw = play_with_referee(game, seed, seats, settings)
        ways = [play_in_environment]
        if one.simultaneous:
            ways.append(play_in_parallel_environment)
        for way in ways:
            record, seen = way(game, seed, seats, settings)
            assert moves(record) == moves(expected), f"{game}, seed {seed}, {way.__name__}"
            assert seen == saw, f"{game}, seed {seed}, {way.__name__}"
        played += sum(len(turn.moves) for turn in expected.turns)
    return played


if __name__ == "__main__":
    name, count = sys.argv[1], int(sys.argv[2])
    check_with_pettingzoo(name, load_environment(name).seats, **load_environment(name).short)
    print(f"{count} matches, {check_random_matches(name, count)} moves")
