"""The part of Lanterns that runs inside the jail."""

from __future__ import annotations

from typing import Any

from bots.sdk import answers
from bots.sdk.game import GameSdk, register


class Lanterns:
    """The adapter for ``get_move(oil)``, which returns the number of lanterns to light."""

    parameter = always_passes_seat = function = None

    def __init__(self, load: dict[str, Any]) -> None:
        self.seat_argument = load["seat"]
        self._oil = 0

    def begin(self, own: dict[str, Any]) -> None:
        self._oil = own["oil"]

    def prepare(self, player: Any) -> None:
        return

    def observe(self, own: dict[str, Any], shared: dict[str, Any]) -> None:
        self._oil = own["oil"]

    def state(self) -> int:
        return self._oil

    def answer(self, value: Any) -> Any:
        if not isinstance(value, int):
            raise answers.Unusable("bot.lanterns.no_number", value=answers.sanitize_text(repr(value), 60))
        return value


class Lines:
    """The dialect of scripts that are restarted every night, read the oil and print a number."""

    code = "bot.lanterns.lines"
    stays = False
    logged = True

    def __init__(self, load: dict[str, Any], source: str) -> None:
        self._oil = 0

    def begin(self, own: dict[str, Any]) -> None:
        self._oil = own["oil"]

    def observe(self, own: dict[str, Any], shared: dict[str, Any]) -> None:
        self._oil = own["oil"]

    def first_input(self) -> str:
        return f"{self._oil}\n"

    next_input = first_input

    def reply(self, printed: str) -> None:
        return None

    def waits(self, printed: str) -> bool:
        return False

    def answer(self, printed: str) -> int:
        return int(printed)


SDK = register(GameSdk("lanterns", __file__, Lanterns, {"lines": Lines}, shims="props"))
