"""Set or extend a deadline, and accept entries again.

Rules: a deadline can be extended, but not brought forward; a tournament without a deadline can be given one. The
deadline can be changed until a match is paired: while the tournament is open, and while its entries are frozen. If they
are frozen, they open again as if they had never been frozen: pinned submissions are unpinned, and excluded bots are
entered again, because their authors can upload until the new deadline. The start moves with the deadline if they were
equal, or if the start would precede the new deadline.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event, status_event
from arena.tournaments.models import ActivityKind, Entry, EntryStatus, Tournament, TournamentStatus

_S = TournamentStatus


def extend_deadline(tournament_id: int, deadline: datetime, *, actor: User, now: datetime) -> None:
    """Extend the deadline. Raises Refused if the tournament has started or the time is not later."""
    if deadline <= now:
        raise Refused(_("This time has passed. Choose a later deadline."), code="deadline_passed")
    with transaction.atomic():
        version = lifecycle.raise_version_if_status(tournament_id, (_S.OPEN, _S.FROZEN))
        if version is None:
            raise Refused(
                _("The tournament has started or is over, so its deadline can no longer be changed. Reload the page."),
                code="already_started",
            )
        tournament = Tournament.objects.get(pk=tournament_id)
        before = tournament.deadline
        if before is not None and deadline <= before:
            raise Refused(_("The new deadline is not later than the old one. Choose a later time."), code="not_later")
        follows = tournament.starts_at is not None and (
            tournament.starts_at == before or tournament.starts_at < deadline
        )
        starts_at = deadline if follows else tournament.starts_at
        Tournament.objects.filter(pk=tournament_id).update(deadline=deadline, starts_at=starts_at)
        opened = (
            _undo_freeze(tournament_id) if tournament.status == _S.FROZEN else lifecycle.raise_version(tournament_id)
        )
        details = {"before": before.isoformat() if before else "", "after": deadline.isoformat()}
        log_activity(tournament_id, ActivityKind.EXTENDED, actor=actor, details=details)
        publish_event(tournament_id, version, entries_event(tournament_id))
        publish_event(tournament_id, opened, status_event(tournament_id, _S.OPEN))


def _undo_freeze(tournament_id: int) -> int:
    """Undo the freeze; return the tournament's new version. The caller must hold the lock on the tournament's row."""
    version = lifecycle.change_status(tournament_id, _S.OPEN, only_from=_S.FROZEN)
    if version is None:
        raise Refused(
            _("The tournament has started or is over, so its deadline can no longer be changed. Reload the page."),
            code="already_started",
        )
    entries = Entry.objects.filter(tournament_id=tournament_id)
    entries.filter(status=EntryStatus.EXCLUDED).update(status=EntryStatus.ENTERED, reason="")
    entries.update(submission=None)
    return version
