"""Rerunning finished matches: the old match is kept, the new one counts, and later matches stay consistent."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from arena.matches.models import Match, MatchStatus
from arena.matches.queries import match_names
from arena.ratings.match_log import counted_matches
from arena.tournaments.entries import registration
from arena.tournaments.models import Activity, ActivityKind, Format, Tournament, TournamentStatus
from arena.tournaments.services import reruns, result_release
from arena.tournaments.standings.verification import problems_of
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.recorded import play

REASON = "The worker's host was overloaded."


def rerun(stage: TournamentHarness, tournament: Tournament, *matches: Match, reason: str = REASON) -> None:
    pks = [match.pk for match in matches]
    stage.run_committed(reruns.rerun, tournament.pk, pks, reason, actor=stage.organizer, now=stage.now)
    tournament.refresh_from_db()


def points(tournament: Tournament) -> dict[int, float]:
    return dict(tournament.entries.values_list("pk", "points"))


@pytest.mark.long
def test_rerun_counts_in_standings_and_old_match_is_kept(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2)
    (old,) = stage.matches(cup)
    stage.finish_match(old, (1, 2))
    winner, loser = (seat.entry_id for seat in old.pairing.seats.order_by("index"))
    assert cup.entries.get(rank=1).pk == winner
    rerun(stage, cup, old)
    assert cup.status == TournamentStatus.RUNNING
    assert set(points(cup).values()) == {0.0}
    assert not cup.entries.filter(rank__isnull=False).exists()
    (new,) = stage.matches(cup)
    old.refresh_from_db()
    assert (old.status, old.replaced_by_id, new.status) == (MatchStatus.FINISHED, new.pk, MatchStatus.QUEUED)
    assert [seat.rank for seat in old.seats.order_by("index")] == [1, 2]
    assert (new.seed, new.settings) == (old.seed, old.settings), "it begins as all matches of its round do"
    stage.finish_match(new, (2, 1))
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    assert points(cup) == {winner: 0.0, loser: 1.0}
    assert problems_of(cup.pk) == []


@pytest.mark.long
def test_a_rerun_with_hidden_information_has_a_new_deal(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2, game="suit_pairs")
    (old,) = stage.matches(cup)
    stage.finish_match(old, (1, 2))
    rerun(stage, cup, old)
    (new,) = stage.matches(cup)
    assert new.seed != old.seed, "the record of the first match is public"


@pytest.mark.long
def test_ratings_count_only_the_rerun(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2)
    (old,) = stage.matches(cup)
    stage.finish_match(old, (1, 2))
    assert list(counted_matches("reversi")) == [old]
    rerun(stage, cup, old)
    assert not counted_matches("reversi").exists()
    (new,) = stage.matches(cup)
    stage.finish_match(new, (1, 2))
    assert list(counted_matches("reversi")) == [new]


@pytest.mark.long
def test_rerun_is_shown_in_activity_log_and_on_both_pages(stage: TournamentHarness, client: Client) -> None:
    cup = stage.start_tournament(2)
    (first,) = stage.matches(cup)
    play(stage, first, random.Random(1))
    rerun(stage, cup, first)
    (second,) = stage.matches(cup)
    play(stage, second, random.Random(2))
    rerun(stage, cup, second)
    (third,) = stage.matches(cup)
    lines = Activity.objects.filter(kind=ActivityKind.REPLACED).order_by("pk")
    assert [(line.actor, line.match, line.text, line.details) for line in lines] == [
        (stage.organizer, second, REASON, {"replaced": first.pk}),
        (stage.organizer, third, REASON, {"replaced": second.pk}),
    ]
    for old in (first, second):
        page = client.get(reverse("match", args=[old.pk])).content.decode()
        assert f'<a href="/matches/{third.pk}/">{match_names([third.pk])[third.pk]}</a>' in page
        assert "Cup · Round 1" in page
    page = client.get(reverse("match", args=[third.pk])).content.decode()
    assert f'href="/matches/{first.pk}/"' in page
    assert f'href="/matches/{second.pk}/"' in page


@pytest.mark.long
def test_rerun_of_several_matches_is_all_or_nothing(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4, parallel=2)
    played, running = stage.matches(cup, MatchStatus.QUEUED)
    stage.finish_match(played, (1, 2))
    before = cup.activities.count()
    with expect_refusal("not_rerunnable") as refused:
        rerun(stage, cup, played, running)
    assert refused.value.message.startswith(f"{stage.name_of(running)} ")
    played.refresh_from_db()
    assert played.replaced_by is None
    assert cup.activities.count() == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("reason", "matches", "code"),
    [("", 1, "reason_missing"), (REASON, 0, "no_matches"), (REASON, 201, "too_many_matches")],
)
def test_invalid_rerun_request_is_refused(stage: TournamentHarness, reason: str, matches: int, code: str) -> None:
    cup = stage.start_tournament(2)
    (match,) = stage.matches(cup)
    stage.finish_match(match, (1, 2))
    with expect_refusal(code):
        reruns.rerun(cup.pk, list(range(match.pk, match.pk + matches)), reason, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_rerun_of_foreign_or_replaced_match_is_refused(stage: TournamentHarness) -> None:
    cup, other = stage.start_tournament(2), stage.start_tournament(2)
    (match,), (foreign,) = stage.matches(cup), stage.matches(other)
    for each in (match, foreign):
        stage.finish_match(each, (1, 2))
    with expect_refusal("not_counted"):
        rerun(stage, cup, foreign)
    rerun(stage, cup, match)
    with expect_refusal("not_counted"):
        rerun(stage, cup, match)


@pytest.mark.long
def test_matches_of_withdrawn_entries_are_not_rerun(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    match = stage.matches(cup)[0]
    stage.finish_match(match, (1, 2))
    left = match.pairing.seats.get(index=0).entry
    stage.run_committed(registration.withdraw, left.pk, actor=stage.organizer, now=stage.now)
    with expect_refusal("bot_withdrawn"):
        rerun(stage, cup, match)


@pytest.mark.long
def test_matches_of_cancelled_tournaments_are_not_rerun(stage: TournamentHarness) -> None:
    from arena.tournaments.services import controls

    cup = stage.start_tournament(3)
    match = stage.matches(cup)[0]
    stage.finish_match(match, (1, 2))
    stage.run_committed(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    with expect_refusal("wrong_status"):
        rerun(stage, cup, match)


@pytest.mark.long
def test_knockout_match_with_decided_later_round_is_not_rerun(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4, Format.KNOCKOUT, options={"third_place": False})
    for match in stage.matches(cup, MatchStatus.QUEUED):
        stage.finish_match(match, (1, 2))
    final = stage.matches(cup)[-1]
    stage.finish_match(final, (1, 2))
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    semifinal = stage.matches(cup)[0]
    with expect_refusal("round_decided") as refused:
        rerun(stage, cup, semifinal)
    assert refused.value.message.startswith(f"{stage.name_of(semifinal)} ")
    rerun(stage, cup, final)
    (again,) = stage.matches(cup, MatchStatus.QUEUED)
    stage.finish_match(again, (2, 1))
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    assert cup.entries.get(rank=1).pk == again.pairing.seats.get(index=1).entry_id
    assert problems_of(cup.pk) == []


@pytest.mark.long
def test_first_round_can_be_rerun_until_second_is_paired(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4, Format.KNOCKOUT, parallel=1)
    (first,) = stage.matches(cup, MatchStatus.QUEUED)
    stage.finish_match(first, (1, 2))
    rerun(stage, cup, first)
    stage.play_all(cup, random.Random(3))
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    assert problems_of(cup.pk) == []


@pytest.mark.long
@pytest.mark.parametrize("format_", [Format.DOUBLE_ELIMINATION, Format.SWISS, Format.GROUPS, Format.TABLE])
def test_every_format_finishes_again_after_rerun_of_last_match(stage: TournamentHarness, format_: Format) -> None:
    cup = stage.start_tournament(6, format_, options={"group_size": 3} if format_ == Format.GROUPS else {})
    stage.play_all(cup, random.Random(5))
    rerun(stage, cup, stage.matches(cup, MatchStatus.FINISHED)[-1])
    assert cup.status == TournamentStatus.RUNNING
    stage.play_all(cup, random.Random(11))
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    assert problems_of(cup.pk) == []


@pytest.mark.long
def test_withheld_rerun_stays_hidden_until_release(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2, withheld=True)
    (old,) = stage.matches(cup)
    play(stage, old, random.Random(1))
    rerun(stage, cup, old)
    (new,) = stage.matches(cup)
    assert new.withheld
    outsider = Client()
    outsider.force_login(factories.person())
    page = outsider.get(reverse("tournament", args=[cup.pk])).content.decode()
    assert REASON not in page
    assert outsider.get(reverse("match", args=[old.pk])).status_code == 404
    play(stage, new, random.Random(2))
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    for match in (old, new):
        assert outsider.get(reverse("match", args=[match.pk])).status_code == 200


@pytest.mark.long
def test_reruns_leave_no_gap_in_event_numbers(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    played = stage.matches(cup)
    for match in played:
        stage.finish_match(match, (1, 2))
    stage.pass_time(timedelta(seconds=5))
    rerun(stage, cup, *played)
    assert [event["seq"] for event in stage.events(cup)] == list(range(1, cup.version + 1))
