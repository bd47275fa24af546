"""Messages for an analysis's verdicts on how a seat played, keyed by code."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Message, Template, gettext_noop

LOST_PROVEN: Final = Template(
    "reversi.verdict.lost_proven",
    gettext_noop(
        "%(name)s lost the match at move %(n)s: %(move)s gives up %(discs)s; %(best)s would have avoided the loss."
    ),
)
GAVE_AWAY: Final = Template(
    "reversi.verdict.gave_away",
    gettext_noop("%(name)s threw away a better result at move %(n)s: %(move)s loses %(discs)s; %(best)s was better."),
)
LOST_PROBABLY: Final = Template(
    "reversi.verdict.lost_probably",
    gettext_noop(
        "%(name)s probably lost the match at move %(n)s: %(move)s gives up about %(discs)s; %(best)s looks better."
    ),
)
FELL_BEHIND: Final = Template(
    "reversi.verdict.fell_behind",
    gettext_noop("%(name)s fell behind at move %(n)s: %(move)s gives up about %(discs)s; %(best)s looks better."),
)
WORST_PROVEN: Final = Template(
    "reversi.verdict.worst_proven",
    gettext_noop("%(name)s lost the most at move %(n)s: %(move)s loses %(discs)s; %(best)s was better."),
)
WORST_PROBABLY: Final = Template(
    "reversi.verdict.worst_probably",
    gettext_noop("%(name)s lost the most at move %(n)s: %(move)s gives up about %(discs)s; %(best)s looks better."),
)
NO_TURNING_POINT: Final = Template(
    "reversi.verdict.no_turning_point",
    gettext_noop("The analysis found no turning point: no move by %(name)s gives up a whole disc."),
)
NO_TURNING_POINT_IN_DRAW: Final = Template(
    "reversi.verdict.no_turning_point_in_draw",
    gettext_noop("The analysis found no turning point: no move gives up a whole disc."),
)
_DISC: Final = Template("reversi.verdict.disc", gettext_noop("%(n)s disc"))
_DISCS: Final = Template("reversi.verdict.discs", gettext_noop("%(n)s discs"))
_DISCS_AND_EMPTY: Final = Template(
    "reversi.verdict.discs_and_empty", gettext_noop("%(n)s discs (empty squares count for the winner)")
)

VERDICTS: Final = (
    LOST_PROVEN,
    GAVE_AWAY,
    LOST_PROBABLY,
    FELL_BEHIND,
    WORST_PROVEN,
    WORST_PROBABLY,
    NO_TURNING_POINT,
    NO_TURNING_POINT_IN_DRAW,
    _DISC,
    _DISCS,
    _DISCS_AND_EMPTY,
)


def discs(n: int, *, with_empty: bool = False) -> Message:
    """Format a number of discs: "1 disc", "15 discs".

    ``with_empty``: whether to explain that the number includes the empty squares.
    """
    if with_empty:
        return _DISCS_AND_EMPTY(n=n)
    return (_DISC if n == 1 else _DISCS)(n=n)
