"""A scripted engine for tests, without processes or delays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from arena.games.reversi.analysis.engine import EngineError, EngineStopped
from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import DISC, EngineFinding
from arena.games.reversi.rules import COLORS, SQUARES

SCRIPTED_FAILURE: Final = "it was told to fail"


class ScriptedEngine:
    """An engine that reports the played move as best and the position as even, except for the plies in ``script``.

    ``fails_after``: number of findings before a failure, None for no failure.
    """

    def __init__(self, script: Mapping[int, EngineFinding] | None = None, fails_after: int | None = None) -> None:
        self._script, self._fails_after = dict(script or {}), fails_after
        self.analysed: list[Line] = []

    def __call__(self, line: Line, on_finding: Callable[[EngineFinding], None], stop: Callable[[], bool]) -> None:
        self.analysed.append(line)
        states = line.states()
        for number, ply in enumerate(reversed(range(len(states)))):
            if stop():
                raise EngineStopped
            if number == self._fails_after:
                raise EngineError(SCRIPTED_FAILURE)
            on_finding(self._script.get(ply) or self._even_finding(line, ply, states[ply].legal))

    def _even_finding(self, line: Line, ply: int, legal: int) -> EngineFinding:
        if ply < len(line.moves):
            return EngineFinding(ply, 0, False, 4, line.moves[ply], (line.moves[ply],), 0)
        best = SQUARES[(legal & -legal).bit_length() - 1] if legal else None
        return EngineFinding(ply, 0, False, 4, best, (best,) if best else ())


def exact(ply: int, discs: int, best: str, played: int) -> EngineFinding:
    """Return a finding for a ``ScriptedEngine``, with exact values in whole discs from black's point of view."""
    assert COLORS[0] == "X"  # noqa: S101 - the sign of every value
    return EngineFinding(ply, discs * DISC, True, 60 - ply, best, (best,), played * DISC)
