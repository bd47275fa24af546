"""The tournament page shows the lobby, decisive matches or the winner, but no matches while results are withheld."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.games.base import Termination
from arena.matches.models import Match, MatchStatus
from arena.matches.reviews import VerdictJob
from arena.tournaments.events.snapshots import full_snapshot
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries import explained_matches, stages, tournaments
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.services import controls
from arena.tournaments.services.result_release import release_results
from tests.note_codes import note_codes
from tests.tournaments.harness import TournamentHarness


def page(tournament: Tournament) -> str:
    return Client().get(reverse("tournament", args=[tournament.pk])).content.decode()


def play(stage: TournamentHarness, tournament: Tournament, wins: dict[str, int]) -> None:
    """End all queued matches; the bot with the higher number in ``wins`` wins."""
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        names = [seat.bots_submission.bot.name for seat in match.seats.order_by("index")]
        stage.finish_match(match, [1, 2] if wins[names[0]] > wins[names[1]] else [2, 1])


@pytest.fixture
def cup(stage: TournamentHarness) -> Tournament:
    """Return a tournament of the bots "a" to "d", in which each beats all bots after it."""
    tournament = stage.create_tournament(parallel=2)
    stage.enter_bots(tournament, [stage.create_bot(tournament, name=name) for name in "abcd"])
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    play(stage, tournament, {"a": 4, "b": 3, "c": 2, "d": 1})
    stage.tick()
    return tournament


@pytest.mark.long
def test_running_tournament_shows_possible_places_and_decisive_match(stage: TournamentHarness, cup: Tournament) -> None:
    shown = full_snapshot(cup.pk)
    assert [(row["best_place"], row["worst_place"]) for row in shown["rows"]] == [(1, 4)] * 4
    play(stage, cup, {"a": 4, "b": 3, "c": 2, "d": 1})
    stage.tick()
    running = stage.matches(cup, MatchStatus.QUEUED)
    for match in running:
        stage.begin_match(match)
    shown = full_snapshot(cup.pk)
    possible = {row["name"]: (row["best_place"], row["worst_place"]) for row in shown["rows"]}
    assert possible["a"][0] == 1
    assert possible["d"][0] > 1
    live = stages.live_stage(cup.pk, cup.game, shown)
    assert "d" not in [row["name"] for row in live.news.contenders]
    assert len(live.boards) == len(running)
    leader = shown["rows"][0]["name"]
    assert leader in [seat["name"] for seat in live.boards[0]["seats"]]
    text = page(cup)
    assert f'data-board="{live.boards[0]["match"]["id"]}"' in text
    assert 'data-part="possible">1–' in text


@pytest.mark.long
def test_as_many_boards_as_the_game_asks_for_are_shown(stage: TournamentHarness) -> None:
    attack = stage.start_tournament(4, Format.SCORE_ATTACK, game="fib2584", repeats=1)
    tables = stage.start_tournament(6, Format.TABLE, repeats=4, options={"seats": 3})
    boards = {}
    for tournament in (attack, tables):
        for match in stage.matches(tournament, MatchStatus.QUEUED):
            stage.begin_match(match)
        live = stages.live_stage(tournament.pk, tournament.game, full_snapshot(tournament.pk))
        boards[tournament.game] = len(live.boards)
    assert boards == {"fib2584": 3, "golden_point": 1}


@pytest.mark.long
def test_last_decisive_matches_are_shown_between_matches(stage: TournamentHarness, cup: Tournament) -> None:
    live = stages.live_stage(cup.pk, cup.game, full_snapshot(cup.pk))
    assert live.is_between_matches
    assert {board["match"]["status"] for board in live.boards} == {MatchStatus.FINISHED}
    leaders = {row["name"] for row in full_snapshot(cup.pk)["rows"] if row["rank"] == 1}
    assert leaders & {seat["name"] for seat in live.boards[0]["seats"]}
    stage.begin_match(stage.matches(cup, MatchStatus.QUEUED)[0])
    live = stages.live_stage(cup.pk, cup.game, full_snapshot(cup.pk))
    assert not live.is_between_matches
    assert [board["match"]["status"] for board in live.boards] == [MatchStatus.RUNNING]


def test_finished_tournament_shows_podium_and_key_matches(stage: TournamentHarness, cup: Tournament) -> None:
    for _ in range(3):
        play(stage, cup, {"a": 4, "b": 3, "c": 2, "d": 1})
        stage.tick()
    assert stage.status(cup) == "finished"
    final = stages.final_stage(bracket_of(cup.pk), full_snapshot(cup.pk), now=stage.now)
    assert [row["name"] for row in final.podium] == ["a", "b", "c"]
    names = [{seat["name"] for seat in key.snapshot["seats"]} for key in final.keys]
    assert names[0] == {"a", "b"}
    assert all(re.fullmatch(r"Round [123], encounter [12]", key.name) for key in final.keys)
    shown = [key.snapshot["match"]["id"] for key in final.keys]
    hour = timedelta(hours=1)
    assert stages.recent_key_matches("reversi", since=stage.now - hour) == shown, "those that its page shows"
    assert stages.recent_key_matches("reversi", since=stage.now + hour) == []
    text = page(cup)
    assert "Champion" in text
    assert "Key matches" in text
    assert "Final table" in text
    assert final.by_points


@pytest.mark.long
@pytest.mark.parametrize("job", [VerdictJob.WAITING, VerdictJob.RUNNING])
def test_key_match_says_why_it_has_no_turning_point(
    stage: TournamentHarness, cup: Tournament, monkeypatch: pytest.MonkeyPatch, job: VerdictJob
) -> None:
    def expected(_match_id: int, _game: str, *, now: datetime, is_recent_key_match: bool) -> VerdictJob | None:
        return job if is_recent_key_match else None

    for _ in range(3):
        play(stage, cup, {"a": 4, "b": 3, "c": 2, "d": 1})
        stage.tick()
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now())
    Match.objects.update(termination=Termination.COMPLETED)
    monkeypatch.setattr(explained_matches, "expected_verdict", expected)
    assert note_codes(page(cup)).count(f"verdict_{job}") == 3
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now() - stages.REVIEWED_FOR)
    assert note_codes(page(cup)).count("verdict_not_analysed") == 3, "it will never come"
    Match.objects.update(termination=Termination.FORFEIT)
    assert note_codes(page(cup)).count("verdict_not_played_out") == 3


@pytest.mark.long
def test_podium_of_a_bracket_counts_wins(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    stage.play_all(tournament, random.Random(1))
    final = stages.final_stage(bracket_of(tournament.pk), full_snapshot(tournament.pk), now=stage.now)
    assert not final.by_points
    assert "Final" in {key.name for key in final.keys}
    assert "Champion" in page(tournament)


def test_cancelled_tournament_without_matches_lists_its_entries(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, 2)
    stage.run_committed(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    text = page(tournament)
    assert 'data-results="hidden"' in text
    assert "Entered bots" in text


@pytest.mark.long
def test_withheld_results_hide_stages_from_everyone_else(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, withheld=True, parallel=1)
    stage.begin_match(stage.matches(tournament, MatchStatus.QUEUED)[0])
    text = page(tournament)
    assert "data-board=" not in text
    assert 'data-part="possible"' not in text
    stage.finish_match(stage.matches(tournament, MatchStatus.RUNNING)[0], [1, 2])
    stage.tick()
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    assert stage.status(tournament) == "finished"
    assert "Champion" not in page(tournament)
    stage.run_committed(release_results, tournament.pk, actor=stage.organizer, now=stage.now)
    assert "Champion" in page(tournament)


@pytest.mark.parametrize("format_", Format)
def test_lobby_summarizes_rules_in_five_lines(stage: TournamentHarness, dare: None, format_: Format) -> None:
    tournament = stage.create_tournament(format_)
    detail = tournaments.detail(tournament.pk, stage.organizer)
    assert detail is not None
    lines = summary_of(detail.pairing, detail.limits, detail.card.game)
    assert len(lines) == 5
    text = page(tournament)
    assert all(line in text for line in lines if "'" not in line)
    assert 'href="#exact-rules"' in text
    assert re.search(r'<details class="rules__exact">\s*<summary>.*?</summary>\s*<div id="exact-rules">', text)


@pytest.mark.long
def test_finished_tournament_keeps_summary_and_exact_rules(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, parallel=1)
    stage.play_all(tournament, random.Random(3))
    stage.tick()
    detail = tournaments.detail(tournament.pk, stage.organizer)
    assert detail is not None
    assert detail.card.status == "finished"
    text = page(tournament)
    assert all(line in text for line in summary_of(detail.pairing, detail.limits, detail.card.game) if "'" not in line)
    assert 'id="exact-rules"' in text
