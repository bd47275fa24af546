"""Schedule reruns of finished matches, and replace bots in matches that have not been played.

Invariants: a finished match keeps its record and result permanently; a replacement only changes which match counts.
``replaced_by`` refers directly to the match that counts now, however often the match was rerun. A seat changes only
before the match starts.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.services import MatchRequest, create_matches


def plan_rerun(match_id: int, *, seed: int, submissions: Sequence[int], withheld: bool) -> int | None:
    """Plan a new match that counts in place of a finished match; return its id.

    Return None if the old match has not finished or has already been replaced. The new match waits for ``release``.
    It has the settings and the audience of the old one, but its own ``seed`` and ``submissions``; ``withheld``
    determines whether its result is withheld.
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


def replace_submission(match_ids: Sequence[int], before: int, after: int) -> int:
    """Replace submission ``before`` with ``after`` in the seats of planned matches; return how many seats changed."""
    planned = Match.objects.filter(pk__in=match_ids, status=MatchStatus.PLANNED)
    return Seat.objects.filter(match__in=planned.values("pk"), submission_id=before).update(submission_id=after)
