"""Having finished matches played again, and changing who sits in matches that were not played.

Invariants: a finished match keeps its record and its result for ever; what changes is that another one counts in its
place. ``replaced_by`` leads to the one that counts now, however often it was played again, so that a visitor is one
step away from it. A seat changes hands only while nobody has begun to play.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.services import MatchRequest, create_matches


def play_again(match_id: int, *, seed: int, submissions: Sequence[int], withheld: bool) -> int | None:
    """Plan a match like a finished one, which does not count any more; None where that was not finished or replaced.

    It waits for ``release``. Who may see it follows from the old one, and from ``withheld`` as it is now.
    """
    with transaction.atomic():
        old = Match.objects.select_for_update().get(pk=match_id)
        if old.status != MatchStatus.FINISHED or old.replaced_by_id is not None:
            return None
        request = MatchRequest(
            game=old.game,
            settings=old.settings,
            limits=old.limits,
            seed=seed,
            purpose=Purpose(old.purpose),
            submissions=tuple(submissions),
            requested_by=old.requested_by_id,
            withheld=withheld,
            audience=old.audience_id,
        )
        (new,) = create_matches([request], planned=True)
        Match.objects.filter(pk=old.pk).update(replaced_by_id=new)
        Match.objects.filter(replaced_by_id=old.pk).update(replaced_by_id=new)
    return new


def reseat(match_ids: Sequence[int], before: int, after: int) -> int:
    """Give the seats of a submission in planned matches to another one; returns how many changed hands."""
    planned = Match.objects.filter(pk__in=match_ids, status=MatchStatus.PLANNED)
    return Seat.objects.filter(match__in=planned.values("pk"), submission_id=before).update(submission_id=after)
