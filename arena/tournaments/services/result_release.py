"""Release results that an organizer has withheld.

arena.tournaments.events.redaction defines what is hidden until then.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.matches.models import Match
from arena.matches.services import ENDING
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.events import notifications
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event
from arena.tournaments.models import ActivityKind, Tournament, TournamentStatus

_ALL: Final = Q()


def release_results(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Make the results so far and all later ones public. Raises Refused.

    Matches that may be ending become public only after the tournament's row has been unlocked; see
    arena.tournaments.rounds.reconciliation.
    """
    with transaction.atomic():
        version = lifecycle.raise_version(tournament_id)
        released = Tournament.objects.filter(pk=tournament_id, withheld=True).update(withheld=False, released_at=now)
        if not released:
            raise Refused(_("The results are already public. Reload the page."), code="not_withheld")
        _publish_matches(tournament_id, ~ENDING)
        log_activity(tournament_id, ActivityKind.RELEASED, actor=actor)
        if Tournament.objects.filter(pk=tournament_id, status=TournamentStatus.FINISHED).exists():
            notifications.notify_of_activity(tournament_id, ActivityKind.FINISHED)
        publish_event(tournament_id, version, {**entries_event(tournament_id), "type": "released", "refetch": True})
    _publish_matches(tournament_id)


def _publish_matches(tournament_id: int, which: Q = _ALL) -> None:
    for path in ("pairing", "replaced_by__pairing"):
        rows = Match.objects.filter(which, **{f"{path}__tournament_id": tournament_id}, withheld=True)
        rows.update(withheld=False)
