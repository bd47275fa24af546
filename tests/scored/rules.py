"""Dare, a scored game for tests.

One die is thrown for all seats; a seat that dared a number lower than the die scores that number. There are one to
three seats, independent of each other; the dice are derived from a seed in the state.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.games.base import (
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Scoring,
    Termination,
    Trial,
    Viewer,
    read_settings,
)

SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class DareState:
    throws: int
    seed: int
    scores: tuple[float, ...]
    thrown: int = 0
    out: frozenset[int] = frozenset()


class DareGame(Game[DareState, int, int]):
    name = "dare"
    min_seats = 1
    max_seats = 3
    scoring = Scoring.SCORED
    independent_seats = True
    trial = Trial({"throws": 2}, 1, "careful")
    schema = (IntegerSetting("throws", 5, 1, 50),)

    def settings(self, raw: Mapping[str, Json]) -> int:
        return int(read_settings("Dare", self.schema, raw)["throws"])

    def settings_json(self, settings: int) -> dict[str, Json]:
        return {"throws": settings}

    def initial(self, settings: int, seats: int, rng: random.Random) -> DareState:
        return DareState(settings, rng.getrandbits(32), (0.0,) * seats)

    def max_turns(self, settings: int) -> int:
        return settings

    def to_move(self, state: DareState) -> tuple[int, ...]:
        if state.thrown == state.throws:
            return ()
        return tuple(seat for seat in range(len(state.scores)) if seat not in state.out)

    def shared(self, state: DareState) -> Json:
        return {"thrown": state.thrown, "throws": state.throws}

    def own(self, state: DareState, seat: int) -> Json:
        return {"score": state.scores[seat]}

    def parse(self, state: DareState, seat: int, answer: Json) -> int:
        if not isinstance(answer, int) or not 0 <= answer < SIDES:
            raise IllegalMove("a whole number from 0 to 5 is expected")
        return answer

    def apply(self, state: DareState, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> DareState:
        die = random.Random(f"{state.seed} {state.thrown}").randint(1, SIDES)
        gains = [moves.get(seat, 0) for seat in range(len(state.scores))]
        scores = tuple(old + (gain if gain < die else 0) for old, gain in zip(state.scores, gains, strict=True))
        return replace(state, scores=scores, thrown=state.thrown + 1, out=state.out | out)

    def outcome(self, state: DareState) -> Outcome | None:
        everybody_left = len(state.out) == len(state.scores)
        if state.thrown < state.throws and not everybody_left:
            return None
        keys = [(seat in state.out, -score) for seat, score in enumerate(state.scores)]
        ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
        termination = Termination.FORFEIT if everybody_left else Termination.COMPLETED
        return Outcome(state.scores, ranks, state.scores, termination)

    def view(self, state: DareState, viewer: Viewer) -> dict[str, Json]:
        return {"thrown": state.thrown, "throws": state.throws, "scores": list(state.scores), "out": sorted(state.out)}

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        if not isinstance(raw, int):
            raise ValueError(f"{raw!r} is no number.")
        return raw


class SolitaryGame(DareGame):
    """The game Dare with a single seat."""

    name = "solitary"
    max_seats = 1


GAME: Final = DareGame()
SOLITARY: Final = SolitaryGame()
