"""Review a finished match by the learnt policy: its turning point, and the expected lead after each turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.core.messages import Message
from arena.games.review import Evaluation, Review, Verdict
from arena.games.suit_pairs.policy.judgements import Pending, judgement_of
from arena.games.suit_pairs.policy.judging import Turning
from arena.games.suit_pairs.site import SITE
from arena.games.suit_pairs.verdict_messages import TURNED
from arena.matches.queries import seat_lines

_DECISIVE: Final = 20.0  # points; hardly ever recovered


def review(match_id: int) -> Review | None:
    """Return the review; None if there is no judgement yet, or none is possible."""
    found = judgement_of(match_id)
    if found is None or isinstance(found, Pending) or not found.decisions:
        return None
    leads: list[float | None] = [None] * (found.decisions[-1].turn + 1)
    for one in found.decisions:
        leads[one.turn - 1] = one.lead
    leads[-1] = found.final
    verdicts = []
    if found.turning:
        message = turned(found.turning, [line.name for line in seat_lines(match_id)])
        verdicts.append(Verdict(1 - found.turning.winner, found.turning.judged.turn, message))
    return Review(tuple(verdicts), Evaluation(leads, _("points"), _DECISIVE))


def turned(turning: Turning, names: Sequence[str]) -> Message:
    """Return the turning point in a sentence; the move in the language of the page."""
    judged = turning.judged
    return TURNED(
        turn=judged.turn,
        player=names[judged.seat],
        move=label(judged.played),
        winner=names[turning.winner],
        before=f"{turning.before:.1f}",
        after=f"{turning.after:.1f}",
    )


def label(action: str) -> str:
    """Return an action's label for readers."""
    return str(SITE.move_label(action)) if SITE.move_label else action
