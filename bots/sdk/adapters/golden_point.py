"""Golden-point bots get a ``GoldenState``; the referee tells only the last round, this adds up.

An answer is one number or a pair, of any type that is a number: int, float, numpy scalar,
Fraction, Decimal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.sdk import answers
from bots.sdk.golden_state import GoldenState


class GoldenPointAdapter:
    """``get_move(state)`` answers a number or a pair."""

    parameter: str | None = None
    always_passes_seat = False

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._seat: int = load["seat"]
        self._players: int = load["seats"]
        self._numbers: int = load["settings"]["numbers"]
        self._rounds: int = load["settings"]["rounds"]
        self._round = 0
        self._score = 0
        self._golden: list[float] = []
        self._history: list[list[tuple[float, ...] | None]] = []

    @property
    def seat_argument(self) -> int:
        return self._seat

    def begin(self, own: Mapping[str, Any]) -> None:
        self._score = own["score"]

    def prepare(self, player: Any) -> None:
        return

    def hear(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._round = shared["round"]
        self._score = own["score"]
        previous = shared["previous"]
        if previous is not None:
            self._golden.append(previous["golden"])
            self._history.append([None if pair is None else tuple(pair) for pair in previous["numbers"]])

    def state(self) -> GoldenState:
        return GoldenState(
            players=self._players,
            numbers=self._numbers,
            round=self._round,
            rounds=self._rounds,
            golden=list(self._golden),
            history=list(self._history),
            seat=self._seat,
            score=self._score,
        )

    def answer(self, value: Any) -> Any:
        if isinstance(value, (str, bytes)):
            raise answers.Unusable(answers.describe(value))
        if isinstance(value, (list, tuple)):
            return answers.plain([_number(item) for item in value])
        value = answers.plain(_number(value))
        return value if isinstance(value, list) else [value]


def _number(value: Any) -> Any:
    """A float where the value is a number of a kind that JSON does not know."""
    if isinstance(value, (bool, int, float, str)) or not hasattr(type(value), "__float__"):
        return value
    if getattr(value, "ndim", 0):
        return value
    return float(value)
