"""Count the positions that the house bots search, and compare the counts with those of minimax at the same depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section, Unit
from bots.reversi.house.engine.evaluation import Evaluation
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.search import Search, SearchFeatures
from bots.reversi.house.engine.table import TranspositionTable
from tests.bots.reversi.minimax import Minimax
from tests.bots.reversi.positions import MIDDLE_GAMES, position_after_line

DEPTH = 6
FEWER = 200  # minimum number of repetitions
LINES = (MIDDLE_GAMES[0], MIDDLE_GAMES[1][:36])  # minimax searches two and a half million positions


@dataclass(frozen=True, slots=True)
class SearchVariant:
    """A search with the features in ``parts``.

    ``deepens``: whether the search deepens iteratively instead of starting at full depth.
    """

    parts: SearchFeatures
    deepens: bool = False

    def search(self, evaluate: Evaluation, position: tuple[int, int], depth: int) -> tuple[int, int]:
        """Return the value and the number of searched positions, including those in shallower iterations."""
        search = Search(evaluate, TranspositionTable(), self.parts)
        for each in range(1 if self.deepens else depth, depth + 1):
            value = search.value(*position, each)
        return value, search.nodes


VARIANTS: Mapping[str, SearchVariant] = {
    "alpha-beta": SearchVariant(SearchFeatures(ordering=False, table=False, windows=False)),
    "+ ordering": SearchVariant(SearchFeatures(table=False, windows=False)),
    "+ transposition table": SearchVariant(SearchFeatures(windows=False)),
    "+ deepening, all depths counted": SearchVariant(SearchFeatures(windows=False), deepens=True),
    "+ empty windows for all but the first move": SearchVariant(SearchFeatures(), deepens=True),
}


def run(depth: int = DEPTH) -> Section:
    """Count each search's nodes over all positions; a row fails if any value differs from minimax's."""
    evaluate = learned_evaluation()
    positions = [position_after_line(line) for line in LINES]
    plain = Minimax(evaluate)
    values = [plain.value(*position, depth) for position in positions]
    minimax = Sample((plain.nodes,))
    rows = [Row(f"positions at depth {depth}: minimax", minimax, unit=Unit.COUNT)]
    for name, variant in VARIANTS.items():
        found = [variant.search(evaluate, position, depth) for position in positions]
        wrong = sum(value != true for (value, _), true in zip(found, values, strict=True))
        last = name == list(VARIANTS)[-1]
        rows.append(
            Row(
                name,
                Sample((sum(nodes for _, nodes in found),)),
                (Comparison("rival: minimax", minimax),),
                Goal(1 / FEWER, GoalQuantity.RATIO) if last else None,
                Unit.COUNT,
                f"{wrong} values differ" if wrong else "",
            )
        )
    return Section(
        "search of Reversi", tuple(rows), (f"{len(positions)} positions of recorded matches; all find one value",)
    )
