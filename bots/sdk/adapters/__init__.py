"""One adapter a game: from the referee's messages to the state that a bot of that game expects.

``ADAPTERS`` is the table the harness reads; a new game adds its module and its line here. Reversi has a second one
for modules of another interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Adapter(Protocol):
    """Keeps what a bot has been told and builds its state objects.

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
        """What the game tells this seat before the first turn."""

    def prepare(self, player: Any) -> None:
        """The player is there: an object, or the function itself."""

    def hear(self, own: Any, shared: Any) -> None:
        """What is new in this turn."""

    def state(self) -> Any:
        """A fresh state object: what a bot does to it changes no other."""

    def answer(self, value: Any) -> Any:
        """The answer as JSON; raises ``answers.Unusable``."""


def _table() -> dict[str, type[Adapter]]:
    from bots.sdk.adapters.board64 import Board64Adapter
    from bots.sdk.adapters.golden_point import GoldenPointAdapter
    from bots.sdk.adapters.reversi import ReversiAdapter

    return {"reversi": ReversiAdapter, "reversi-ai": Board64Adapter, "golden_point": GoldenPointAdapter}


ADAPTERS = _table()
