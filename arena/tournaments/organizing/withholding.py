"""Releasing the results that an organizer has withheld.

What is hidden until then says arena.tournaments.telling.hiding.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.matches.models import Match
from arena.tournaments import lifecycle
from arena.tournaments.lifecycle import TournamentRefused
from arena.tournaments.models import NoticeKind, Tournament, TournamentStatus
from arena.tournaments.telling.announcing import announce, note
from arena.tournaments.telling.notifying import tell
from arena.tournaments.telling.snapshots import entries_event


def release_results(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Show everybody the standings, rounds and matches, also those to come; raises TournamentRefused."""
    with transaction.atomic():
        version = lifecycle.touch(tournament_id)
        released = Tournament.objects.filter(pk=tournament_id, withheld=True).update(withheld=False, released_at=now)
        if not released:
            raise TournamentRefused(_("The results are not withheld."))
        for path in ("pairing", "replaced_by__pairing"):
            Match.objects.filter(**{f"{path}__tournament_id": tournament_id}, withheld=True).update(withheld=False)
        note(tournament_id, NoticeKind.RELEASED, actor=actor)
        if Tournament.objects.filter(pk=tournament_id, status=TournamentStatus.FINISHED).exists():
            tell(tournament_id, NoticeKind.FINISHED)
        announce(tournament_id, version, {**entries_event(tournament_id), "type": "released", "refetch": True})
