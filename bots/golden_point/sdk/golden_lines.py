"""The golden point for scripts from the original course: each round, a script reads all past rounds and prints a line.

Standard input contains ``T<TAB>S``, then T lines of S numbers, one line per round: the round's golden number and the
numbers of every player, 0 if a player did not submit. The answer is ``a<TAB>b``. S includes the golden number, as in
the course's own recorded match.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from bots.golden_point.sdk.adapter import GoldenPointAdapter
from bots.golden_point.sdk.golden_state import GoldenState
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.output import last_answer


class GoldenLines(Dialect):
    """The dialect of scripts that read ``T<TAB>S`` and T lines, and print ``a<TAB>b``."""

    code: ClassVar[str] = "bot.golden_point.golden_lines"
    stays: ClassVar[bool] = False

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        self._adapter = GoldenPointAdapter(load)
        self._numbers: int = load["settings"]["numbers"]
        self._players = 0  # seats that the lines contain
        self._lines: list[str] = []

    def begin(self, own: Mapping[str, Any]) -> None:
        self._adapter.begin(own)

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._adapter.observe(own, shared)

    def first_input(self) -> str:
        state = self._adapter.state()
        if state.players != self._players:  # a player joined the room, which adds a seat to earlier rounds
            self._players = state.players
            self._lines.clear()
        self._lines += [self._line(state, index) for index in range(len(self._lines), len(state.golden))]
        return f"{len(self._lines)}\t{1 + self._players * self._numbers}\n" + "".join(self._lines)

    def _line(self, state: GoldenState, index: int) -> str:
        absent = (0,) * self._numbers
        played = [number for numbers in state.history[index] for number in numbers or absent]
        return "\t".join([repr(number) for number in (state.golden[index], *played)]) + "\n"

    def next_input(self) -> str:
        return self.first_input()

    def waits(self, printed: str) -> bool:
        return False

    def answer(self, printed: str) -> Any:
        """Parse the last line that contains one or two numbers.

        If players submit one number per round, return only the first of the two.
        """
        return last_answer(printed, _parse_numbers, "12.5<TAB>20")[: self._numbers]


def _parse_numbers(line: str) -> list[float] | None:
    """Parse a line of at most two finite numbers; return None for any other line."""
    try:
        numbers = [float(word) for word in line.split()]
    except ValueError:
        return None
    return numbers if len(numbers) <= 2 and all(map(math.isfinite, numbers)) else None
