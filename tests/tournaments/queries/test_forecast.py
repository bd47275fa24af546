"""Forecasts of a tournament's duration: the number of matches comes from the format, their length from measurements."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.core.duration_estimate import DurationRange, PlayedMatch
from arena.core.fair_share_simulation import Batch
from arena.core.referee.check_report import CheckStep, CheckStepName, StepState
from arena.core.referee.messages import SLOW_THINKER
from arena.core.referee.record import Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn, dump
from arena.games.base import Termination
from arena.games.registry import GAMES
from arena.matches.models import Match, Purpose, Seat
from arena.platform.workers.models import Worker
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.tournaments.durations.expected_end import expected_end
from arena.tournaments.durations.samples import Basis, Sample, best_sample, checked_matches, recent_matches
from arena.tournaments.durations.worker_load import WorkerLoad, worker_load
from arena.tournaments.models import Standing, Tournament
from arena.tournaments.queries.forecast import forecasts, load_for_plan
from arena.tournaments.services import controls
from tests import factories
from tests.tournaments.form_data import NOW, form
from tests.tournaments.harness import TournamentHarness

ALONE = WorkerLoad(1)


COLUMNS = ("game", "format", "options", "repeats", "matches_per_encounter", "settings", "limits", "parallel")


def sampled(match: PlayedMatch) -> Sample:
    return Sample(Basis.MATCHES, [match] * 20)


def columns(**changes: Any) -> dict[str, Any]:
    filled = form(**changes)
    assert filled.is_valid()
    return filled.plan().columns()


@pytest.mark.parametrize(
    ("changes", "matches"),
    [
        ({"openings": "start", "matches_per_encounter": "1"}, 45),
        ({"matches_per_encounter": "2", "repeats": "3"}, 270),
        ({"format": "knockout", "matches_per_encounter": "2", "third_place": "on"}, 20),
        ({"format": "knockout", "matches_per_encounter": "2"}, 18),
        ({"format": "gauntlet", "matches_per_encounter": "1"}, 21),  # three house bots play the other seven
        ({"format": "swiss", "rounds": "4", "matches_per_encounter": "1"}, 20),
    ],
)
@pytest.mark.django_db
def test_number_of_matches_depends_on_format(changes: dict[str, Any], matches: int) -> None:
    (found,) = forecasts(columns(**changes), [10], house_bots=3, sample=Sample(Basis.ASSUMPTION), load=ALONE)
    assert found.matches == matches


@pytest.mark.django_db
def test_duration_depends_on_matches_and_workers() -> None:
    plan = columns(openings="start", matches_per_encounter="1")
    sample = sampled(PlayedMatch(60, 60, 2, 20.0))
    one, four = (
        forecasts(plan, [10], house_bots=0, sample=sample, load=WorkerLoad(processes))[0].expected
        for processes in (1, 4)
    )
    assert one == DurationRange(12 * 60, 20 * 60)  # 45 matches
    assert four == DurationRange(3 * 60, 5 * 60)  # 12 after each other


@pytest.mark.django_db
def test_rounds_that_depend_on_earlier_ones_cannot_be_played_at_once() -> None:
    sample = sampled(PlayedMatch(60, 60, 2, 60.0))
    plan = columns(format="knockout", matches_per_encounter="1")
    many = WorkerLoad(100)
    (found,) = forecasts(plan, [64], house_bots=0, sample=sample, load=many)
    assert found.expected == DurationRange(5 * 60, 8 * 60), "six rounds of a minute"


@pytest.mark.django_db
def test_large_table_takes_longer_than_a_small_one() -> None:
    sample = sampled(PlayedMatch(100, 100, 5, 10.0))
    plan = {
        **columns(),
        "game": "golden_point",
        "format": "table",
        "matches_per_encounter": 1,
        "settings": {"numbers": 2, "rounds": 100},
    }
    at_one_table, at_tables_of_five = (
        [found.expected for found in forecasts(one, [10, 60], house_bots=0, sample=sample, load=ALONE)]
        for one in (plan, {**plan, "options": {"seats": 5}})
    )
    assert at_one_table == at_tables_of_five == [DurationRange(15, 30), DurationRange(90, 150)]


def finished(purpose: Purpose = Purpose.TOURNAMENT, **changes: Any) -> Match:
    """Create a match of 50 turns at half a second each, in which the bots took five seconds more."""
    match = factories.queued_match(purpose=purpose)
    Match.objects.filter(pk=match.pk).update(
        **{
            "status": "finished",
            "turns": 50,
            "limits": {"pace_seconds": 0.5},
            "fence": 1,
            "started_at": NOW,
            "finished_at": NOW + timedelta(seconds=30),
            **changes,
        }
    )
    return match


@pytest.mark.django_db
def test_sample_excludes_the_spectator_delay_but_not_thinking() -> None:
    assert recent_matches("reversi") == []
    match = finished()
    assert recent_matches("reversi") == [PlayedMatch(50, 60, 2, pytest.approx(5))]
    Seat.objects.filter(match=match).update(seconds=4)
    assert recent_matches("reversi") == [PlayedMatch(50, 60, 2, pytest.approx(8))]


@pytest.mark.django_db
def test_sample_contains_only_undisturbed_matches_of_tournaments_and_the_ladder() -> None:
    finished(fence=2)  # lost its worker and waited for another
    finished(status="running")
    finished(Purpose.SCRIMMAGE)
    finished(turns=0)
    assert recent_matches("reversi") == []
    finished(Purpose.LADDER)
    assert len(recent_matches("reversi")) == 1
    assert recent_matches("golden_point") == []


@pytest.mark.django_db
def test_sample_takes_one_query(django_assert_num_queries: Any) -> None:
    for _ in range(3):
        finished()
    with django_assert_num_queries(1):
        assert len(recent_matches("reversi")) == 3


PARTIES = (Batch("matches:user:1", 0, 300.0, running=(200.0, 250.0)), Batch("matches:user:2", 30, 20.0))


@pytest.mark.django_db
def test_tournament_that_starts_now_waits_for_what_the_workers_play() -> None:
    """Three matches of four seconds end only when long matches free a worker (measured: five minutes)."""
    plan = {
        **columns(),
        "game": "golden_point",
        "format": "table",
        "repeats": 3,
        "matches_per_encounter": 1,
        "settings": {"numbers": 2, "rounds": 400},
    }
    sample = sampled(PlayedMatch(400, 400, 11, 4.0))
    alone, loaded = (
        forecasts(plan, [11], house_bots=11, sample=sample, load=load, organizer=3)[0].expected
        for load in (WorkerLoad(2), WorkerLoad(2, PARTIES))
    )
    assert alone.high <= 15
    assert 150 <= loaded.low < 240 < loaded.high <= 400


@pytest.mark.django_db
def test_tournaments_with_few_matches_left_hardly_extend_a_forecast() -> None:
    plan = columns(openings="start", matches_per_encounter="1", repeats="8")
    sample = sampled(PlayedMatch(60, 60, 2, 240.0))
    ending = tuple(Batch(f"matches:user:{n}", 1, 10.0) for n in range(6))
    alone, loaded = (
        forecasts(plan, [2], house_bots=2, sample=sample, load=load)[0].expected
        for load in (WorkerLoad(2), WorkerLoad(2, ending))
    )
    assert loaded == alone


@pytest.mark.django_db
def test_fresh_site_shows_an_assumption_and_what_the_time_limits_permit() -> None:
    plan = columns(format="groups", group_size="4", advance="2", matches_per_encounter="1", move_seconds="5")
    (found,) = forecasts(plan, [8], house_bots=0, sample=Sample(Basis.ASSUMPTION), load=ALONE)
    assert found.expected.low <= found.matches * 60 * 1 <= found.expected.high
    assert found.permitted >= found.matches * 60 * 5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db
def test_fresh_site_estimates_from_the_typical_match_of_a_game(game: str) -> None:
    """A class cup of eight bots takes minutes, not hours."""
    sample = best_sample(game)
    assert sample.basis == Basis.TYPICAL
    (typical,) = sample.matches
    assert typical.turns <= typical.max_turns
    assert GAMES[game].min_seats <= typical.seats
    plan = {
        **columns(format="groups", group_size="4", advance="2", matches_per_encounter="1", move_seconds="5"),
        "game": game,
        "settings": {},
    }
    (found,) = forecasts(plan, [8], house_bots=0, sample=sample, load=WorkerLoad(2))
    assert found.expected.low <= found.seconds <= found.expected.high
    assert found.expected.high <= 30 * 60


def checked(seconds: float, bot: Bot | None = None) -> None:
    """Create a submission whose check played a match of 60 turns; its bot made every second move."""
    record = Record(
        version=3,
        game="reversi",
        settings=GAMES["reversi"].settings_json(GAMES["reversi"].settings({})),
        seed=1,
        limits={},
        seats=[RecordedSeat("checked bot", ""), RecordedSeat("house bot", "")],
        turns=[RecordedTurn(n, [RecordedMove(n % 2, "D3", seconds=seconds / 30)]) for n in range(1, 61)],
        outcome=RecordedOutcome([1.0, 0.0], [1, 2], [2.0, -2.0], Termination.COMPLETED),
    )
    submission = factories.submission(bot or factories.bot())
    Submission.objects.filter(pk=submission.pk).update(status="passed", record=dump(record))


@pytest.mark.django_db
def test_upload_checks_replace_missing_matches() -> None:
    for _ in range(2):
        checked(6)
    assert best_sample("reversi").basis == Basis.TYPICAL
    checked(6)
    sample = best_sample("reversi")
    assert sample.basis == Basis.CHECKS
    (found,) = forecasts(
        columns(openings="start", matches_per_encounter="1"), [10], house_bots=0, sample=sample, load=ALONE
    )
    assert found.expected.low <= 45 * 12 <= found.expected.high, "45 matches in which both bots need six seconds"
    waiting = factories.submission(factories.bot(), SubmissionStatus.CHECKING)
    assert best_sample("reversi").basis == Basis.CHECKS
    Bot.objects.filter(pk=waiting.bot_id).update(is_house=True)
    assert best_sample("reversi").basis == Basis.TYPICAL, "fast bots pass their checks first"
    for _ in range(10):
        finished()
    assert best_sample("reversi").basis == Basis.MATCHES


@pytest.mark.django_db
def test_sample_of_checks_contains_slow_bots_whose_match_ended_early() -> None:
    message = SLOW_THINKER(n=30)
    step = CheckStep(CheckStepName.MATCH, StepState.PASSED, message, seconds=60.0).to_json()
    Submission.objects.filter(pk=factories.submission(factories.bot()).pk).update(steps=[step])
    assert checked_matches("reversi") == [PlayedMatch(60, 60, 2, 240.0)]


@pytest.mark.django_db
def test_load_contains_running_upload_checks() -> None:
    factories.submission(factories.bot(), SubmissionStatus.CHECKING)
    load = worker_load("reversi", now=NOW)
    assert [(batch.party, len(batch.running)) for batch in load.others] == [("checks:", 1)]


@pytest.mark.django_db
def test_sample_consists_of_the_known_bots_if_they_have_met_often_enough() -> None:
    for _ in range(12):
        finished()
    fast = finished()
    bots = list(fast.seats.values_list("submission__bot", flat=True))
    submissions = list(fast.seats.values_list("submission", flat=True))
    assert best_sample("reversi", bots=bots).basis == Basis.MATCHES
    for match in [finished(finished_at=NOW + timedelta(seconds=27)) for _ in range(10)]:
        for seat, submission in zip(match.seats.order_by("index"), submissions, strict=True):
            Seat.objects.filter(pk=seat.pk).update(submission=submission)
    sample = best_sample("reversi", bots=bots)
    assert (sample.basis, len(sample.matches)) == (Basis.BOTS, 11)


@pytest.mark.long
def test_load_consists_of_running_tournaments_and_other_work(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3, parallel=2)
    stage.create_tournament()
    factories.queued_match(purpose=Purpose.SCRIMMAGE)
    factories.queued_match(purpose=Purpose.LADDER)
    Worker.objects.create(
        host="h", pid=1, concurrency=3, queues=["matches.reversi"], version="1", started_at=NOW, heartbeat_at=NOW
    )
    later = stage.start_tournament(2, matches_per_encounter=1)
    load = worker_load("reversi", now=NOW)
    assert load.ids[:2] == (cup.pk, later.pk), "workers play the older tournament of one organizer first"
    stage.run_committed(controls.cancel_tournament, later.pk, actor=stage.organizer, now=stage.now)
    load = worker_load("reversi", now=NOW)
    assert (load.processes, load.ids, load.matches) == (3, (cup.pk, None), 4), "the ladder waits until all else is done"
    assert (load.others[0].waiting, load.others[0].at_once) == (3, 2)
    assert load_for_plan("reversi", starts_now=False, now=NOW) == WorkerLoad(3)
    assert worker_load("golden_point", now=NOW) == WorkerLoad(0), "other games do not use these processes"


@pytest.mark.long
def test_running_tournament_and_wizard_agree(stage: TournamentHarness) -> None:
    """A tournament without results is expected to take as long as the wizard said."""
    for _ in range(12):
        finished()
    sample = best_sample("reversi")
    cup = stage.start_tournament(4, matches_per_encounter=1)
    now = timezone.now()
    Tournament.objects.filter(pk=cup.pk).update(started_at=now)
    plan = {name: getattr(cup, name) for name in COLUMNS}
    (found,) = forecasts(plan, [4], house_bots=0, sample=sample, load=WorkerLoad(1))
    ends_at = datetime.fromisoformat(stage.snapshot(cup)["progress"]["ends_at"])
    assert (ends_at - now).total_seconds() == pytest.approx(found.seconds, abs=5)
    assert found.expected.low <= found.seconds <= found.expected.high


@pytest.mark.long
def test_no_end_is_expected_while_nothing_progresses(stage: TournamentHarness) -> None:
    for _ in range(12):
        finished()
    cup = stage.start_tournament(4)
    started = timezone.now()
    Tournament.objects.filter(pk=cup.pk).update(started_at=started)
    standing = Standing.objects.select_related("tournament").get(tournament=cup)
    assert expected_end(standing, now=started + timedelta(minutes=1))
    later = started + timedelta(minutes=12)
    assert expected_end(standing, now=later) is None
    stage.begin_match(stage.matches(cup)[0])
    Match.objects.filter(status="running").update(started_at=later)
    assert expected_end(standing, now=later)
