"""Lanterns bots get a ``State`` with everything that the referee sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bots.sdk import answers


@dataclass
class State:
    """A night as one seat sees it.

    ``lantern``: the light of tonight's lantern. ``hand``: the candles left. ``score``: your light so far.
    ``history``: for every night so far, its ``lantern``, ``wind``, ``candles`` by seat and the ``taker``.
    """

    night: int
    nights: int
    lantern: int
    hand: list[int]
    seat: int
    seats: int
    score: int
    history: list[dict[str, Any]]


class LanternsAdapter:
    """The adapter for bots whose ``get_move(state)`` returns the number of a candle."""

    parameter: str | None = None
    always_passes_seat = False
    function: str | None = None

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._seat: int = load["seat"]
        self._seats: int = load["seats"]
        self._nights: int = load["settings"]["nights"]
        self._own: Mapping[str, Any] = {}
        self._shared: Mapping[str, Any] = {}

    @property
    def seat_argument(self) -> int:
        return self._seat

    def begin(self, own: Mapping[str, Any]) -> None:
        self._own = own

    def prepare(self, player: Any) -> None:
        return

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._own, self._shared = own, shared

    def state(self) -> State:
        return State(
            night=len(self._shared["history"]) + 1,
            nights=self._nights,
            lantern=self._shared["lantern"],
            hand=list(self._own["hand"]),
            seat=self._seat,
            seats=self._seats,
            score=self._own["score"],
            history=[{**night, "candles": list(night["candles"])} for night in self._shared["history"]],
        )

    def answer(self, value: Any) -> Any:
        return answers.to_json_values(value)
