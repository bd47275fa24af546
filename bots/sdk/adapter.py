"""Convert the referee's messages to the state that a bot expects; each game has its own adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Adapter(Protocol):
    """An adapter that collects a bot's observations and builds its state objects.

    ``parameter``: the name of ``get_move``'s parameter for the state, or None if the state is passed as a positional
    argument. ``always_passes_seat``: whether the constructor gets the seat even if that argument is optional.
    ``function``: the name of a function that serves as the player and takes the parts of the state as arguments; None
    if ``finder`` looks for the player.
    """

    parameter: str | None
    always_passes_seat: bool
    function: str | None

    def __init__(self, load: Mapping[str, Any]) -> None:
        """Create the adapter; ``load`` is the referee's first request: game, seat, seats, settings."""

    @property
    def seat_argument(self) -> Any:
        """Return the constructor's argument for the seat."""

    def begin(self, own: Any) -> None:
        """Process the data that this seat receives before the first turn."""

    def prepare(self, player: Any) -> None:
        """Prepare a new player: either an object or the function that serves as the player."""

    def observe(self, own: Any, shared: Any) -> None:
        """Process the new data of this turn."""

    def state(self) -> Any:
        """Build a new state object each time, so that a bot's changes to it do not affect later turns."""

    def answer(self, value: Any) -> Any:
        """Return the answer as JSON values. Raises ``answers.Unusable``."""


class WholeStateAdapter:
    """A base class for games whose requests contain the seat's full view; subclasses add ``state`` and ``answer``."""

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
