"""The review of a finished match: the round from which its winner led until the end."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from arena.core.referee.record import Record
from arena.games.base import Termination
from arena.games.golden_point.analysis.sources import GAME
from arena.games.golden_point.analysis.verdict import verdict
from arena.games.golden_point.evaluation.final_lead import FinalLead, final_lead, standings
from arena.games.golden_point.rules import GAME as RULES
from arena.games.review import Review, Verdict
from arena.matches.models import Match
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.records import record_of

_MAX_MOVES: Final = 100_000  # in a match that is reviewed while the page loads
_KEPT: Final = 24 * 3600  # seconds

_Found = tuple[FinalLead, int]  # the lead and the number of rounds


def review(match_id: int) -> Review | None:
    """Return the review; None if the match has no record or no result, or is too long to review while a page loads.

    The lead is cached; the names are read every time, because they are in the reader's language.
    """
    match = Match.objects.filter(pk=match_id, game=GAME).values_list("turns", "seed").first()
    lines = seat_rows(match_id)
    if match is None or match[0] * len(lines) > _MAX_MOVES:
        return None
    key = f"golden-point-lead/{match_id}/{match[1]}"  # the seed, because ids are reused after a database reset
    found: _Found | None = cache.get(key)
    if found is None:
        record = record_of(match_id)
        found = lead_of(record) if record else None
        if found is None:
            return None
        cache.set(key, found, _KEPT)
    lead, rounds = found
    turn, message = verdict(lead, rounds, unambiguous_names(lines))
    return Review(tuple(Verdict(line.index, turn, message, is_round=True) for line in lines))


def lead_of(record: Record) -> _Found | None:
    """Return the final lead and the number of rounds; None if the match has no turns or reached its time limit."""
    if record.outcome.termination is Termination.TIME_LIMIT or not record.turns:
        return None
    return final_lead(standings(record)), RULES.settings(record.settings).rounds
