"""The organizer's controls for a tournament: start now, pause, resume, cancel."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.entries.freezing import freeze
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import status_event
from arena.tournaments.models import (
    ActivityKind,
    EndReason,
    EntryStatus,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.rounds.reconciliation import MIN_ENTRIES, reconcile, start

_S = TournamentStatus


def start_now(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Accept no more entries, and start as soon as running checks have ended. Raises Refused."""
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.status not in (_S.OPEN, _S.FROZEN):
        raise Refused(
            _("This tournament has already been started or cancelled. Reload the page."), code="already_started"
        )
    if tournament.entries.filter(status=EntryStatus.ENTERED).count() < MIN_ENTRIES:
        raise Refused(
            _("A tournament needs at least two bots. Wait for entries or add house bots."), code="too_few_bots"
        )
    with transaction.atomic():
        version = lifecycle.raise_version_if_status(tournament_id, (_S.OPEN, _S.FROZEN))
        if version is None:
            raise Refused(
                _("This tournament has already been started or cancelled. Reload the page."), code="already_started"
            )
        runs_on = Q(deadline=None) | Q(deadline__gt=now)
        Tournament.objects.filter(runs_on, pk=tournament_id, status=_S.OPEN).update(deadline=now)
        Tournament.objects.filter(pk=tournament_id).update(starts_at=now)
        log_activity(tournament_id, ActivityKind.ORDERED, actor=actor)
        publish_event(tournament_id, version, status_event(tournament_id, tournament.status))
    freeze(tournament_id, now=now)
    start(tournament_id, now=now)


def pause(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Let running matches finish, but do not start any more. Raises Refused."""
    _change_status(tournament_id, _S.PAUSED, ActivityKind.PAUSED, actor, now)


def resume(tournament_id: int, *, actor: User, now: datetime) -> None:
    _change_status(tournament_id, _S.RUNNING, ActivityKind.RESUMED, actor, now, only_from=_S.PAUSED)


def cancel_tournament(tournament_id: int, *, actor: User, now: datetime) -> None:
    """Cancel a tournament, which then has no result; completed matches can still be viewed. Raises Refused."""
    _change_status(
        tournament_id,
        _S.CANCELLED,
        ActivityKind.CANCELLED,
        actor,
        now,
        finished_at=now,
        end_reason=EndReason.BY_ORGANIZER,
    )


def _change_status(
    tournament_id: int,
    target: TournamentStatus,
    kind: ActivityKind,
    actor: User,
    now: datetime,
    *,
    only_from: TournamentStatus | None = None,
    **changes: object,
) -> None:
    with transaction.atomic():
        version = lifecycle.change_status(tournament_id, target, only_from=only_from, **changes)
        if version is None:
            status = Tournament.objects.get(pk=tournament_id).get_status_display()
            raise Refused(
                _("This is not possible while the tournament's status is “%(status)s”. Reload the page.")
                % {"status": status},
                code="wrong_status",
            )
        log_activity(tournament_id, kind, actor=actor)
        publish_event(tournament_id, version, status_event(tournament_id, target))
    reconcile(tournament_id, now=now)
