"""Summarize an analysis in a sentence or two: where the game was lost."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.games.reversi.move_grades import GradedMove, turning_point, worst


def verdict(judged: Sequence[GradedMove], names: Sequence[str], lead: int | None) -> list[str]:
    """In the order of the moves. ``names``: of black and white; ``lead``: black's at the end, None before it."""
    found: list[tuple[int, str]] = []
    for seat in (0, 1):
        turn = turning_point(judged, seat)
        lost = lead is not None and (lead < 0 if seat == 0 else lead > 0)
        if turn:
            found.append((turn.ply, _given_away(turn, names[seat], lost=lost)))
        elif most := worst(judged, seat):
            found.append((most.ply, _worst(most, names[seat])))
    return [sentence for _ply, sentence in sorted(found)]


def _given_away(turn: GradedMove, name: str, *, lost: bool) -> str:
    values = {"name": name, "n": turn.ply, "move": turn.move, "best": turn.finding.best, "discs": turn.discs}
    if turn.exact and lost:
        text = ngettext(
            "%(name)s lost the game at move %(n)s: %(move)s gives up %(discs)s disc, %(best)s would have held it.",
            "%(name)s lost the game at move %(n)s: %(move)s gives up %(discs)s discs, %(best)s would have held it.",
            turn.discs,
        )
    elif turn.exact:
        text = ngettext(
            "%(name)s gave the result away at move %(n)s: %(move)s loses %(discs)s disc, better was %(best)s.",
            "%(name)s gave the result away at move %(n)s: %(move)s loses %(discs)s discs, better was %(best)s.",
            turn.discs,
        )
    elif lost:
        text = ngettext(
            "%(name)s probably lost the game at move %(n)s: %(move)s gives up about %(discs)s disc, "
            "%(best)s looks better.",
            "%(name)s probably lost the game at move %(n)s: %(move)s gives up about %(discs)s discs, "
            "%(best)s looks better.",
            turn.discs,
        )
    else:
        text = ngettext(
            "%(name)s fell behind at move %(n)s: %(move)s gives up about %(discs)s disc, %(best)s looks better.",
            "%(name)s fell behind at move %(n)s: %(move)s gives up about %(discs)s discs, %(best)s looks better.",
            turn.discs,
        )
    return text % values


def _worst(most: GradedMove, name: str) -> str:
    values = {"name": name, "n": most.ply, "move": most.move, "best": most.finding.best, "discs": most.discs}
    if most.exact:
        return _("%(name)s lost most at move %(n)s: %(move)s loses %(discs)s discs, better was %(best)s.") % values
    return (
        _("%(name)s lost most at move %(n)s: %(move)s gives up about %(discs)s discs, %(best)s looks better.") % values
    )
