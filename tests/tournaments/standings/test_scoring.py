"""The stored standings equal a fresh computation of the ranking after any sequence of results."""

import random
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.core.duration_estimate import MIN_SAMPLE
from arena.matches.models import Match, MatchStatus, Seat
from arena.tournaments.entries import registration
from arena.tournaments.exports import spreadsheets
from arena.tournaments.models import Entry, EntryStatus, Format
from arena.tournaments.services import controls, reruns
from arena.tournaments.standings.verification import problems_of, recompute
from tests.tournaments.harness import TournamentHarness


# Among the quick tests, test_archive plays each format.
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 24))])
def test_stored_standings_of_random_tournaments_match_the_ranking(
    stage: TournamentHarness, dare: None, seed: int
) -> None:
    rng = random.Random(seed)
    format_ = list(Format)[seed % len(Format)]
    legs = 1 if format_ in (Format.TABLE, Format.SCORE_ATTACK) else rng.randint(1, 2)
    options = {"gauntlet_bots": 2, "group_size": 3, "seats": 3, "bots_per_match": 2}
    changes = {
        "repeats": rng.randint(1, 2),
        "parallel": rng.choice((0, 3)),
        "matches_per_encounter": legs,
        "options": options,
    }
    tournament = stage.start_tournament(rng.randint(3, 9), format_, **changes)
    for match in stage.matches(tournament, MatchStatus.QUEUED)[: rng.randint(0, 4)]:
        ranks = list(range(1, match.seats.count() + 1))
        rng.shuffle(ranks)
        stage.finish_match(
            match, ranks, faults=["timeout" if rank == max(ranks) and rng.random() < 0.3 else "" for rank in ranks]
        )
        assert problems_of(tournament.pk) == []
    tournament.refresh_from_db()
    if tournament.status == "running" and rng.random() < 0.6:
        leaver = rng.choice(list(tournament.entries.filter(status=EntryStatus.ENTERED)))
        stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
        assert problems_of(tournament.pk) == []
    queued = stage.matches(tournament, MatchStatus.QUEUED)
    if queued and rng.random() < 0.5:
        stage.void_match(queued[0])
    stage.play_all(tournament, rng)
    assert problems_of(tournament.pk) == []
    for void in stage.matches(tournament, MatchStatus.VOID):
        stage.run_committed(reruns.rerun, tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)
        stage.play_all(tournament, rng)
    assert problems_of(tournament.pk) == []
    stage.tick()
    tournament.refresh_from_db()
    assert tournament.status == "finished"


@pytest.mark.long
def test_wrong_standing_is_detected(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    stage.play_all(tournament, random.Random(1))
    Entry.objects.filter(tournament=tournament, rank=1).update(points=99)
    (problem,) = problems_of(tournament.pk)
    assert (problem.parameters["figure"], problem.parameters["stored"]) == ("points", "99.0")


@pytest.mark.long
def test_tampered_seat_is_detected(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    for match in stage.matches(tournament):
        stage.finish_match(match, (1, 2))
    match = stage.matches(tournament)[0]
    Seat.objects.filter(match=match, index=0).update(rank=2)
    Seat.objects.filter(match=match, index=1).update(rank=1)
    assert problems_of(tournament.pk)


@pytest.mark.long
def test_forfeit_scores_zero_and_draw_scores_half(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    crashed, drawn, won = stage.matches(tournament)
    stage.finish_match(crashed, (1, 2), (64.0, -64.0), ("", "crash"))
    stage.finish_match(drawn, (1, 1), (0.0, 0.0))
    stage.finish_match(won, (2, 1), (-2.0, 2.0))
    loser = crashed.pairing.seats.get(index=1)
    assert (loser.points, loser.forfeit) == (0.0, True)
    assert [seat.points for seat in drawn.pairing.seats.all()] == [0.5, 0.5]
    assert sum(row.points for row in recompute(tournament.pk)) == 3.0


@pytest.mark.long
def test_result_event_is_followed_by_changed_standings(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    match = stage.matches(tournament)[0]
    stage.begin_match(match)
    stage.finish_match(match, (1, 2), (12.0, -12.0))
    *_, result, event = stage.events(tournament)
    assert (result["type"], event["type"]) == ("result", "standing")
    assert result["match"]["status"] == "finished"
    first, second = (seat.entry_id for seat in match.pairing.seats.order_by("index"))
    assert {(cell["a"], cell["b"]) for cell in event["head_to_head"]} == {tuple(sorted((first, second)))}
    assert event["order"][0] == first
    assert {row["entry"]: row["points"] for row in event["rows"]}[first] == 1.0
    assert datetime.fromisoformat(event["progress"].pop("ends_at")) > timezone.now()
    assert event["progress"] == {"finished": 1, "total": 3, "running": 0, "failed": 0}
    snapshot = stage.snapshot(tournament)
    assert snapshot["head_to_head"][str(first)][str(second)] == {"points": 1.0, "played": 1}
    assert snapshot["matches"][0]["id"] == match.pk


@pytest.mark.long
def test_table_shows_every_score(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, Format.TABLE, repeats=2)
    match = stage.matches(tournament)[0]
    stage.finish_match(match, (2, 1, 3), (5.0, 9.0, -4.0))
    (table,) = stage.snapshot(tournament)["tables"]
    by_seat = [table["seats"][str(seat.entry_id)] for seat in match.pairing.seats.order_by("index")]
    assert by_seat == [{"rank": 2, "score": 5.0}, {"rank": 1, "score": 9.0}, {"rank": 3, "score": -4.0}]
    assert stage.snapshot(tournament)["head_to_head"] == {}


@pytest.mark.long
def test_table_standings_count_tables_won_and_mean_ranks(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.TABLE, repeats=2)
    first, second = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(first, (2, 1, 3, 3))
    stage.finish_match(second, (2, 1, 3, 4))
    stage.refresh_standings()
    shown = stage.snapshot(tournament)
    assert shown["by_rank"] is True
    entries = list(tournament.entries.order_by("rank"))
    assert sum(entry.mean_rank for entry in entries) == pytest.approx((2 + 1 + 3 + 3 + 2 + 1 + 3 + 4) / 2)
    page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    for entry in entries:
        assert f'data-part="mean-rank">{entry.mean_rank:.1f}<' in page
    assert 'data-part="losses"' not in page
    assert [match["hidden"] for match in shown["matches"]] == [1, 1]
    assert page.count('data-hidden="1"') == 2, "no bot of a table is left out silently"
    header, *lines = spreadsheets.standings(tournament)
    assert {"mean rank"} <= set(header)
    assert "losses" not in header
    assert [line[header.index("mean rank")] for line in lines] == [entry.mean_rank for entry in entries]
    assert problems_of(tournament.pk) == []


@pytest.mark.long
def test_duel_standings_show_wins_draws_and_losses(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    stage.play_all(tournament, random.Random(1))
    assert stage.snapshot(tournament)["by_rank"] is False
    assert set(tournament.entries.values_list("mean_rank", flat=True)) == {None}
    page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert 'data-part="losses"' in page
    assert "mean-rank" not in page
    assert "losses" in next(spreadsheets.standings(tournament))


@pytest.mark.long
def test_paused_tournament_still_scores_results(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    match = stage.matches(tournament)[0]
    stage.begin_match(match)
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    stage.finish_match(match, (1, 2))
    assert stage.snapshot(tournament)["rows"][0]["points"] == 1.0
    assert problems_of(tournament.pk) == []


@pytest.mark.long
def test_end_time_is_estimated_from_matches_so_far(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, repeats=2)
    *played, _, _ = stage.matches(tournament)
    assert len(played) == MIN_SAMPLE
    for match in played:
        stage.begin_match(match)
        Match.objects.filter(pk=match.pk).update(started_at=stage.now - timedelta(minutes=4))
        stage.finish_match(match, (1, 2))
    left = datetime.fromisoformat(stage.snapshot(tournament)["progress"]["ends_at"]) - timezone.now()
    assert timedelta(minutes=7) < left <= timedelta(minutes=8)
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    assert stage.snapshot(tournament)["progress"]["ends_at"] is None, "nobody knows when it will continue"


@pytest.mark.long
def test_tournament_that_waits_for_a_rerun_has_no_estimated_end(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT, matches_per_encounter=1)
    first, last = stage.matches(tournament)
    stage.begin_match(first)
    type(first).objects.filter(pk=first.pk).update(started_at=stage.now - timedelta(minutes=4))
    stage.finish_match(first, (1, 2))
    assert stage.snapshot(tournament)["progress"]["ends_at"] is not None
    stage.void_match(last)
    progress = stage.snapshot(tournament)["progress"]
    assert progress["finished"] + progress["failed"] < progress["total"], "the final is left"
    assert stage.snapshot(tournament)["progress"]["ends_at"] is None


@pytest.mark.long
def test_cancelled_tournament_has_no_estimated_end(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.SWISS, matches_per_encounter=1)
    for match in stage.matches(tournament):
        stage.begin_match(match)
        type(match).objects.filter(pk=match.pk).update(started_at=stage.now - timedelta(minutes=4))
        stage.finish_match(match, (1, 2))
    stage.run_committed(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    assert stage.snapshot(tournament)["progress"]["ends_at"] is None


@pytest.mark.long
def test_verify_fails_on_wrong_standing(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    for match in stage.matches(tournament):
        stage.finish_match(match, (1, 2))
    Match.objects.update(status=MatchStatus.VOID)  # so that no records are required
    Entry.objects.filter(tournament=tournament, rank=1).update(wins=7)
    with pytest.raises(CommandError, match="0 matches and 1 standings"):
        call_command("verify", stderr=StringIO())
