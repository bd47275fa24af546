"""The ladder plays when workers are idle, gives way to everything else, and says what it does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from arena.celery import Queue, app, queue_of
from arena.fleet.services import Post
from arena.leases.services import claim
from arena.matches import services as matches
from arena.matches.models import Match, MatchStatus, Purpose
from arena.ratings import idle, ladder, ladder_queries
from arena.ratings.idle import Room
from arena.ratings.ladder_queries import LadderState
from arena.ratings.models import LadderAbsence, LadderPause
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.claims import holds_back
from tests import factories
from tests.fleet.workers import NOW, post, worker
from tests.ratings.played import rated

pytestmark = pytest.mark.django_db
IDLE = Room(
    is_waiting=False,
    is_short=False,
    is_claimed=False,
    free={"reversi": 2, "golden_point": 0},
    served=frozenset({"reversi", "golden_point"}),
)


def tick(room: Room = IDLE) -> int:
    return ladder.tick(room, now=NOW, rng=random.Random(1))


def pool(count: int, game: str = "reversi") -> list[Submission]:
    found = [factories.bot(game=game).active for _ in range(count)]
    return [one for one in found if one is not None]


def ladder_matches() -> list[tuple[int, ...]]:
    rows = Match.objects.filter(purpose=Purpose.LADDER).order_by("pk")
    return [tuple(row.seats.values_list("submission_id", flat=True)) for row in rows]


def players() -> Post:
    return replace(post(), queues=("matches.reversi", "ladder.reversi"), concurrency=2)


def test_idle_workers_play() -> None:
    pool(6)
    assert tick() == 2
    assert len({entry for match in ladder_matches() for entry in match}) == 4
    match = Match.objects.filter(purpose=Purpose.LADDER)[0]
    assert match.status == MatchStatus.QUEUED
    assert match.requested_by is None
    assert match.settings["opening"]


@pytest.mark.parametrize(
    "room",
    [
        replace(IDLE, is_waiting=True),
        replace(IDLE, is_claimed=True),
        replace(IDLE, is_waiting=True, is_short=True),
        replace(IDLE, free={"reversi": 0}),
        replace(IDLE, free={}),
    ],
)
def test_busy_workers_do_not(room: Room) -> None:
    pool(4)
    assert tick(room) == 0
    assert ladder_matches() == []


def test_whoever_waits_without_a_free_worker_ends_what_the_ladder_plays() -> None:
    pool(4)
    tick()
    claim(matches.LANE, Match.objects.filter(purpose=Purpose.LADDER)[0].pk, worker="w", now=NOW)
    tick(replace(IDLE, is_waiting=True))
    assert Match.objects.filter(status=MatchStatus.CANCELLED).count() == 0
    other = factories.queued_match(purpose=Purpose.TOURNAMENT)
    tick(replace(IDLE, is_waiting=True, is_short=True))
    assert set(Match.objects.filter(purpose=Purpose.LADDER).values_list("status", flat=True)) == {"cancelled"}
    other.refresh_from_db()
    assert other.status == MatchStatus.QUEUED


def test_two_meet_on_both_sides_of_an_opening_before_the_next_one() -> None:
    pool(2)
    for _ in range(4):
        assert tick() == 1
        Match.objects.filter(purpose=Purpose.LADDER, status=MatchStatus.QUEUED).update(status=MatchStatus.FINISHED)
    seats = ladder_matches()
    assert seats[0] == seats[1][::-1] == seats[2] == seats[3][::-1]
    openings = [row.settings["opening"] for row in Match.objects.filter(purpose=Purpose.LADDER).order_by("pk")]
    assert openings[0] == openings[1] != openings[2] == openings[3]


def test_a_game_of_many_seats_plays_at_a_table() -> None:
    pool(9, "golden_point")
    assert tick(replace(IDLE, free={"golden_point": 3})) == 1
    assert [len(match) for match in ladder_matches()] == [ladder.TABLE_SEATS]


def test_who_is_in_the_pool() -> None:
    one, out, unchecked, retired, fresh = (factories.bot() for _ in range(5))
    ladder.keep_out(out.pk, now=NOW)
    unchecked.active = None
    unchecked.save()
    retired.retired = True
    retired.save()
    factories.submission(fresh, SubmissionStatus.FAILED)
    assert [candidate.entry for candidate in ladder.candidates("reversi", now=NOW)] == [one.active_id, fresh.active_id]
    ladder.let_in(out.pk)
    assert len(ladder.candidates("reversi", now=NOW)) == 3


def test_levels_for_people_to_play_against_are_on_no_ladder() -> None:
    level = factories.bot()
    level.level = 1
    level.save()
    assert ladder.candidates("reversi", now=NOW) == []


def test_the_least_known_play_first() -> None:
    for name in ("Ann", "Bob"):
        rated(1500, name, deviation=15, matches=400)
    fresh = [one.pk for one in pool(2)]
    tick(replace(IDLE, free={"reversi": 1}))
    assert [sorted(match) for match in ladder_matches()] == [sorted(fresh)]


def test_what_just_ended_is_not_played_again_before_it_is_rated() -> None:
    pool(3)
    tick(replace(IDLE, free={"reversi": 1}))
    first = ladder_matches()[0]
    Match.objects.filter(purpose=Purpose.LADDER).update(status=MatchStatus.FINISHED, finished_at=NOW)
    tick(replace(IDLE, free={"reversi": 1}))
    assert set(ladder_matches()[1]) != set(first)


def test_paused() -> None:
    pool(4)
    ladder.pause("reversi", now=NOW)
    ladder.pause("reversi", now=NOW)
    assert tick() == 0
    ladder.go_on("reversi")
    assert tick() == 2


def test_its_matches_wait_in_a_queue_of_their_own(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    pool(2)
    with app.connection_for_read() as connection:
        queue = queue_of(Queue.LADDER, "reversi")
        connection.default_channel.queue_purge(queue)
        with django_capture_on_commit_callbacks(execute=True):
            tick()
        assert connection.default_channel.queue_purge(queue) == 1


# --- what the fleet tells ---


@pytest.fixture
def claims() -> Iterator[list[bool]]:
    """What an app above claims, a fake of it."""
    asked = [False]

    def claim() -> bool:
        return asked[0]

    idle.register(claim)
    yield asked
    idle.unregister(claim)


def test_free_processes() -> None:
    assert idle.room(NOW).free == {"reversi": 0, "golden_point": 0}
    worker(players())
    room = idle.room(NOW)
    assert (room.free, room.served, room.is_idle) == ({"reversi": 2, "golden_point": 0}, {"reversi"}, True)
    pool(4)
    tick(room)
    assert idle.room(NOW).free["reversi"] == 0
    assert idle.room(NOW).is_idle


def test_somebody_waits() -> None:
    worker(players())
    factories.queued_match(purpose=Purpose.TOURNAMENT)
    room = idle.room(NOW)
    assert (room.is_waiting, room.is_short, room.is_idle) == (True, False, False)
    for _ in range(2):
        factories.queued_match(purpose=Purpose.TOURNAMENT)
    assert idle.room(NOW).is_short


def test_a_waiting_check_or_scrimmage_counts() -> None:
    worker(players())
    factories.submission(factories.bot(), SubmissionStatus.WAITING)
    assert idle.room(NOW).is_waiting
    Submission.objects.update(status=SubmissionStatus.PASSED)
    factories.queued_match(purpose=Purpose.SCRIMMAGE)
    assert idle.room(NOW).is_waiting


def test_an_app_above_may_claim_the_workers(claims: list[bool]) -> None:
    assert not idle.room(NOW).is_claimed
    claims[0] = True
    assert not idle.room(NOW).is_idle


def test_no_tournament_holds_anything_back() -> None:
    factories.queued_match(purpose=Purpose.TOURNAMENT)
    assert not holds_back()


# --- its page ---


def state(room: Room = IDLE) -> LadderState:
    return ladder_queries.state_of("reversi", room, now=NOW).state


def test_states() -> None:
    assert state() == LadderState.TOO_FEW
    pool(2)
    assert state() == LadderState.PLAYING
    assert state(replace(IDLE, is_claimed=True)) == LadderState.GIVING_WAY
    assert state(replace(IDLE, served=frozenset())) == LadderState.NO_WORKER
    ladder.pause("reversi", now=NOW)
    assert state() == LadderState.PAUSED


def test_it_rests_when_everything_is_known() -> None:
    for name in ("Ann", "Bob"):
        rated(1500, name, deviation=5)
    assert state() == LadderState.RESTING


def page(person: User | None = None, game: str = "reversi") -> str:
    client = Client()
    if person is not None:
        client.force_login(person)
    response = client.get(reverse("ladder", args=[game]))
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_explains_itself() -> None:
    assert "It waits for bots" in page()
    assert "Nothing has been played yet" in page()
    pool(2)
    assert "No worker takes matches" in page()
    tick()
    assert "It plays" in page()
    assert "All of its matches" in page()
    ladder.pause("reversi", now=NOW)
    assert "paused by the staff" in page()
    assert Client().get(reverse("ladder", args=["chess"])).status_code == 404


def test_an_author_keeps_a_bot_out_and_lets_it_in() -> None:
    owner = factories.person()
    bot = factories.bot(owner, name="Fox")
    client = Client()
    client.force_login(owner)
    assert "Keep Fox out" in page(owner)
    assert client.post(reverse("ladder-leave", args=[bot.pk])).status_code == 302
    assert LadderAbsence.objects.filter(bot=bot).exists()
    assert "Let Fox play" in page(owner)
    assert "Fox" not in page(factories.person())
    client.post(reverse("ladder-join", args=[bot.pk]))
    assert not LadderAbsence.objects.exists()
    assert client.post(reverse("ladder-join", args=[bot.pk + 99])).status_code == 404


@pytest.mark.parametrize("name", ["ladder-leave", "ladder-join"])
def test_nobody_else_does(name: str) -> None:
    bot = factories.bot()
    address = reverse(name, args=[bot.pk])
    assert Client().post(address).headers["Location"].startswith(reverse("login"))
    client = Client()
    client.force_login(factories.person())
    assert client.post(address).status_code == 403
    assert client.get(address).status_code == 405
    assert not LadderAbsence.objects.exists()


def test_staff_pauses_it() -> None:
    staff, student = factories.person(is_staff=True), factories.person()
    client = Client()
    client.force_login(student)
    assert client.post(reverse("ladder-pause", args=["reversi"])).status_code == 403
    assert "Pause the ladder" not in page(student)
    client.force_login(staff)
    assert "Pause the ladder" in page(staff)
    client.post(reverse("ladder-pause", args=["reversi"]))
    assert list(LadderPause.objects.values_list("game", flat=True)) == ["reversi"]
    assert "Let it go on" in page(staff)
    client.post(reverse("ladder-go-on", args=["reversi"]))
    assert not LadderPause.objects.exists()


def test_old_matches_do_not_count_as_pending() -> None:
    pool(2)
    tick()
    Match.objects.update(status=MatchStatus.FINISHED, finished_at=NOW - timedelta(hours=1))
    assert {candidate.pending for candidate in ladder.candidates("reversi", now=NOW)} == {0}
