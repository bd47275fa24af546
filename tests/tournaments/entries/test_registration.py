"""Entering, withdrawing and inviting: who may do so, until when, and within which limits."""

from datetime import timedelta

import pytest

from arena.matches.models import Match, MatchStatus
from arena.notifications.models import Kind, Notification
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS
from arena.submissions.models import Bot, SubmissionStatus
from arena.tournaments.entries import registration
from arena.tournaments.entries.registration import UnreadyReason
from arena.tournaments.formats.traits import MAX_ENTRIES
from arena.tournaments.models import EndReason, Entry, EntryPolicy, EntryReason, EntryStatus, Format, TournamentStatus
from arena.tournaments.services import controls
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

HOUR = timedelta(hours=1)


def test_bot_enters_once_and_only_if_game_and_owner_match(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(entries_per_person=3)
    student = factories.person()
    mine, other_game = stage.create_bot(tournament, student), factories.bot(student, "golden_point")
    stage.enter_bots(tournament, [mine])
    with expect_refusal("already_entered"):
        stage.enter_bots(tournament, [mine])
    for bot in (other_game, stage.create_bot(tournament)):
        with expect_refusal("not_own_bot"):
            registration.enter(student, tournament.pk, bot.pk, now=stage.now)


def test_number_of_bots_per_person_is_limited(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    student = factories.person()
    first, second = stage.create_bot(tournament, student), stage.create_bot(tournament, student)
    (entry,) = stage.enter_bots(tournament, [first])
    with expect_refusal("too_many_own_entries"):
        stage.enter_bots(tournament, [second])
    stage.run_committed(registration.withdraw, entry.pk, actor=student, now=stage.now)
    stage.enter_bots(tournament, [second])
    assert [row["status"] for row in stage.snapshot(tournament)["rows"]] == ["entered", "withdrawn"]


def test_withdrawn_bot_can_reenter_before_deadline(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    (entry,) = stage.enter_bots(tournament, 1)
    stage.run_committed(registration.withdraw, entry.pk, actor=entry.bot.owner, now=stage.now)
    stage.enter_bots(tournament, [entry.bot])
    entry.refresh_from_db()
    assert (entry.status, entry.reason) == (EntryStatus.ENTERED, "")


def test_entry_after_deadline_is_refused_even_while_a_check_is_pending(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    late = stage.create_bot(tournament)
    stage.pass_time(HOUR)
    with expect_refusal("deadline_passed"):
        stage.enter_bots(tournament, [late])
    stage.tick()
    with expect_refusal("entries_closed"):
        stage.enter_bots(tournament, [late])


def test_only_invited_people_can_enter_a_closed_tournament(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(entry_policy=EntryPolicy.INVITED)
    guest, stranger = factories.person("Ada"), factories.person()
    with expect_refusal("unknown_names") as refused:
        registration.invite(tournament.pk, ["ada", "Zoe", "Bob"], actor=tournament.organizer)
    assert "Zoe, Bob" in refused.value.message
    assert registration.invite(tournament.pk, ["ada"], actor=tournament.organizer) == 1
    assert registration.invite(tournament.pk, ["ADA"], actor=tournament.organizer) == 0
    stage.enter_bots(tournament, [stage.create_bot(tournament, guest)])
    with expect_refusal("not_invited"):
        stage.enter_bots(tournament, [stage.create_bot(tournament, stranger)])


def test_organizer_adds_house_bots(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    house = [stage.create_bot(tournament, name=name) for name in ("Corners", "Random")]
    for bot in house:
        bot.is_house = True
        bot.save()
    entries = stage.run_committed(
        registration.add_house_bots, tournament.pk, [bot.pk for bot in house], actor=stage.organizer
    )
    assert len(entries) == 2
    with expect_refusal("not_house_bots"):
        registration.add_house_bots(tournament.pk, [stage.create_bot(tournament).pk], actor=stage.organizer)


def test_author_sees_what_an_entry_lacks(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    bot = stage.create_bot(tournament, playable=False)
    assert registration.readiness(bot) == UnreadyReason.NO_VERSION
    waiting = factories.submission(bot, SubmissionStatus.WAITING)
    assert registration.readiness(bot) == UnreadyReason.BEING_CHECKED
    waiting.status = SubmissionStatus.FAILED
    waiting.save()
    assert registration.readiness(bot) == UnreadyReason.CHECK_FAILED
    assert registration.readiness(stage.create_bot(tournament)) is None


@pytest.mark.long
def test_full_tournament_refuses_entries(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    bots = [stage.create_bot(tournament) for _ in range(2)]
    stage.enter_bots(tournament, bots)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, bot=bot)
        for bot in Bot.objects.bulk_create(
            Bot(owner=bots[0].owner, game="reversi", name=f"filler {number}") for number in range(MAX_ENTRIES - 2)
        )
    )
    with expect_refusal("tournament_full"):
        stage.enter_bots(tournament, [stage.create_bot(tournament)])


@pytest.mark.long
def test_withdrawal_cancels_unplayed_matches(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    leaver = tournament.entries.order_by("pk").first()
    playing, *_ = [m for m in stage.matches(tournament) if m.pairing.seats.filter(entry=leaver).exists()]
    stage.begin_match(playing)
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    leaver.refresh_from_db()
    assert (leaver.status, leaver.reason) == (EntryStatus.WITHDRAWN, EntryReason.BY_ORGANIZER)
    playing.refresh_from_db()
    assert playing.status == MatchStatus.CANCELLED
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 3
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        stage.finish_match(match, (1, 2))
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    rows = stage.snapshot(tournament)["rows"]
    assert [row["rank"] for row in rows][-1] is None
    assert rows[-1]["reason"] == "by_organizer"
    with expect_refusal("tournament_over"):
        registration.withdraw(leaver.pk, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_withdrawal_cancels_a_match_that_has_used_up_its_attempts(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, parallel=1)
    (match,) = stage.matches(tournament, MatchStatus.QUEUED)
    Match.objects.filter(pk=match.pk).update(attempts=MAX_ATTEMPTS)
    leaver = match.pairing.seats.get(index=0).entry_id
    stage.run_committed(registration.withdraw, leaver, actor=stage.organizer, now=stage.now)
    match.refresh_from_db()
    assert match.status == MatchStatus.CANCELLED
    assert not tournament.pairings.filter(match=match, ended_at=None).exists()


@pytest.mark.long
def test_withdrawal_after_half_of_the_matches_loses_the_rest(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    first, *_ = stage.matches(tournament)
    stage.finish_match(first, (1, 2))
    winner = first.pairing.seats.get(index=0).entry
    loser = first.pairing.seats.get(index=1).entry
    stage.run_committed(registration.withdraw, winner.pk, actor=winner.bot.owner, now=stage.now)
    rows = {row["entry"]: row for row in stage.snapshot(tournament)["rows"]}
    third = next(entry for entry in rows if entry not in (winner.pk, loser.pk))
    assert rows[winner.pk]["reason"] == "by_author"
    assert rows[winner.pk]["rank"] is not None
    assert (rows[winner.pk]["points"], rows[winner.pk]["losses"]) == (1.0, 1)
    assert (rows[third]["points"], rows[third]["wins"], rows[third]["played"]) == (1.0, 1, 0)


@pytest.mark.long
def test_withdrawal_leaving_one_entry_finishes_the_tournament(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    entry = tournament.entries.first()
    stage.run_committed(registration.withdraw, entry.pk, actor=stage.organizer, now=stage.now)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.end_reason == EndReason.TOO_FEW_LEFT
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 1


@pytest.mark.long
def test_notified_places_are_those_after_the_last_withdrawal(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    playing, *others = stage.matches(tournament)
    stage.begin_match(playing)
    stage.finish_match(others[0], (1, 2))
    for entry in tournament.entries.order_by("pk")[:3]:
        stage.run_committed(registration.withdraw, entry.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert (tournament.end_reason, len(stage.matches(tournament, MatchStatus.RUNNING))) == (EndReason.TOO_FEW_LEFT, 0)
    final = {entry.bot.owner_id: [[entry.bot.name, entry.rank]] for entry in tournament.entries.select_related("bot")}
    sent = Notification.objects.filter(kind=Kind.RESULT).exclude(recipient=stage.organizer)
    assert {notice.recipient_id: notice.context["places"] for notice in sent} == final
    ranked = [places for places in final.values() if places[0][1] is not None]
    assert {notice.context["entries"] for notice in sent} == {len(ranked)}


def test_withdrawal_between_deadline_and_start_can_cancel_tournament(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(starts_at=None)
    first, _ = stage.enter_bots(tournament, 2)
    stage.pass_time(HOUR)
    stage.tick()
    stage.run_committed(registration.withdraw, first.pk, actor=first.bot.owner, now=stage.now)
    tournament.refresh_from_db()
    assert (tournament.status, tournament.end_reason) == (TournamentStatus.CANCELLED, EndReason.TOO_FEW_LEFT)


@pytest.mark.long
def test_waiting_tables_are_replanned_without_withdrawn_entry(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.TABLE, repeats=3, parallel=1)
    playing, *waiting = stage.matches(tournament)
    stage.begin_match(playing)
    leaver = tournament.entries.order_by("pk").first()
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    stage.tick()
    (planned,) = stage.matches(tournament, MatchStatus.PLANNED)
    assert planned.seats.count() == 3
    assert {match.pk for match in stage.matches(tournament, MatchStatus.CANCELLED)} == {m.pk for m in waiting}
    assert planned.pairing.round.number == 2
    stage.finish_match(playing, (1, 2, 3, 4))
    for _ in range(2):
        (match,) = stage.matches(tournament, MatchStatus.QUEUED)
        assert match.seats.count() == 3
        stage.finish_match(match, (1, 2, 3))
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert stage.snapshot(tournament)["progress"]["total"] == 3


@pytest.mark.long
def test_withdrawal_does_not_end_a_pause(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    stage.run_committed(registration.withdraw, tournament.entries.first().pk, actor=stage.organizer, now=stage.now)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.PAUSED
    assert len(stage.matches(tournament, MatchStatus.PLANNED)) == 3
