"""Build finished golden-point matches, and rooms with closed rounds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena.core.referee.record import VERSION, dump
from arena.matches.models import Match, MatchRecord, MatchStatus, Seat
from tests import factories
from tests.tournaments.recorded import record_of


def create_finished_match(seats: int = 3, seed: int = 1, **changes: object) -> Match:
    """Create a finished match with random moves."""
    bots = [factories.bot(game="golden_point", name=f"bot {place}") for place in range(seats)]
    match = factories.queued_match(bots, game="golden_point")
    match.settings = {"numbers": 2, "rounds": 8}
    match.limits = {"move_seconds": 1.0, "start_seconds": 1.0, "illegal_answers": 3}
    seated: Sequence[Seat] = list(match.seats.select_related("submission__bot"))
    record = record_of(match, list(seated), random.Random(seed), crash=False)
    MatchRecord.objects.create(match=match, version=VERSION, data=dump(record))
    match.status, match.turns, match.termination = MatchStatus.FINISHED, len(record.turns), "completed"
    for name, value in changes.items():
        setattr(match, name, value)
    match.save()
    return match
