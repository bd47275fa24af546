"""An organizer's announcements to all entrants: a line in the activity log, and a notification."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.notifications.models import Kind
from arena.notifications.services import notify
from arena.platform.refusal import Refused
from arena.tournaments import lifecycle
from arena.tournaments.events.notifications import entrants
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import status_event
from arena.tournaments.models import ActivityKind, Tournament

TITLE_LENGTH = 100
TEXT_LENGTH = 2000


def announce(tournament_id: int, title: str, text: str, *, actor: User) -> int:
    """Publish an announcement on the tournament's page and notify all entrants; return how many were notified."""
    if not title or not text:
        raise Refused(_("An announcement needs a title and a message. Enter both."), code="text_missing")
    with transaction.atomic():
        version = lifecycle.raise_version(tournament_id)
        tournament = Tournament.objects.get(pk=tournament_id)
        line = log_activity(tournament_id, ActivityKind.ANNOUNCED, actor=actor, text=text, details={"title": title})
        notified = notify(
            Kind.ANNOUNCEMENT,
            entrants(tournament),
            {"title": f"{tournament.name}: {title}", "text": text, "tournament_id": tournament_id},
            event=f"tournament/{tournament_id}/announcement/{line.pk}",
        )
        publish_event(tournament_id, version, status_event(tournament_id, tournament.status))
    return notified
