"""What tournaments are about to ask of the workers."""

from __future__ import annotations

from collections.abc import Collection

from arena.matches.models import MatchStatus
from arena.tournaments.models import Pairing, TournamentStatus


def holds_back(games: Collection[str]) -> bool:
    """Whether a running tournament of one of these games has matches that it will release as its others end: one
    query.
    """
    planned = Pairing.objects.filter(match__status=MatchStatus.PLANNED, tournament__status=TournamentStatus.RUNNING)
    return planned.filter(tournament__game__in=games).exists()
