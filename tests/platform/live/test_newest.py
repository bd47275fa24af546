"""The newest event of a topic has the sequence number of the topic's snapshot, for every kind of topic."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.accounts.models import Role
from arena.games.golden_point.rooms.live.snapshots import snapshot as room_snapshot
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.games.golden_point.rooms.services import NewRoom, close_due_rounds, create_room
from arena.matches import services
from arena.matches.snapshots import snapshot as match_snapshot
from arena.platform.jobs.lifecycle import claim
from arena.platform.live.topics import Topic, newest
from arena.submissions.queries import snapshot as check_snapshot
from arena.tournaments import lifecycle
from arena.tournaments.events.snapshots import snapshot as tournament_snapshot
from arena.tournaments.models import Format, Standing, Tournament
from tests import factories

pytestmark = pytest.mark.django_db


def test_match_is_followed_from_its_snapshot() -> None:
    match = factories.queued_match()
    assert newest(Topic("matches", match.pk)) == match_snapshot(match.pk)["seq"]
    assert claim(services.JOBS, match.pk, worker="a", now=timezone.now())
    assert newest(Topic("matches", match.pk)) == 0  # the match's worker resends lost events
    services.cancel([match.pk])
    assert newest(Topic("matches", match.pk)) == match_snapshot(match.pk)["seq"] > 1_000_000


def test_tournament_is_followed_from_its_snapshot() -> None:
    tournament = Tournament.objects.create(
        name="Spring cup",
        game="reversi",
        format=Format.ROUND_ROBIN,
        deadline=timezone.now(),
        organizer=factories.person(role=Role.ORGANIZER),
        seed=1,
    )
    Standing.objects.create(tournament=tournament)
    lifecycle.raise_version(tournament.pk)
    assert newest(Topic("tournaments", tournament.pk)) == tournament_snapshot(tournament.pk)["seq"] > 0


def test_check_is_followed_from_its_snapshot() -> None:
    submission = factories.submission(factories.bot())
    submission.event_seq = 3
    submission.save()
    assert newest(Topic("submissions", submission.pk)) == check_snapshot(submission.pk)["seq"] == 3


def test_room_is_followed_from_its_snapshot() -> None:
    now = timezone.now()
    number = create_room(NewRoom(RoomTerms(seconds=3)), now)
    close_due_rounds(now + timedelta(seconds=3))
    found = room_snapshot(number, now)
    assert found is not None
    assert newest(Topic("rooms", number)) == found["seq"] == 1


@pytest.mark.parametrize("prefix", ["matches", "tournaments", "submissions", "rooms", "nothing"])
def test_missing_object_has_no_events(prefix: str) -> None:
    assert newest(Topic(prefix, 10**30)) == 0
