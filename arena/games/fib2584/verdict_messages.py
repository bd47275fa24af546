"""Messages for verdicts that are based on exact values, keyed by code."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop

WORST: Final = Template(
    "fib2584.verdict.worst",
    gettext_noop("%(name)s lost the most on turn %(turn)s: %(move)s lost %(regret)s points; %(best)s was best."),
)
STEADY: Final = Template(
    "fib2584.verdict.steady",
    gettext_noop("No single move by %(name)s cost a full point; all moves together cost %(regret)s points per game."),
)

VERDICTS: Final = (WORST, STEADY)
