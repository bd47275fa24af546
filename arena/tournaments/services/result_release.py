"""Release results that an organizer has withheld.

arena.tournaments.events.redaction defines what is hidden until then.

Invariant: matches that may be ending become public only after the tournament's row has been unlocked; see
arena.tournaments.rounds.reconciliation. If the process dies before that, the scheduler completes the release.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
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
_COMPLETION_PERIOD: Final = timedelta(days=1)  # how long after a release the scheduler checks that it is complete


def release_results(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Make the results so far and all later ones public. Raises Refused."""
    with transaction.atomic():
        version = lifecycle.raise_version(tournament_id)
        released = Tournament.objects.filter(pk=tournament_id, withheld=True).update(withheld=False, released_at=now)
        if not released:
            raise Refused(_("The results are already public. Reload the page."), code="not_withheld")
        publish_matches(tournament_id, ~ENDING)
        log_activity(tournament_id, ActivityKind.RELEASED, actor=actor)
        if Tournament.objects.filter(pk=tournament_id, status=TournamentStatus.FINISHED).exists():
            notifications.notify_of_activity(tournament_id, ActivityKind.FINISHED)
        publish_event(tournament_id, version, {**entries_event(tournament_id), "type": "released", "refetch": True})
    publish_matches(tournament_id)


def incomplete_releases(*, now: datetime) -> list[int]:
    """Return the ids of recently released tournaments that have matches that are not public yet. Runs one query."""
    current, replaced = _withheld_matches(OuterRef("pk"))
    released = Tournament.objects.filter(withheld=False, released_at__gt=now - _COMPLETION_PERIOD)
    return list(released.filter(Exists(current) | Exists(replaced)).values_list("pk", flat=True))


def publish_matches(tournament_id: int, which: Q = _ALL) -> None:
    """Make the matches of a released tournament public, or only those that satisfy ``which``."""
    for matches in _withheld_matches(tournament_id):
        matches.filter(which).update(withheld=False)


def _withheld_matches(tournament: int | OuterRef) -> tuple[QuerySet[Match], QuerySet[Match]]:
    """Return the tournament's withheld matches that count, and those that were replaced."""
    withheld = Match.objects.filter(withheld=True)
    return withheld.filter(pairing__tournament=tournament), withheld.filter(replaced_by__pairing__tournament=tournament)
