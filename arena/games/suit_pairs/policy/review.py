"""Review a finished match with the learned policy: what decided it, and the expected lead after each decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.utils.translation import ngettext_lazy

from arena.games.review import Evaluation, Review, Verdict
from arena.games.suit_pairs.policy.judgement import Judgement, costliest_decision
from arena.games.suit_pairs.policy.judgements import judgement_of
from arena.games.suit_pairs.policy.match_panel import UnfinishedPanel, create_panel, turning_point_text
from arena.games.suit_pairs.policy.models import JudgementStatus
from arena.games.suit_pairs.verdict_messages import COSTLIEST, LED_THROUGHOUT, TURNED
from arena.matches.queries import seat_rows, unambiguous_names

_DECISIVE: Final = 20.0  # a lead in points that is hardly ever lost


def review(match_id: int) -> Review | None:
    """Return the review; None if there is no judgement yet or no judgement is possible."""
    found = judgement_of(match_id)
    if isinstance(found, JudgementStatus):
        return Review(panel=partial(UnfinishedPanel, has_failed=found == JudgementStatus.FAILED))
    if found is None or not found.decisions:
        return None
    names = tuple(unambiguous_names(seat_rows(match_id)))
    leads: list[float | None] = [None] * (found.decisions[-1].turn + 1)
    for one in found.decisions:
        leads[one.turn - 1] = one.lead
    leads[-1] = found.final
    verdict = _verdict(found, names)
    verdicts = (verdict,) if verdict else ()
    units = (ngettext_lazy("point", "points", 1), ngettext_lazy("point", "points", 2))
    return Review(verdicts, Evaluation(leads, units, _DECISIVE), lambda: create_panel(found, names))


def _verdict(found: Judgement, names: Sequence[str]) -> Verdict | None:
    """Return the verdict on the loser: the turning point or, if there is none, the costliest decision.

    Return None if the match was drawn or not completed.
    """
    if not found.completed or not found.final:
        return None
    loser = 1 if found.final > 0 else 0
    turning = found.turning or costliest_decision(found)
    if turning is None:
        return Verdict(loser, 0, LED_THROUGHOUT(winner=names[1 - loser]))
    return Verdict(
        loser, turning.judged.turn, turning_point_text(turning, names, TURNED if found.turning else COSTLIEST)
    )
