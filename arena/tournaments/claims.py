"""What tournaments are about to ask of the workers."""

from __future__ import annotations

from arena.matches.models import MatchStatus
from arena.tournaments.models import Pairing, TournamentStatus


def holds_back() -> bool:
    """Whether a running tournament has matches that it will release as its others end: one query."""
    planned = Pairing.objects.filter(match__status=MatchStatus.PLANNED, tournament__status=TournamentStatus.RUNNING)
    return planned.exists()
