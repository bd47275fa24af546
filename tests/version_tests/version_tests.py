"""Helpers that start version tests and store chosen results for their matches."""

from __future__ import annotations

import random
from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from arena.core.ranking.version_test import Gain
from arena.games.base import Outcome, Termination
from arena.matches.callbacks import StoredResult, callbacks_of
from arena.matches.models import Match, MatchStatus, Seat
from arena.submissions.models import Bot
from arena.version_tests import services
from arena.version_tests.models import VersionTest
from tests import factories
from tests.platform.workers.workers import NOW
from tests.ratings.ladders import IDLE

Points = Callable[[VersionTest, int], float]  # the new version's points in the match with this index


def two_versions(game: str = "reversi") -> Bot:
    """Create a bot with two versions, of which version 1 is active."""
    made = factories.bot(game=game)
    factories.submission(made)
    return made


def begin_test(bot: Bot, gain: Gain = Gain.LARGE) -> VersionTest:
    old, new = bot.submissions.order_by("number")
    return services.start(bot.owner, bot.pk, new=new.pk, old=old.pk, gain=gain, rng=random.Random(1))


def tick(spare: object = IDLE) -> None:
    services.tick(spare, now=NOW)  # type: ignore[arg-type]


def matches_of(test: VersionTest) -> list[Match]:
    """Return the test's matches in the order of pairs and legs."""
    rows = Match.objects.filter(version_test_match__pair__test=test)
    return list(rows.order_by("version_test_match__pair__number", "version_test_match__leg"))


def finish_match(test: VersionTest, match: Match, new: float, old: float | None = None) -> None:
    """Store the scores ``new`` and ``old`` as a worker does; by default, they add up to 1."""
    points = {test.new_id: new, test.old_id: 1 - new if old is None else old}
    with transaction.atomic():
        for seat in match.seats.all():
            Seat.objects.filter(pk=seat.pk).update(points=points.get(seat.submission_id or 0, 0.0), rank=1)
        Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED, finished_at=timezone.now())
        callbacks = callbacks_of(match.purpose)
        assert callbacks is not None
        callbacks.finished(StoredResult(match.pk, Outcome((), (), (), Termination.COMPLETED), ()))


def play_out(test: VersionTest, points: Points, most: int = 400) -> VersionTest:
    """Finish queued matches with the results from ``points`` until the test ends or ``most`` matches are finished."""
    played = 0
    while test.status in ("waiting", "running") and played < most:
        tick()
        for match in [one for one in matches_of(test) if one.status == MatchStatus.QUEUED]:
            finish_match(test, match, points(test, played))
            played += 1
        services.advance(test.pk, may_plan=False, now=NOW)
        test.refresh_from_db()
    return test
