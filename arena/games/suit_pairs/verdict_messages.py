"""The policy's messages about a match, keyed by code."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop

TURNED: Final = Template(
    "suit_pairs.verdict.turned",
    gettext_noop(
        "The turning point was decision %(turn)s: %(player)s played %(move)s, and the expected lead of "
        "%(winner)s went from %(before)s to %(after)s points. From then on, %(winner)s was ahead."
    ),
)
LED_THROUGHOUT: Final = Template(
    "suit_pairs.verdict.led_throughout", gettext_noop("%(winner)s was ahead from the first decision to the last.")
)
COSTLIEST: Final = Template(
    "suit_pairs.verdict.costliest",
    gettext_noop(
        "%(winner)s was ahead from the first decision to the last. %(player)s lost the most at decision %(turn)s: "
        "after %(move)s, the expected lead of %(winner)s went from %(before)s to %(after)s points."
    ),
)

VERDICTS: Final = (TURNED, LED_THROUGHOUT, COSTLIEST)
