"""Play matches with a learner's actions, independently of PettingZoo.

Invariants: a seat observes what the referee would send it, through the same adapter that creates the states of bots in
the jail, so it never sees anything that a bot could not see. An illegal action is a fault under the rules, and its seat
leaves the match. With the same seed and actions, the record equals the referee's.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.core.referee import record
from arena.core.referee.events import SeatMove, TurnPlayed
from arena.core.referee.faults import FaultKind, with_cause
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.games.base import Audience, IllegalMove, Json, Outcome
from arena.games.registry import GAMES, PACKAGES
from bots.env.description import ContinuousActions, DiscreteActions, load_environment
from bots.sdk.adapter import Adapter

ILLEGAL_REWARD: Final = -1.0

Array = NDArray[np.floating[Any]]


class MatchSequence:
    """A sequence of matches in one environment. Raises ValueError or SettingsError for invalid arguments."""

    def __init__(self, game: str, seats: int | None, settings: Mapping[str, Json]) -> None:
        self.environment = load_environment(game)
        self.game = GAMES[game]
        self.seats = self.environment.seats if seats is None else seats
        if not self.game.min_seats <= self.seats <= self.game.max_seats:
            least, most = self.game.min_seats, self.game.max_seats
            raise ValueError(f"{game} has {least} to {most} seats, not {self.seats}.")
        self._settings = self.game.settings(settings)
        self.actions = self.environment.actions(self._settings)
        self._adapter: type[Adapter] = import_module(PACKAGES[game].sdk).SDK.adapter
        self._adapters: list[Adapter] = []
        self._state: Any = None
        self._scores: Sequence[float] = ()
        self._turns: list[TurnPlayed] = []
        self.seed = 0
        self.starts = 0  # number of times each bot was started in this match
        self.out: frozenset[int] = frozenset()
        self.outcome: Outcome | None = None

    def begin(self, seed: int) -> None:
        """Begin the match that the referee would play with this seed."""
        self.seed, self.out, self.outcome, self._turns = seed, frozenset(), None, []
        self._state = self.game.initial(self._settings, self.seats, random.Random(seed))  # noqa: S311 - a game
        self.starts = 0
        self._start()
        self._scores = self._current_scores()
        self._observe()

    @property
    def to_move(self) -> tuple[int, ...]:
        """Return the seats that are asked to move on this turn; empty if the match is over."""
        if self.outcome is not None:
            return ()
        return tuple(seat for seat in self.game.to_move(self._state) if seat not in self.out)

    def observation(self, seat: int) -> NDArray[np.float32]:
        """Return a seat's current observation, even if the seat is not asked to move."""
        adapter = self._adapters[seat]
        seen = self.environment.encoding.observation(adapter.state(), adapter.seat_argument)
        return np.array(seen, dtype=np.float32)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return a seat's mask of legal actions; all zeros if the seat is not asked to move."""
        assert isinstance(self.actions, DiscreteActions)  # noqa: S101 - numbers have no mask
        if seat not in self.to_move:
            return np.zeros(self.actions.size, dtype=np.int8)
        adapter = self._adapters[seat]
        return np.array(self.environment.encoding.mask(adapter.state(), adapter.seat_argument), dtype=np.int8)

    def play(self, answers: Mapping[int, Any]) -> list[float]:
        """Play one turn with an action for every seat that is asked to move; return the rewards by seat."""
        moves, shown, out = {}, [], set()
        for seat in self.to_move:
            try:
                moves[seat] = self.game.parse(self._state, seat, self._answer(answers[seat]))
            except IllegalMove:
                out.add(seat)
                shown.append(SeatMove(seat, None, fault=FaultKind.ILLEGAL_MOVE))
            else:
                shown.append(SeatMove(seat, self.game.encode(moves[seat])))
        self.out |= out
        before, self._state = self._state, self.game.apply(self._state, moves, frozenset(out))
        self._turns.append(TurnPlayed(len(self._turns) + 1, tuple(shown), self.game, before, self._state))
        self.outcome = with_cause(self.game.outcome(self._state), [FaultKind.ILLEGAL_MOVE] * len(self.out))
        if self.outcome is None and self.game.fresh_start(before, self._state):
            self._start()
        self._observe()
        return self._rewards(out)

    def record(self) -> record.Record:
        """Return the finished match's record in the referee's format. Raises ValueError if the match is not over."""
        if self.outcome is None:
            raise ValueError("The match is not over yet, so it has no record. Play it to the end first.")
        seats = tuple(SeatSpec(f"player_{seat}", "") for seat in range(self.seats))
        spec = MatchSpec(self.game, self.game.settings_json(self._settings), self.seed, seats=seats)
        return record.create_record(spec, self._turns, self.outcome)

    def last_turn(self) -> dict[str, Json]:
        """Return the last turn including hidden information, for ``bots.cli.terminal.draw_turn``."""
        if not self._turns:
            return {"number": 0, "moves": [], "view": self.game.view(self._state, Audience.EVERYBODY)}
        return self._turns[-1].to_json(Audience.EVERYBODY)

    def _start(self) -> None:
        """Start every bot and pass it the referee's initial message."""
        self.starts += 1
        settings = self.game.settings_json(self._settings)
        load = {
            "game": self.game.name,
            "seats": self.seats,
            "settings": settings,
            "move_seconds": MatchLimits().move_seconds,
        }
        self._adapters = [self._adapter({**load, "seat": seat}) for seat in range(self.seats)]
        for seat, adapter in enumerate(self._adapters):
            adapter.begin(self.game.own(self._state, seat))

    def _answer(self, action: Any) -> Json:
        """Return a bot's answer for this action; numbers outside the bounds are clipped."""
        if isinstance(self.actions, ContinuousActions):
            action = np.clip(action, self.actions.low, self.actions.high).tolist()
        return self.environment.encoding.answer(action)

    def _observe(self) -> None:
        shared = self.game.shared(self._state)
        for seat, adapter in enumerate(self._adapters):
            adapter.observe(self.game.own(self._state, seat), shared)

    def _current_scores(self) -> Sequence[float]:
        score = self.environment.score
        return (0.0,) * self.seats if score is None else tuple(score(self._state))

    def _rewards(self, left: set[int]) -> list[float]:
        before, self._scores = self._scores, self._current_scores()
        rewards = [float(now - then) for now, then in zip(self._scores, before, strict=True)]
        if self.environment.score is None and self.outcome is not None:
            rewards = [_rank_reward(self.outcome.ranks, seat) for seat in range(self.seats)]
        return [ILLEGAL_REWARD if seat in left else reward for seat, reward in enumerate(rewards)]


def _rank_reward(ranks: Sequence[int], seat: int) -> float:
    """Return a seat's reward, from 1 if it alone is best to -1 if it alone is worst."""
    below = sum(rank > ranks[seat] for rank in ranks)
    above = sum(rank < ranks[seat] for rank in ranks)
    return (below - above) / max(1, len(ranks) - 1)
