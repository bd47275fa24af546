"""Convert the referee's messages to the state that a bot expects; each game has its own adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Adapter(Protocol):
    """Collects a bot's observations and builds its state objects.

    ``parameter``: the name of ``get_move``'s parameter for the state if it has one, None for by position.
    ``always_passes_seat``: whether the constructor gets the seat even if it is optional.
    ``function``: the player is the function of this name, called with the state's parts as arguments; None: see
    ``finder``.
    """

    parameter: str | None
    always_passes_seat: bool
    function: str | None

    def __init__(self, load: Mapping[str, Any]) -> None:
        """``load`` is the referee's first request: game, seat, seats, settings."""

    @property
    def seat_argument(self) -> Any:
        """Return the constructor's argument for the seat."""

    def begin(self, own: Any) -> None:
        """Process this seat's data from before the first turn."""

    def prepare(self, player: Any) -> None:
        """Prepare the player after its creation: an object, or the function itself."""

    def observe(self, own: Any, shared: Any) -> None:
        """Process the new data of this turn."""

    def state(self) -> Any:
        """Build a fresh state object: a bot's changes to it do not affect later ones."""

    def answer(self, value: Any) -> Any:
        """Return the answer as JSON; raises ``answers.Unusable``."""


class WholeStateAdapter:
    """Base for games whose every request carries the seat's full view; such a game adds ``state`` and ``answer``."""

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
