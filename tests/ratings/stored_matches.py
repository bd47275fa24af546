"""Store finished matches without playing them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.ratings.models import Rating
from arena.submissions.models import Submission
from tests import factories

START = datetime(2026, 3, 2, 12, tzinfo=UTC)


def store_match(
    submissions: Sequence[Submission],
    ranks: Sequence[int],
    *,
    day: float = 0,
    purpose: Purpose = Purpose.TOURNAMENT,
    status: MatchStatus = MatchStatus.FINISHED,
) -> Match:
    """Store a match that ended ``day`` days after ``START``."""
    match = Match.objects.create(
        game=submissions[0].bot.game,
        seed=1,
        purpose=purpose,
        status=status,
        finished_at=START + timedelta(days=day) if status == MatchStatus.FINISHED else None,
    )
    Seat.objects.bulk_create(
        Seat(match=match, index=index, submission=one, rank=rank)
        for index, (one, rank) in enumerate(zip(submissions, ranks, strict=True))
    )
    return match


def create_rating(value: float, name: str, game: str = "reversi", *, deviation: float = 50, matches: int = 4) -> Rating:
    """Create a bot with a rated active submission and return the rating."""
    bot = factories.bot(game=game, name=name)
    assert bot.active is not None
    return Rating.objects.create(
        submission=bot.active,
        game=game,
        value=value,
        deviation=deviation,
        matches=matches,
        wins=matches,
        draws=0,
        losses=0,
    )
