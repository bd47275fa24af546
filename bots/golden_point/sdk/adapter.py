"""Adapter for the golden point: bots get a ``GoldenState``.

The state is accumulated here because the referee sends only the last round.

The others' numbers are unpacked only when a bot accesses them, because unpacking costs more time and memory than the
rest of a turn in a match with hundreds of seats.

An answer is one number or a pair, of any numeric type, such as int, float, numpy scalar, Fraction or Decimal.
"""

from __future__ import annotations

import struct
from binascii import a2b_base64
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from bots.golden_point.sdk.golden_state import GoldenState
from bots.sdk import answers

Round = list[tuple[float, ...] | None]


class _LazyState(GoldenState):
    """A state whose ``history`` is built on first access; copies are ordinary states."""

    __slots__ = ("recall",)
    __qualname__ = GoldenState.__qualname__  # the name shown when the state is printed

    recall: Callable[[], list[Round]]

    def __getattr__(self, name: str) -> Any:  # called only for attributes that are not set
        if name != "history":
            raise AttributeError(name)
        self.history = self.recall()
        return self.history

    def __reduce__(self) -> tuple[type[GoldenState], tuple[Any, ...]]:
        return GoldenState, tuple(getattr(self, field.name) for field in fields(self))


class GoldenPointAdapter:
    """The adapter for ``get_move(state)``, which returns a number or a pair."""

    parameter: str | None = None
    always_passes_seat = False
    function: str | None = None

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._seat: int = load["seat"]
        self._players: int = load["seats"]
        self._numbers: int = load["settings"]["numbers"]
        self._rounds: int = load["settings"]["rounds"]
        self._round = 0
        self._score = 0
        self._golden: list[float] = []
        self._history: list[Round] = []
        self._packed: deque[tuple[str, list[int]]] = deque()  # later rounds, as they were received
        self._grown = False  # whether rounds may lack players who joined later

    @property
    def seat_argument(self) -> int:
        return self._seat

    def begin(self, own: Mapping[str, Any]) -> None:
        self._score = own["score"]

    def prepare(self, player: Any) -> None:
        return

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._round = shared["round"]
        self._score = own["score"]
        # In rooms, players join and leave, and a bot may observe several rounds in one turn.
        self._seat = own.get("seat", self._seat)
        players = shared.get("players", self._players)
        self._grown, self._players = self._grown or players != self._players, players
        self._rounds = shared.get("rounds", self._rounds)
        for previous in (*shared.get("missed", ()), shared["previous"]):
            if previous is not None:
                self._golden.append(previous["golden"])
                self._packed.append((previous["numbers"], previous["silent"]))

    def state(self) -> GoldenState:
        state = _LazyState(
            players=self._players,
            numbers=self._numbers,
            round=self._round,
            rounds=self._rounds,
            golden=list(self._golden),
            history=[],
            seat=self._seat,
            score=self._score,
        )
        del state.history
        state.recall = partial(self._recall, len(self._golden))
        return state

    def _recall(self, rounds: int) -> list[Round]:
        while len(self._history) < rounds:
            self._history.append(_decode_round(*self._packed.popleft(), self._numbers))
        if self._grown:
            self._grown = False
            for played in self._history:
                played.extend([None] * (self._players - len(played)))  # no numbers from before the player joined
        return self._history[:rounds]

    def answer(self, value: Any) -> Any:
        if isinstance(value, (str, bytes)):
            raise answers.unusable_answer(value)
        if isinstance(value, (list, tuple)):
            return answers.to_json_values([_to_float(item) for item in value])
        value = answers.to_json_values(_to_float(value))
        return value if isinstance(value, list) else [value]


def _decode_round(text: str, silent: list[int], numbers: int) -> Round:
    """Decode a round from Base64-encoded little-endian doubles in seat order.

    ``silent``: the seats to skip because they have no numbers, in ascending order; ``numbers``: how many numbers each
    of the other seats played.
    """
    data = a2b_base64(text)
    values = iter(struct.unpack(f"<{len(data) // 8}d", data))
    played: Round = list(zip(*[values] * numbers, strict=True))
    for seat in silent:
        played.insert(seat, None)
    return played


def _to_float(value: Any) -> Any:
    """Convert a number to float if JSON does not support its type."""
    if isinstance(value, (bool, int, float, str)) or not hasattr(type(value), "__float__"):
        return value
    if getattr(value, "ndim", 0):
        return value
    return float(value)
