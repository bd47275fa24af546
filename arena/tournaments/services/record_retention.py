"""The organizer's choice of what happens to the records, logs and turn pages of a tournament's matches.

``arena.matches.retention`` does the work. It also applies the operator's rule to all tournaments that are not exempt.
So an organizer can have match data deleted or moved earlier than the rule requires, or exempt the tournament from the
rule, but cannot set a longer period.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from arena.tournaments.models import RecordRetention, Tournament, TournamentStatus

_OVER = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
# The matches of tournaments whose records are exempt from retention, including replaced matches.
EXEMPT = Q(pairing__tournament__record_retention=RecordRetention.KEEP) | Q(
    replaced_by__pairing__tournament__record_retention=RecordRetention.KEEP
)


def choose_retention(tournament_id: int, choice: str, days: int | None) -> None:
    """Set what happens to the data of the tournament's matches; ``days``: days after the end, for REDUCE only."""
    Tournament.objects.filter(pk=tournament_id).update(record_retention=choice, record_days=days)


def matches_due_by_choice(now: datetime) -> Sequence[Q]:
    """Return filters for the matches of tournaments whose chosen retention period has expired.

    Replaced matches are included.
    """
    reduced = Tournament.objects.filter(record_retention=RecordRetention.REDUCE, status__in=_OVER)
    ended = reduced.values_list("pk", "finished_at", "record_days")
    over = [pk for pk, at, days in ended if at is not None and at + timedelta(days=days or 0) <= now]
    if not over:
        return ()
    return (Q(pairing__tournament__in=over), Q(replaced_by__pairing__tournament__in=over))
