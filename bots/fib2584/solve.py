"""``python -m bots solve fib2584``: print the exact value of any board, one query per line.

A query consists of ``b`` and six tile indices for a board on which the player is to move (before a move), or ``a`` and
six tile indices for a board on which a tile is about to drop (after a move). The answer is ``= value`` with six decimal
places, ``= -1`` for an unreachable board, or ``? reason`` for an invalid query.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from bots.fib2584.house.engine.board import TILES, canonical_code
from bots.fib2584.house.engine.solver import CELLS, Solution, solve

IMPOSSIBLE = "= -1"
_WHOLE = re.compile(r"-?[0-9]{1,1000}")


class Solver:
    """A solver that answers queries about the values in a solution."""

    def __init__(self, solution: Solution) -> None:
        self._values: dict[str, dict[int, float]] = {
            "b": dict(zip(solution.before.tolist(), solution.before_values.tolist(), strict=True)),
            "a": dict(zip(solution.after.tolist(), solution.after_values.tolist(), strict=True)),
        }

    def answer(self, line: str) -> str:
        """Return the answer to one query, without a line ending."""
        kind, *words = line.split() or [""]
        values = self._values.get(kind)
        if values is None:
            return f'? a query must begin with "b" or "a", not {_quote_line(kind)}'
        if len(words) != CELLS:
            return f"? a board must have {CELLS} tiles, not {len(words)}"
        wrong = [word for word in words if not _WHOLE.fullmatch(word)]
        if wrong:
            return f"? a tile must be a whole number, not {_quote_line(wrong[0])}"
        tiles = tuple(map(int, words))
        if min(tiles) < 0 or max(tiles) >= len(TILES):
            return IMPOSSIBLE
        value = values.get(canonical_code(tiles))
        return IMPOSSIBLE if value is None else f"= {value:.6f}"


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to each query; every line is one query."""
    solver = Solver(solve())
    return map(solver.answer, lines)


def _quote_line(word: str) -> str:
    return ascii(word[:20])


def main(arguments: Sequence[str] | None = None) -> None:
    """Answer queries from standard input until the end of the input."""
    argparse.ArgumentParser(
        prog="python -m bots solve fib2584",
        description="Read queries from standard input, one per line: b or a, and six tile indices.",
    ).parse_args(arguments)
    for answer in answer_lines(sys.stdin):
        print(answer, flush=True)
