"""The link from a match to what explains it."""

from __future__ import annotations

from arena.accounts.permissions import Person
from arena.games.golden_point.analysis.sources import GAME
from arena.matches.models import Match, MatchStatus


def explained_match(match_id: int, reader: Person) -> int | None:
    """The match, if it is a finished one of the golden point; its page has made sure that the reader may see it."""
    finished = Match.objects.filter(pk=match_id, game=GAME, status=MatchStatus.FINISHED)
    return match_id if finished.exists() else None
