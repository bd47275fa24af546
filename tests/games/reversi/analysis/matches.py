"""Finished matches for the analysis tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.record import VERSION, dump
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.matches.models import Match, MatchRecord, MatchStatus, Seat
from tests.core.referee.matches import play_to_end, reversi_spec
from tests.factories import bot, queued_match

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
# The shortest possible match: black captures every disc with its last move.
OPENING, BLACK, WHITE = "E6F4", ("E3", "G5", "E7", "C5"), ("F6", "D6", "F5")
MOVES = "E6F4E3F6G5D6E7F5C5"


def finished_match(black: User | None = None, white: User | None = None, **columns: object) -> Match:
    """Return a match that black won in nine moves, the first two of which were the opening."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, list(map(ScriptedTurn, moves))) for moves in (BLACK, WHITE)]
    record = play_to_end(replace(reversi_spec(), settings={"opening": OPENING}), players, clock)[0].record
    match = queued_match([bot(black), bot(white)])
    MatchRecord.objects.create(match=match, version=VERSION, data=dump(record))
    for index, (points, rank) in enumerate(((1.0, 1), (0.0, 2))):
        Seat.objects.filter(match=match, index=index).update(points=points, rank=rank)
    changes = {"status": MatchStatus.FINISHED, "termination": "completed", "turns": 7, "finished_at": NOW, **columns}
    Match.objects.filter(pk=match.pk).update(**changes)
    return Match.objects.get(pk=match.pk)
