"""Review a finished match by the learned policy: its turning point, and the expected lead after each turn."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.games.review import Evaluation, Review, Verdict
from arena.games.suit_pairs.policy.judgements import Pending, judgement_of
from arena.games.suit_pairs.policy.match_panel import PendingPanel, panel_of, turned
from arena.matches.queries import seat_lines

_DECISIVE: Final = 20.0  # points; hardly ever recovered


def review(match_id: int) -> Review | None:
    """Return the review; None if there is no judgement yet, or none is possible."""
    found = judgement_of(match_id)
    if isinstance(found, Pending):
        return Review(panel=PendingPanel)
    if found is None or not found.decisions:
        return None
    names = tuple(line.name for line in seat_lines(match_id))
    leads: list[float | None] = [None] * (found.decisions[-1].turn + 1)
    for one in found.decisions:
        leads[one.turn - 1] = one.lead
    leads[-1] = found.final
    verdicts = []
    if found.turning:
        message = turned(found.turning, names)
        verdicts.append(Verdict(1 - found.turning.winner, found.turning.judged.turn, message))
    return Review(tuple(verdicts), Evaluation(leads, _("points"), _DECISIVE), lambda: panel_of(found, names))
