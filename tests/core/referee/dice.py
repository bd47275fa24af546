"""A game for tests, with every feature that Reversi and the golden point lack.

It supports a single seat, chance after the start, hidden dice, hidden moves, two consecutive decisions by one seat, and
simultaneous moves if the settings say so.

Each seat has a die that only it can see, and bets on it in secret, in two halves; then it gets another die. The gain of
a round is the die minus both halves, so scores can be negative.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.games.base import (
    Audience,
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Scoring,
    Termination,
    Trial,
    Viewer,
    outcome_by_score,
    read_settings,
)

HALVES: Final = 2
FACES: Final = range(1_000_000, 9_000_000)  # large enough that a leaked face is found in any text


@dataclass(frozen=True, slots=True)
class DiceSettings:
    rounds: int
    at_once: int


@dataclass(frozen=True, slots=True)
class DiceState:
    """A state of the game. ``luck`` seeds each seat's dice; ``laid`` holds each seat's bets so far, two per round."""

    settings: DiceSettings
    luck: tuple[int, ...]
    laid: tuple[tuple[int, ...], ...]
    out: frozenset[int] = frozenset()

    def face(self, seat: int, round_: int) -> int:
        return random.Random(f"{self.luck[seat]} {round_}").choice(FACES)

    def score(self, seat: int) -> float:
        laid = self.laid[seat]
        rounds = range(len(laid) // HALVES)
        return float(sum(self.face(seat, one) - sum(laid[HALVES * one : HALVES * (one + 1)]) for one in rounds))


class Dice(Game[DiceState, int, DiceSettings]):
    """A die and two bets per round; each move is an integer that other seats see only at the end."""

    name = "dice"
    min_seats = 1
    max_seats = 4
    scoring = Scoring.SCORED
    hides = True
    trial = Trial({"rounds": 2}, 1, "random_move")
    schema = (IntegerSetting("rounds", 3, 1, 1000), IntegerSetting("at_once", 0, 0, 1))

    def settings(self, raw: Mapping[str, Json]) -> DiceSettings:
        return DiceSettings(**read_settings("Dice", self.schema, raw))

    def settings_json(self, settings: DiceSettings) -> dict[str, Json]:
        return {"rounds": settings.rounds, "at_once": settings.at_once}

    def initial(self, settings: DiceSettings, seats: int, rng: random.Random) -> DiceState:
        return DiceState(settings, tuple(rng.getrandbits(32) for _ in range(seats)), ((),) * seats)

    def max_turns(self, settings: DiceSettings) -> int:
        return HALVES * settings.rounds * self.max_seats

    def to_move(self, state: DiceState) -> tuple[int, ...]:
        left = [seat for seat, laid in enumerate(state.laid) if seat not in state.out and len(laid) < self._all(state)]
        if state.settings.at_once:
            return tuple(left)
        # A seat that has begun a round finishes it first.
        return tuple(sorted(left, key=lambda seat: (len(state.laid[seat]) // HALVES, seat))[:1])

    def _all(self, state: DiceState) -> int:
        return HALVES * state.settings.rounds

    def shared(self, state: DiceState) -> Json:
        return {"laid": [len(laid) for laid in state.laid]}

    def own(self, state: DiceState, seat: int) -> Json:
        return {"face": state.face(seat, len(state.laid[seat]) // HALVES), "laid": state.laid[seat]}

    def parse(self, state: DiceState, seat: int, answer: Json) -> int:
        if not isinstance(answer, int):
            raise IllegalMove("a whole number is expected")
        return answer

    def apply(self, state: DiceState, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> DiceState:
        laid = tuple((*before, moves[seat]) if seat in moves else before for seat, before in enumerate(state.laid))
        return replace(state, laid=laid, out=state.out | out)

    def outcome(self, state: DiceState) -> Outcome | None:
        if self.to_move(state):
            return None
        everybody_left = len(state.out) == len(state.laid)
        termination = Termination.FORFEIT if everybody_left else Termination.COMPLETED
        return outcome_by_score([state.score(seat) for seat in range(len(state.laid))], state.out, termination)

    def view(self, state: DiceState, viewer: Viewer) -> dict[str, Json]:
        seats = range(len(state.laid))
        seen = [viewer in (seat, Audience.EVERYBODY) for seat in seats]
        return {
            "faces": [state.face(seat, len(state.laid[seat]) // HALVES) if seen[seat] else None for seat in seats],
            "laid": [list(state.laid[seat]) if seen[seat] else len(state.laid[seat]) for seat in seats],
        }

    def shown_move(self, state: DiceState, seat: int, move: Json, viewer: Viewer) -> Json:
        return move if viewer in (seat, Audience.EVERYBODY) else None

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        if not isinstance(raw, int):
            raise ValueError(f"{raw!r} is no move.")
        return raw


DICE: Final = Dice()
