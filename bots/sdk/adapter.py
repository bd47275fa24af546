"""From the referee's messages to the state that a bot expects; each game has an adapter of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Adapter(Protocol):
    """Keeps what a bot has observed and builds its state objects.

    ``parameter``: the name by which ``get_move`` takes the state if it has it, None for by position.
    ``always_passes_seat``: whether the constructor gets the seat even where it could do without.
    ``function``: the player is the function of this name, called with the state's parts one by one; None: see
    ``finder``.
    """

    parameter: str | None
    always_passes_seat: bool
    function: str | None

    def __init__(self, load: Mapping[str, Any]) -> None:
        """``load`` is the referee's first request: game, seat, seats, settings."""

    @property
    def seat_argument(self) -> Any:
        """What the constructor is told about the seat."""

    def begin(self, own: Any) -> None:
        """Take what the game tells this seat before the first turn."""

    def prepare(self, player: Any) -> None:
        """Prepare the player once it is there: an object, or the function itself."""

    def observe(self, own: Any, shared: Any) -> None:
        """Take what is new in this turn."""

    def state(self) -> Any:
        """Build a fresh state object: what a bot does to it changes no other."""

    def answer(self, value: Any) -> Any:
        """Return the answer as JSON; raises ``answers.Unusable``."""


class WholeStateAdapter:
    """Of games whose every request tells a seat all that it may see; such a game adds ``state`` and ``answer``."""

    parameter: str | None = None
    always_passes_seat = False
    function: str | None = None

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._seat: int = load["seat"]
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
