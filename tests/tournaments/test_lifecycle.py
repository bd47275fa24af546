"""From the deadline to the end, by ticks and by an organizer's hand."""

import random
from datetime import timedelta

import pytest

from arena.games.reversi_openings import BALANCED
from arena.matches.models import Match, MatchStatus
from arena.ratings.models import Rating
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments import clockwork, controls, entering, lifecycle, replaying, rounds, scheduling
from arena.tournaments.drawing import match_seed
from arena.tournaments.freezing import PATIENCE, checks_under_way, freeze
from arena.tournaments.lifecycle import TRANSITIONS, TournamentRefused
from arena.tournaments.models import (
    EndReason,
    EntryReason,
    EntryStatus,
    Format,
    NoticeKind,
    Openings,
    Seeding,
    Tournament,
    TournamentStatus,
)
from tests import factories
from tests.tournaments.stage import Stage

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def status(tournament) -> str:
    tournament.refresh_from_db()
    return tournament.status


def kinds(tournament) -> list[str]:
    return [notice.kind for notice in tournament.notices.order_by("pk")]


def test_every_status_has_its_transitions_and_the_ends_are_ends() -> None:
    assert set(TRANSITIONS) == set(TournamentStatus)
    assert TRANSITIONS[TournamentStatus.CANCELLED] == frozenset()
    with pytest.raises(ValueError, match="does not lead"):
        lifecycle.move(1, TournamentStatus.RUNNING, only_from=TournamentStatus.OPEN)


def test_a_tournament_freezes_starts_and_finishes_by_itself(stage: Stage) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, 3)
    stage.tick()
    assert status(tournament) == TournamentStatus.OPEN
    stage.pass_time(HOUR)
    stage.tick()
    stage.tick()
    assert status(tournament) == TournamentStatus.RUNNING
    assert [entry.submission_id for entry in tournament.entries.all()] == [
        entry.bot.active_id for entry in tournament.entries.all()
    ]
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 3
    for match in stage.matches(tournament):
        stage.begin(match)
        stage.end(match, (1, 2))
    assert status(tournament) == TournamentStatus.FINISHED
    assert kinds(tournament)[-3:] == [NoticeKind.FROZEN, NoticeKind.STARTED, NoticeKind.FINISHED]
    assert tournament.finished_at is not None


def test_live_events_are_numbered_without_a_gap(stage: Stage) -> None:
    tournament = stage.running(3)
    for match in stage.matches(tournament):
        stage.begin(match)
        stage.end(match, (1, 2))
    tournament.refresh_from_db()
    events = stage.events(tournament)
    assert [event["seq"] for event in events] == list(range(1, tournament.version + 1))
    assert [event["type"] for event in events if event["type"] == "result"] == ["result"] * 3
    assert events[-1] == {
        "seq": tournament.version,
        "type": "status",
        "status": "finished",
        "progress": {"finished": 3, "total": 3, "running": 0, "failed": 0, "ends_at": None},
    }
    assert stage.shown(tournament)["seq"] == tournament.version


def test_a_start_after_the_deadline_waits_and_one_without_time_waits_for_the_organizer(stage: Stage) -> None:
    later = stage.tournament(starts_at=stage.now + 2 * HOUR)
    by_hand = stage.tournament(starts_at=None)
    for tournament in (later, by_hand):
        stage.enter(tournament, 2)
    stage.pass_time(HOUR)
    stage.tick()
    assert status(later) == status(by_hand) == TournamentStatus.FROZEN
    stage.pass_time(HOUR)
    stage.tick()
    assert status(later) == TournamentStatus.RUNNING
    assert status(by_hand) == TournamentStatus.FROZEN
    stage.do(controls.start_now, by_hand.pk, actor=stage.organizer, now=stage.now)
    assert status(by_hand) == TournamentStatus.RUNNING


@pytest.mark.parametrize("entries", [0, 1])
def test_fewer_than_two_entries_cancel_with_an_explanation(stage: Stage, entries: int) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, entries)
    stage.pass_time(HOUR)
    stage.tick()
    assert status(tournament) == TournamentStatus.CANCELLED
    assert tournament.end_reason == EndReason.TOO_FEW_ENTRIES
    assert kinds(tournament)[-1] == NoticeKind.CANCELLED


def test_two_ticks_at_once_do_everything_once(stage: Stage) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, 4)
    stage.pass_time(HOUR)
    assert stage.do(freeze, tournament.pk, now=stage.now)
    assert not stage.do(freeze, tournament.pk, now=stage.now)
    assert stage.do(scheduling.start, tournament.pk, now=stage.now)
    assert not stage.do(scheduling.start, tournament.pk, now=stage.now)
    version = stage.shown(tournament)["seq"]
    for _ in range(3):
        stage.tick()
    assert len(stage.matches(tournament)) == 6
    assert stage.shown(tournament)["seq"] == version
    assert kinds(tournament).count(NoticeKind.STARTED) == 1


def test_an_upload_in_time_is_waited_for_and_then_plays(stage: Stage) -> None:
    tournament = stage.tournament()
    late = stage.bot(tournament, playable=False)
    stage.enter(tournament, [late, stage.bot(tournament), stage.bot(tournament)])
    upload = factories.submission(late, SubmissionStatus.CHECKING)
    stage.pass_time(HOUR)
    stage.tick()
    assert status(tournament) == TournamentStatus.OPEN
    assert checks_under_way(tournament.pk, tournament.deadline) == 1
    Submission.objects.filter(pk=upload.pk).update(status=SubmissionStatus.PASSED)
    late.active = upload
    late.save()
    stage.tick()
    assert status(tournament) == TournamentStatus.RUNNING
    assert tournament.entries.get(bot=late).submission == upload


def test_a_check_that_does_not_end_is_not_waited_for_forever(stage: Stage) -> None:
    tournament = stage.tournament()
    stuck = stage.bot(tournament, playable=False)
    stage.enter(tournament, [stuck, stage.bot(tournament), stage.bot(tournament)])
    factories.submission(stuck, SubmissionStatus.WAITING)
    stage.pass_time(HOUR + PATIENCE)
    stage.tick()
    assert status(tournament) == TournamentStatus.RUNNING
    entry = tournament.entries.get(bot=stuck)
    assert (entry.status, entry.reason) == (EntryStatus.EXCLUDED, EntryReason.CHECK_UNFINISHED)


def test_bots_without_a_submission_that_passed_are_excluded_and_told_why(stage: Stage) -> None:
    tournament = stage.tournament()
    empty, failed, void = (stage.bot(tournament, playable=False) for _ in range(3))
    retired = stage.bot(tournament)
    stage.enter(tournament, [empty, failed, void, retired, stage.bot(tournament), stage.bot(tournament)])
    factories.submission(failed, SubmissionStatus.FAILED)
    factories.submission(void, SubmissionStatus.VOID)
    retired.retired = True
    retired.save()
    stage.pass_time(HOUR)
    stage.tick()
    reasons = {entry.bot_id: entry.reason for entry in tournament.entries.filter(status=EntryStatus.EXCLUDED)}
    assert reasons == {
        empty.pk: EntryReason.NO_UPLOAD,
        failed.pk: EntryReason.CHECK_FAILED,
        void.pk: EntryReason.CHECK_VOID,
        retired.pk: EntryReason.RETIRED,
    }
    assert kinds(tournament).count(NoticeKind.EXCLUDED) == 4
    assert len(stage.matches(tournament)) == 1
    rows = {row["name"]: row for row in stage.shown(tournament)["rows"]}
    assert rows[failed.name]["status"] == "excluded"
    assert rows[failed.name]["reason"] == "check_failed"


def test_an_upload_after_the_deadline_does_not_play(stage: Stage) -> None:
    tournament = stage.tournament()
    bot = stage.bot(tournament)
    in_time = bot.active
    stage.enter(tournament, [bot, stage.bot(tournament)])
    late = factories.submission(bot)
    Submission.objects.filter(pk=late.pk).update(uploaded_at=tournament.deadline + MINUTE)
    bot.active = late
    bot.save()
    stage.pass_time(HOUR + 2 * MINUTE)
    stage.tick()
    assert tournament.entries.get(bot=bot).submission == in_time


def test_start_now_closes_entries_and_needs_two(stage: Stage) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, 1)
    with pytest.raises(TournamentRefused, match="at least two"):
        controls.start_now(tournament.pk, actor=stage.organizer, now=stage.now)
    stage.enter(tournament, 1)
    stage.pass_time(MINUTE)
    stage.do(controls.start_now, tournament.pk, actor=stage.organizer, now=stage.now)
    assert status(tournament) == TournamentStatus.RUNNING
    assert tournament.deadline == stage.now
    with pytest.raises(TournamentRefused):
        controls.start_now(tournament.pk, actor=stage.organizer, now=stage.now)


def test_only_so_many_matches_are_handed_out_at_once(stage: Stage) -> None:
    tournament = stage.running(4, parallel=1)
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 1
    for left in range(5, -1, -1):
        (match,) = stage.matches(tournament, MatchStatus.QUEUED)
        stage.begin(match)
        stage.tick()
        assert not stage.matches(tournament, MatchStatus.QUEUED)
        stage.end(match, (1, 2))
        assert len(stage.matches(tournament, MatchStatus.PLANNED)) <= 2, "rounds come as they are needed"
        assert stage.shown(tournament)["progress"]["finished"] == 6 - left
        assert stage.shown(tournament)["progress"]["total"] == 6
    assert status(tournament) == TournamentStatus.FINISHED


def test_a_pause_takes_back_what_no_worker_has_and_a_resume_goes_on(stage: Stage) -> None:
    tournament = stage.running(4)
    playing, *_ = stage.matches(tournament)
    stage.begin(playing)
    stage.do(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    assert status(tournament) == TournamentStatus.PAUSED
    assert len(stage.matches(tournament, MatchStatus.PLANNED)) == 5
    stage.end(playing, (2, 1))
    stage.tick()
    assert status(tournament) == TournamentStatus.PAUSED
    assert not stage.matches(tournament, MatchStatus.QUEUED)
    with pytest.raises(TournamentRefused, match="Paused"):
        controls.pause(tournament.pk, actor=stage.organizer, now=stage.now)
    stage.do(controls.resume, tournament.pk, actor=stage.organizer, now=stage.now)
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 5
    with pytest.raises(TournamentRefused):
        controls.resume(tournament.pk, actor=stage.organizer, now=stage.now)


def test_what_is_given_back_during_a_pause_waits(stage: Stage) -> None:
    tournament = stage.running(3)
    stage.do(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    match = stage.matches(tournament)[0]
    match.status = MatchStatus.QUEUED
    match.save()
    stage.tick()
    assert not stage.matches(tournament, MatchStatus.QUEUED)


def test_a_cancelled_tournament_plays_no_more(stage: Stage) -> None:
    tournament = stage.running(4)
    playing, done, *_ = stage.matches(tournament)
    stage.begin(playing)
    stage.end(done, (1, 2))
    stage.do(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    assert status(tournament) == TournamentStatus.CANCELLED
    assert tournament.end_reason == EndReason.BY_ORGANIZER
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 5
    assert stage.shown(tournament)["progress"] == {
        "finished": 1,
        "total": 1,
        "running": 0,
        "failed": 0,
        "ends_at": None,
    }
    with pytest.raises(TournamentRefused, match="Cancelled"):
        controls.cancel_tournament(tournament.pk, actor=stage.organizer, now=stage.now)


def test_an_interrupted_cancellation_is_completed_by_the_next_tick(stage: Stage) -> None:
    tournament = stage.running(3)
    tournament.status = TournamentStatus.CANCELLED
    tournament.save()
    stage.tick()
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 3
    assert clockwork.tick(now=stage.now) == 0


def test_a_void_match_is_shown_told_and_can_be_played_again(stage: Stage) -> None:
    tournament = stage.running(3)
    void, *others = stage.matches(tournament)
    stage.void(void)
    for match in others:
        stage.end(match, (1, 2))
    assert status(tournament) == TournamentStatus.FINISHED
    assert stage.shown(tournament)["progress"]["failed"] == 1
    assert NoticeKind.MATCH_VOID in kinds(tournament)
    assert sum(row["played"] for row in stage.shown(tournament)["rows"]) == 4

    stage.do(replaying.replay, tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)
    assert status(tournament) == TournamentStatus.RUNNING
    assert tournament.finished_at is None
    stage.end(void, (1, 2))
    assert status(tournament) == TournamentStatus.FINISHED
    assert sum(row["played"] for row in stage.shown(tournament)["rows"]) == 6
    with pytest.raises(TournamentRefused, match="Say why"):
        replaying.replay(tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)


def test_one_broken_tournament_does_not_stop_the_others(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = stage.tournament(), stage.tournament()
    stage.enter(sound, 2)
    stage.enter(broken, 2)
    stage.pass_time(HOUR)
    type(broken).objects.filter(pk=broken.pk).update(game="no such game", format=Format.TABLE, repeats=0)
    stage.tick()
    assert status(sound) == TournamentStatus.RUNNING


def test_a_table_is_set_as_often_as_planned(stage: Stage) -> None:
    tournament = stage.running(5, Format.TABLE, repeats=3)
    matches = stage.matches(tournament)
    assert [match.seats.count() for match in matches] == [5, 5, 5]
    assert len({match.seed for match in matches}) == 3
    orders = {tuple(seat.submission_id for seat in match.seats.order_by("index")) for match in matches}
    assert len(orders) == 3


@pytest.mark.parametrize("entries", [6, 30])
def test_a_start_costs_the_same_for_any_number_of_matches(
    stage: Stage, django_assert_max_num_queries, entries: int
) -> None:
    tournament = stage.tournament(repeats=50, parallel=2)
    stage.enter(tournament, entries)
    stage.pass_time(HOUR)
    freeze(tournament.pk, now=stage.now)
    with django_assert_max_num_queries(110):  # ten of them tell those who play
        stage.do(scheduling.start, tournament.pk, now=stage.now)
    assert tournament.rounds.count() <= 2
    assert stage.shown(tournament)["progress"]["total"] == 50 * entries * (entries - 1) // 2


def test_a_withdrawn_entry_leaves_a_walkover_in_each_round_to_come(stage: Stage) -> None:
    tournament = stage.running(4, parallel=1)
    leaver = tournament.entries.first()
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        stage.end(match, (1, 2))
    stage.do(entering.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    stage.play_all(tournament, random.Random(1))
    assert status(tournament) == TournamentStatus.FINISHED
    seats = tournament.pairings.filter(seats__entry=leaver)
    assert seats.count() == 3
    assert seats.filter(match=None).exists()
    assert stage.shown(tournament)["progress"]["total"] == tournament.pairings.filter(match__status="finished").count()


def test_two_schedulers_pair_a_round_once(stage: Stage) -> None:
    tournament = stage.running(4, Format.SWISS)
    assert tournament.rounds.count() == 1
    for match in stage.matches(tournament):
        stage.begin(match)
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.PAUSED)
    for match in stage.matches(tournament):
        stage.end(match, (1, 2))
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.RUNNING)
    field = rounds.field_of(tournament, with_rounds=True)
    assert rounds.pair_next(tournament.pk, now=stage.now)
    tournament.refresh_from_db()
    assert not rounds._still(tournament, field), "a second scheduler that worked on the old state creates nothing"
    assert not rounds.pair_next(tournament.pk, now=stage.now)
    assert tournament.rounds.count() == 2


def test_seeds_follow_from_the_tournament_and_not_from_the_order_of_creation(stage: Stage) -> None:
    def seeds(parallel: int) -> list[int]:
        tournament = stage.running(5, parallel=parallel, repeats=2)
        Tournament.objects.filter(pk=tournament.pk).update(seed=5)
        tournament.refresh_from_db()
        return [match_seed(tournament, number, 1, 1, 1) for number in range(1, 4)]

    assert seeds(1) == seeds(8)
    tournament = stage.running(3, games=2)
    for pairing in tournament.pairings.all():
        place = (pairing.round.number, pairing.encounter, pairing.leg, 1)
        assert pairing.match.seed == match_seed(tournament, *place)


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCKOUT])
def test_an_encounter_is_played_with_both_colours_from_one_balanced_opening(stage: Stage, format_: Format) -> None:
    tournament = stage.running(8, format_, games=2, openings=Openings.BALANCED)
    encounters: dict[tuple[int, int], list[Match]] = {}
    for pairing in tournament.pairings.select_related("round", "match"):
        encounters.setdefault((pairing.round.number, pairing.encounter), []).append(pairing.match)
    for first, second in encounters.values():
        black, white = (match.seats.get(index=0).submission for match in (first, second))
        assert black != white
        assert black == second.seats.get(index=1).submission
        assert first.settings == second.settings
        assert first.settings["opening"] in BALANCED
    assert len({first.settings["opening"] for first, _ in encounters.values()}) > 1


def test_a_double_round_robin_meets_twice_in_one_opening(stage: Stage) -> None:
    tournament = stage.running(4, Format.DOUBLE_ROUND_ROBIN, openings=Openings.BALANCED)
    drawn: dict[frozenset[int], list[str]] = {}
    for match in stage.matches(tournament):
        seats = frozenset(match.seats.values_list("submission_id", flat=True))
        drawn.setdefault(seats, []).append(match.settings["opening"])
    assert len(drawn) == 6
    assert all(len(openings) == 2 and len(set(openings)) == 1 for openings in drawn.values())


def test_a_knockout_waits_for_a_void_match_to_be_played_again(stage: Stage) -> None:
    tournament = stage.running(4, Format.KNOCKOUT)
    void, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.end(other, (1, 2))
    stage.void(void)
    stage.tick()
    assert tournament.rounds.count() == 1
    stage.do(replaying.replay, tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)
    stage.end(void, (2, 1))
    assert tournament.rounds.count() == 2
    winner = void.pairing.seats.get(index=1).entry_id
    assert tournament.pairings.filter(round__number=2, bracket="final", seats__entry=winner).exists()


def test_a_knockout_goes_on_when_somebody_withdraws(stage: Stage) -> None:
    tournament = stage.running(4, Format.KNOCKOUT)
    left, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.end(other, (1, 2))
    leaver, stayer = (seat.entry for seat in left.pairing.seats.order_by("index"))
    stage.do(entering.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    assert tournament.pairings.filter(round__number=2, bracket="final", seats__entry=stayer).exists()
    stage.play_all(tournament, random.Random(2))
    assert status(tournament) == TournamentStatus.FINISHED
    assert {row["rank"] for row in stage.shown(tournament)["rows"]} >= {1, 2, 3}


def test_seeds_by_rating_put_the_best_first(stage: Stage) -> None:
    tournament = stage.tournament(Format.KNOCKOUT, seeding=Seeding.RATING)
    bots = [stage.bot(tournament) for _ in range(4)]
    for bot, value in zip(bots, (1400.0, 1700.0, 1550.0), strict=False):
        Rating.objects.create(
            submission=bot.active, game="reversi", value=value, deviation=50, matches=1, wins=1, draws=0, losses=0
        )
    stage.enter(tournament, bots)
    stage.pass_time(HOUR)
    stage.tick()
    seeds = dict(tournament.entries.values_list("bot_id", "seed"))
    assert [seeds[bot.pk] for bot in bots] == [3, 1, 2, 4]
