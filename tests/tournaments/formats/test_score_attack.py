"""Score attacks: the same random seeds for every bot, summed scores, and formats that do not suit a game."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from arena.matches.models import MatchStatus
from arena.tournaments.entries import registration, substitutions
from arena.tournaments.events.snapshots import full_snapshot
from arena.tournaments.exports.spreadsheets import stream_table
from arena.tournaments.formats.availability import UnsuitableReason, formats_of, reason_text
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.match_callbacks import contexts
from arena.tournaments.models import Format, Pairing, Tournament
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.queries.score_highlights import HighlightReason
from arena.tournaments.queries.stages import final_stage
from arena.tournaments.services import creation, reruns, result_release
from arena.tournaments.services.creation import TournamentPlan
from arena.tournaments.standings.verification import problems_of
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.form_data import form
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.recorded import play_all

pytestmark = pytest.mark.usefixtures("dare")


def start_score_attack(stage: TournamentHarness, entries: int = 3, seeds: int = 2, **changes: Any) -> Tournament:
    return stage.start_tournament(entries, Format.SCORE_ATTACK, repeats=seeds, **changes)


def end_all(
    stage: TournamentHarness, cup: Tournament, scores: dict[str, list[float]], faults: dict[str, str] | None = None
) -> None:
    """End all single-seat matches in the order of the random seeds, each with the next of the scores given for its bot.

    ``faults``: by name, what a bot does wrong in its last match.
    """
    left = {name: list(values) for name, values in scores.items()}
    while queued := stage.matches(cup, MatchStatus.QUEUED):
        for match in queued:
            name = match.seats.get().submission.bot.name
            score = left[name].pop(0)
            fault = (faults or {}).get(name, "") if not left[name] else ""
            stage.finish_match(match, (1,), (score,), (fault,))


def names(cup: Tournament) -> list[str]:
    return [entry.bot.name for entry in cup.entries.order_by("pk")]


@pytest.mark.long
def test_every_bot_plays_with_the_same_random_seeds_alone(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=3, seeds=4)
    matches = stage.matches(cup)
    assert len(matches) == 12
    assert {match.seats.count() for match in matches} == {1}
    seeds: dict[int, set[int]] = {}
    for match in matches:
        seeds.setdefault(match.pairing.round.number, set()).add(match.seed)
    assert all(len(own) == 1 for own in seeds.values())
    assert len({seed for own in seeds.values() for seed in own}) == 4
    played = {(match.pairing.round.number, match.seats.get().submission_id) for match in matches}
    assert len(played) == 12


@pytest.mark.long
def test_matches_are_named_by_seed(stage: TournamentHarness) -> None:
    """The wording is the subject: a name, which people quote."""
    cup = start_score_attack(stage, entries=2)
    pairings = list(Pairing.objects.filter(tournament=cup).order_by("round__number", "encounter"))
    ids = [one.match_id for one in pairings if one.match_id is not None]
    assert list(match_names(ids).values())[:2] == [
        "Random seed 1, match 1",
        "Random seed 1, match 2",
    ]
    assert contexts(ids)[ids[0]].label.endswith("Random seed 1, match 1")


@pytest.mark.long
def test_bots_can_share_a_match_if_seats_are_independent(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=5, seeds=2, options={"bots_per_match": 3})
    assert sorted(match.seats.count() for match in stage.matches(cup)) == [2, 2, 3, 3]
    rounds = {match.pairing.round.number: match.seed for match in stage.matches(cup)}
    assert {match.seed for match in stage.matches(cup)} == set(rounds.values())


@pytest.mark.long
def test_total_score_ranks_first_then_best_seed(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage)
    one, two, three = names(cup)
    end_all(stage, cup, {one: [3, 5], two: [7, 1], three: [4.5, 4.5]})
    assert stage.status(cup) == "finished"
    shown = stage.snapshot(cup)
    rows = {row["name"]: row for row in shown["rows"]}
    assert [rows[name]["rank"] for name in (three, two, one)] == [1, 2, 3]
    assert (rows[three]["points"], rows[three]["tiebreaks"]) == (9, [4.5, 4.5])
    assert (rows[two]["points"], rows[two]["tiebreaks"]) == (8, [4, 7])
    assert shown["score"] == {"name": "Dared points", "decimals": 1}
    assert [column["short"] for column in shown["columns"]] == ["Mean", "Best"]
    assert shown["head_to_head"] == {}
    assert problems_of(cup.pk) == []


@pytest.mark.long
def test_finished_score_attack_has_key_matches(stage: TournamentHarness, client: Client) -> None:
    cup = start_score_attack(stage)
    one, two, three = names(cup)
    end_all(stage, cup, {one: [1, 5], two: [9, 3], three: [7, 9]})
    keys = final_stage(bracket_of(cup.pk), full_snapshot(cup.pk), now=stage.now).keys
    assert [key.snapshot["seats"][0]["name"] for key in keys] == [three, two]
    highlight = keys[1].highlight
    assert highlight is not None
    assert highlight.reason is HighlightReason.DIFFERENCE
    assert highlight.parameters == {"seed": 1, "high": two, "most": "9.0", "low": one, "least": "1.0"}
    page = client.get(reverse("tournament", args=[cup.pk])).content.decode()
    assert [f'data-reason="{reason}"' in page for reason in HighlightReason] == [True, True, False]
    assert escape(highlight.text) in page


@pytest.mark.long
def test_key_matches_include_the_costliest_mistake(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3, Format.SCORE_ATTACK, game="fib2584", settings={"games": 1}, repeats=4)
    play_all(stage, cup, random.Random(3))
    found = final_stage(bracket_of(cup.pk), full_snapshot(cup.pk), now=stage.now).keys
    keys = {key.highlight.reason: key for key in found if key.highlight}
    worst = keys[HighlightReason.MISTAKE]
    assert worst.verdict is not None
    assert worst.verdict.cost >= 1
    assert worst.verdict.turn


@pytest.mark.long
def test_standings_change_after_every_match(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage)
    first = stage.matches(cup, MatchStatus.QUEUED)[0]
    stage.finish_match(first, (1,), (6.0,))
    (standing,) = [event for event in stage.events(cup) if event["type"] == "standing" and event["rows"]]
    (row,) = standing["rows"]
    assert (row["rank"], row["points"], row["played"]) == (1, 6.0, 1)
    assert standing["order"][0] == row["entry"]
    assert standing["progress"]["finished"] == 1
    assert standing["progress"]["total"] == 6
    assert standing["redraw"] is True, "the scores by random seed are drawn by the server"


@pytest.mark.long
def test_forfeit_keeps_score_but_ranks_below_finishers(stage: TournamentHarness, client: Client) -> None:
    cup = start_score_attack(stage)
    one, two, three = names(cup)
    end_all(stage, cup, {one: [100, 100], two: [1, 1], three: [0, 0]}, {one: "crash"})
    rows = {row["name"]: row for row in stage.snapshot(cup)["rows"]}
    assert [rows[name]["rank"] for name in (two, three, one)] == [1, 2, 3]
    assert (rows[one]["points"], rows[one]["losses"]) == (200, 1)


@pytest.mark.long
def test_withdrawn_entry_is_unranked_and_its_matches_are_cancelled(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage)
    one, two, three = names(cup)
    lucky = next(m for m in stage.matches(cup, MatchStatus.QUEUED) if m.seats.get().submission.bot.name == one)
    stage.finish_match(lucky, (1,), (99.0,))
    leaver = cup.entries.get(bot__name=one)
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    end_all(stage, cup, {two: [1, 1], three: [2, 2]})
    stage.tick()
    assert stage.status(cup) == "finished"
    rows = {row["name"]: row for row in stage.snapshot(cup)["rows"]}
    assert [rows[name]["rank"] for name in (three, two, one)] == [1, 2, None]
    assert rows[one]["points"] == 99
    assert len(stage.matches(cup, MatchStatus.CANCELLED)) == 1
    assert problems_of(cup.pk) == []


@pytest.mark.long
def test_shared_match_is_replanned_without_withdrawn_entry(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=3, seeds=1, options={"bots_per_match": 3})
    (match,) = stage.matches(cup)
    leaver = cup.entries.order_by("pk")[0]
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    (other,) = stage.matches(cup, MatchStatus.QUEUED)
    assert (other.seats.count(), other.seed) == (2, match.seed)


@pytest.mark.long
def test_void_match_is_unscored_and_rerun_with_same_seed(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=2, seeds=2)
    one, two = names(cup)
    victim = next(m for m in stage.matches(cup, MatchStatus.QUEUED) if m.seats.get().submission.bot.name == one)
    stage.begin_match(victim)
    stage.void_match(victim)
    end_all(stage, cup, {one: [5], two: [4, 4]})
    rows = {row["name"]: row for row in stage.snapshot(cup)["rows"]}
    assert (rows[one]["rank"], rows[two]["rank"]) == (1, 2), "our failure costs nobody a place"
    stage.run_committed(reruns.rerun, cup.pk, [victim.pk], "", actor=stage.organizer, now=stage.now)
    end_all(stage, cup, {one: [1]})
    rows = {row["name"]: row for row in stage.snapshot(cup)["rows"]}
    assert (rows[one]["rank"], rows[one]["points"], rows[two]["rank"]) == (2, 6, 1)


@pytest.mark.long
def test_finished_match_is_rerun_with_same_seed(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=2, seeds=1)
    end_all(stage, cup, {name: [1.0] for name in names(cup)})
    old = stage.matches(cup)[0]
    stage.run_committed(reruns.rerun, cup.pk, [old.pk], "Overloaded.", actor=stage.organizer, now=stage.now)
    (new,) = stage.matches(cup, MatchStatus.QUEUED)
    assert new.seed == old.seed


def test_substitution_is_refused_once_seeds_are_public(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage)
    entry = cup.entries.order_by("pk")[0]
    version = factories.submission(entry.bot)
    with expect_refusal("seeds_public"):
        substitutions.substitute(entry.pk, version.pk, "New", actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_withheld_scores_are_hidden_until_released(stage: TournamentHarness, client: Client) -> None:
    cup = start_score_attack(stage, withheld=True)
    one, two, three = names(cup)
    # scores that no time of day on the page can contain
    end_all(stage, cup, {one: [131, 131], two: [1, 1], three: [2, 2]})
    shown = stage.snapshot(cup)
    assert {row["points"] for row in shown["rows"]} == {0.0}
    assert {tuple(row["tiebreaks"]) for row in shown["rows"]} == {()}
    page = client.get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "262.0" not in page
    assert "131.0" not in page
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    assert "262.0" in client.get(reverse("tournament", args=[cup.pk])).content.decode()


@pytest.mark.long
def test_page_shows_totals_and_scores_by_random_seed(stage: TournamentHarness, client: Client) -> None:
    cup = start_score_attack(stage)
    play_all(stage, cup, random.Random(1), crashes=0.2)
    page = client.get(reverse("tournament", args=[cup.pk])).content.decode()
    for text in ("Score attack", "Dared points", "Total", 'id="seeds-title"', "Throws of a match", 'id="exact-rules"'):
        assert text in page
    for text in ("Margin", "Sonneborn", "<dd>Random</dd>"):
        assert text not in page


@pytest.mark.long
def test_spreadsheets_have_total_mean_and_best(stage: TournamentHarness) -> None:
    cup = start_score_attack(stage, entries=2)
    one, two = names(cup)
    end_all(stage, cup, {one: [3, 5], two: [1, 1]}, {two: "crash"})
    lines = "".join(stream_table(cup.pk, "standings")).lstrip("\ufeff").splitlines()
    assert lines[0].endswith("total,played,matches with a fault,mean,best,status")
    assert lines[1].endswith("8.0,2,0,4.0,5.0,entered")
    assert lines[2].endswith("2.0,2,1,1.0,1.0,entered")


def plan(game: str, format_: str) -> TournamentPlan:
    return TournamentPlan(name="Cup", game=game, format=format_, deadline=None, starts_at=None, settings={}, limits={})


@pytest.mark.parametrize(
    ("game", "format_", "reason"),
    [
        ("solitary", Format.SWISS, UnsuitableReason.ONE_SEAT),
        ("solitary", Format.KNOCKOUT, UnsuitableReason.ONE_SEAT),
        ("solitary", Format.ROUND_ROBIN, UnsuitableReason.ONE_SEAT),
        ("solitary", Format.TABLE, UnsuitableReason.SMALL_TABLE),
        ("reversi", Format.TABLE, UnsuitableReason.SMALL_TABLE),
        ("reversi", Format.SCORE_ATTACK, UnsuitableReason.NOT_SCORED),
        ("golden_point", Format.SCORE_ATTACK, UnsuitableReason.NOT_SCORED),
    ],
)
def test_unsuitable_formats_are_refused_with_a_reason(
    stage: TournamentHarness, game: str, format_: Format, reason: UnsuitableReason
) -> None:
    with expect_refusal(reason):
        creation.create(stage.organizer, plan(game, format_), rng=random.Random(1))
    filled = form(game, format=format_)
    assert not filled.is_valid()
    assert "format" in filled.format.errors
    assert reason_text(game, reason) in filled.format.fields["format"].help_text
    cup = creation.create(stage.organizer, plan(game, formats_of(game)[0]), rng=random.Random(1))
    with expect_refusal(reason):
        creation.edit(cup, replace(plan(game, format_)), actor=stage.organizer)


def test_scored_game_offers_all_formats_that_fit_its_seats() -> None:
    assert formats_of("dare") == list(Format)
    assert formats_of("solitary") == [Format.SCORE_ATTACK]


@pytest.mark.long
@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS, Format.TABLE])
def test_scored_duels_and_tables_are_ranked_within_each_match(stage: TournamentHarness, format_: Format) -> None:
    cup = stage.start_tournament(
        4, format_, game="dare", repeats=2, options={"seats": 3} if format_ == Format.TABLE else {}
    )
    play_all(stage, cup, random.Random(2))
    assert stage.status(cup) == "finished"
    assert stage.snapshot(cup)["score"] is None
    assert problems_of(cup.pk) == []
    assert any(entry.points % 0.5 == 0 and entry.rank for entry in cup.entries.all())


def test_form_asks_for_deals_and_shared_matches() -> None:
    filled = form("dare", **{"format": "score_attack", "random_seeds": "7", "bots_per_match": "3", "game-throws": "9"})
    assert filled.is_valid(), (filled.errors, filled.format.errors)
    wanted = filled.plan()
    assert (wanted.repeats, wanted.options, wanted.matches_per_encounter, wanted.tiebreaks) == (
        7,
        {"bots_per_match": 3},
        1,
        [],
    )
    assert wanted.settings == {"throws": 9}
    refused = form("dare", format="score_attack", bots_per_match="4")
    assert refused.format.has_error("bots_per_match", "too_many_seats")
    assert "bots_per_match" not in form("solitary", format="score_attack").format.fields
