"""Exempt the records of a tournament from the retention of old matches (arena.matches.retention)."""

from __future__ import annotations

from django.db.models import Q

from arena.tournaments.models import Tournament

# The matches of exempt tournaments, including replaced ones.
KEPT = Q(pairing__tournament__keeps_records=True) | Q(replaced_by__pairing__tournament__keeps_records=True)


def keep_records(tournament_id: int, keep: bool) -> None:
    """Keep the records and logs of its matches permanently, or subject them to the operator's retention again."""
    Tournament.objects.filter(pk=tournament_id).update(keeps_records=keep)
