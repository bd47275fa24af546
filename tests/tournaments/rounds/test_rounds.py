"""Rounds are paired once, and their matches are queued, played and rerun."""

import random
from datetime import timedelta

import pytest

from arena.games.reversi.openings import BALANCED
from arena.matches.models import Match, MatchStatus
from arena.ratings.models import Rating
from arena.tournaments.entries import registration
from arena.tournaments.entries.freezing import freeze
from arena.tournaments.models import (
    ActivityKind,
    Format,
    Openings,
    Seeding,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.rounds import reconciliation
from arena.tournaments.rounds.draws import start_of
from arena.tournaments.rounds.pairing import compute_next_round, pair_next, store_round
from arena.tournaments.services import reruns
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

HOUR = timedelta(hours=1)


@pytest.mark.long
def test_number_of_queued_matches_is_limited(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, parallel=1)
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 1
    for left in range(5, -1, -1):
        (match,) = stage.matches(tournament, MatchStatus.QUEUED)
        stage.begin_match(match)
        stage.tick()
        assert not stage.matches(tournament, MatchStatus.QUEUED)
        stage.finish_match(match, (1, 2))
        assert len(stage.matches(tournament, MatchStatus.PLANNED)) <= 2, "rounds come as they are needed"
        assert stage.snapshot(tournament)["progress"]["finished"] == 6 - left
        assert stage.snapshot(tournament)["progress"]["total"] == 6
    assert stage.status(tournament) == TournamentStatus.FINISHED


@pytest.mark.long
def test_void_match_is_shown_and_reported_and_can_be_rerun(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    void, *others = stage.matches(tournament)
    stage.void_match(void)
    for match in others:
        stage.finish_match(match, (1, 2))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert stage.snapshot(tournament)["progress"]["failed"] == 1
    assert ActivityKind.MATCH_VOID in stage.activity_kinds(tournament)
    assert sum(row["played"] for row in stage.snapshot(tournament)["rows"]) == 4

    stage.run_committed(reruns.rerun, tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)
    assert stage.status(tournament) == TournamentStatus.RUNNING
    assert tournament.finished_at is None
    stage.finish_match(void, (1, 2))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert sum(row["played"] for row in stage.snapshot(tournament)["rows"]) == 6
    with expect_refusal("reason_missing"):
        reruns.rerun(tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_table_is_played_as_often_as_configured(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5, Format.TABLE, repeats=3)
    matches = stage.matches(tournament)
    assert [match.seats.count() for match in matches] == [5, 5, 5]
    assert len({match.seed for match in matches}) == 3
    orders = {tuple(seat.submission_id for seat in match.seats.order_by("index")) for match in matches}
    assert len(orders) == 3


@pytest.mark.long
@pytest.mark.parametrize("entries", [6, 30])
def test_start_takes_a_constant_number_of_queries(
    stage: TournamentHarness, django_assert_max_num_queries, entries: int
) -> None:
    tournament = stage.create_tournament(repeats=50, parallel=2)
    stage.enter_bots(tournament, entries)
    stage.pass_time(HOUR)
    freeze(tournament.pk, now=stage.now)
    with django_assert_max_num_queries(175):  # 60 of these estimate the end, ten notify the players
        stage.run_committed(reconciliation.start, tournament.pk, now=stage.now)
    assert tournament.rounds.count() <= 2
    assert stage.snapshot(tournament)["progress"]["total"] == 50 * entries * (entries - 1) // 2


@pytest.mark.long
def test_withdrawn_entry_gives_a_walkover_in_each_later_round(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, parallel=1)
    leaver = tournament.entries.first()
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        stage.finish_match(match, (1, 2))
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    stage.play_all(tournament, random.Random(1))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    seats = tournament.pairings.filter(seats__entry=leaver)
    assert seats.count() == 3
    assert seats.filter(match=None).exists()
    assert (
        stage.snapshot(tournament)["progress"]["total"] == tournament.pairings.filter(match__status="finished").count()
    )


def finish_round_without_pairing(stage: TournamentHarness, tournament: Tournament) -> None:
    """Finish all matches of a running tournament as if no scheduler had reacted to the results yet."""
    for match in stage.matches(tournament):
        stage.begin_match(match)
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.PAUSED)
    for match in stage.matches(tournament):
        stage.finish_match(match, (1, 2))
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.RUNNING)


@pytest.mark.long
def test_concurrent_schedulers_pair_a_round_once(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.SWISS)
    assert tournament.rounds.count() == 1
    finish_round_without_pairing(stage, tournament)
    computed = compute_next_round(tournament.pk)
    assert computed is not None
    assert pair_next(tournament.pk, now=stage.now)
    assert not store_round(computed, now=stage.now), "a second scheduler that worked on the old state creates nothing"
    assert not pair_next(tournament.pk, now=stage.now)
    assert tournament.rounds.count() == 2


@pytest.mark.long
@pytest.mark.parametrize("entries", [4, 2])
def test_round_is_not_paired_from_a_result_annulled_meanwhile(stage: TournamentHarness, entries: int) -> None:
    tournament = stage.start_tournament(entries, Format.KNOCKOUT)
    finish_round_without_pairing(stage, tournament)
    computed = compute_next_round(tournament.pk)
    assert computed is not None
    assert (computed.round is None) == (entries == 2), "no round follows a final"
    first = stage.matches(tournament)[0]
    stage.run_committed(reruns.rerun, tournament.pk, [first.pk], "bug", actor=stage.organizer, now=stage.now)
    assert not store_round(computed, now=stage.now)
    assert tournament.rounds.count() == 1
    tournament.refresh_from_db()
    assert tournament.paired_at is None, "the bracket continues after the rerun"
    (again,) = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(again, (2, 1))
    assert tournament.rounds.count() == (1 if entries == 2 else 2)
    tournament.refresh_from_db()
    assert (tournament.paired_at is None) == (entries == 4)


@pytest.mark.long
def test_match_seeds_do_not_depend_on_creation_order(stage: TournamentHarness) -> None:
    def seeds(parallel: int) -> list[int]:
        tournament = stage.start_tournament(5, parallel=parallel, repeats=2)
        Tournament.objects.filter(pk=tournament.pk).update(seed=5)
        tournament.refresh_from_db()
        return [start_of(tournament, number, 1, 1).seed for number in range(1, 4)]

    assert seeds(1) == seeds(8)
    tournament = stage.start_tournament(3, matches_per_encounter=2)
    for pairing in tournament.pairings.all():
        assert pairing.match.seed == start_of(tournament, pairing.round.number, pairing.encounter, pairing.leg).seed


@pytest.mark.long
@pytest.mark.parametrize(
    "format_",
    [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.GROUPS, Format.GAUNTLET],
)
def test_encounters_of_a_round_share_openings_and_swap_seats(stage: TournamentHarness, format_: Format) -> None:
    options = {"options": {"gauntlet_bots": 2}} if format_ == Format.GAUNTLET else {}
    tournament = stage.start_tournament(8, format_, matches_per_encounter=4, openings=Openings.BALANCED, **options)
    rounds: dict[int, dict[int, list[Match]]] = {}
    for pairing in tournament.pairings.select_related("round", "match").order_by("leg"):
        rounds.setdefault(pairing.round.number, {}).setdefault(pairing.encounter, []).append(pairing.match)
    starts = {}
    for number, encounters in rounds.items():
        assert len(encounters) > 1
        for first, second, third, fourth in encounters.values():
            black, white = (match.seats.get(index=0).submission for match in (first, second))
            assert black != white
            assert black == second.seats.get(index=1).submission
            starts.setdefault(number, set()).add(tuple(start(match) for match in (first, third)))
            assert start(first) == start(second) != start(third) == start(fourth)
            assert first.settings["opening"] in BALANCED
    assert all(len(drawn) == 1 for drawn in starts.values()), "opponents of one bot face the same openings and seeds"
    assert len(set.union(*starts.values())) == len(starts), "each round has its own"


@pytest.mark.long
def test_a_match_with_hidden_information_shares_its_deal_with_no_other(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.DOUBLE_ROUND_ROBIN, game="suit_pairs", matches_per_encounter=2)
    matches = stage.matches(tournament)
    assert len(matches) > 4
    assert len({match.seed for match in matches}) == len(matches), "the record of one would reveal the hands of another"


@pytest.mark.long
def test_secret_deal_is_drawn_without_a_query(stage: TournamentHarness, django_assert_num_queries) -> None:
    tournament = stage.start_tournament(4, Format.DOUBLE_ROUND_ROBIN, game="suit_pairs", matches_per_encounter=2)
    with django_assert_num_queries(0):
        start_of(tournament, 2, 1, 1)


def start(match: Match) -> tuple[str, int]:
    return match.settings["opening"], match.seed


@pytest.mark.long
@pytest.mark.parametrize("game", ["golden_point", "fib2584"])
def test_matches_of_a_round_share_a_deal(stage: TournamentHarness, game: str) -> None:
    format_, options = Format.ROUND_ROBIN, {}
    if game == "golden_point":
        format_, options = Format.TABLE, {"options": {"seats": 3}}
    elif game == "fib2584":
        format_ = Format.SCORE_ATTACK
    tournament = stage.start_tournament(6, format_, game=game, repeats=2, **options)
    seeds: dict[int, set[int]] = {}
    for pairing in tournament.pairings.select_related("round", "match"):
        seeds.setdefault(pairing.round.number, set()).add(pairing.match.seed)
    assert len(seeds) > 1
    assert all(len(drawn) == 1 for drawn in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds)


@pytest.mark.long
def test_double_round_robin_repeats_the_opening(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.DOUBLE_ROUND_ROBIN, openings=Openings.BALANCED)
    drawn: dict[frozenset[int], list[str]] = {}
    for match in stage.matches(tournament):
        seats = frozenset(match.seats.values_list("submission_id", flat=True))
        drawn.setdefault(seats, []).append(match.settings["opening"])
    assert len(drawn) == 6
    assert all(len(openings) == 2 and len(set(openings)) == 1 for openings in drawn.values())


@pytest.mark.long
def test_knockout_waits_for_rerun_of_void_match(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    void, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(other, (1, 2))
    stage.void_match(void)
    stage.tick()
    assert tournament.rounds.count() == 1
    stage.run_committed(reruns.rerun, tournament.pk, [void.pk], "", actor=stage.organizer, now=stage.now)
    stage.finish_match(void, (2, 1))
    assert tournament.rounds.count() == 2
    winner = void.pairing.seats.get(index=1).entry_id
    assert tournament.pairings.filter(round__number=2, bracket="final", seats__entry=winner).exists()


@pytest.mark.long
def test_knockout_continues_after_a_withdrawal(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    left, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(other, (1, 2))
    leaver, stayer = (seat.entry for seat in left.pairing.seats.order_by("index"))
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    assert tournament.pairings.filter(round__number=2, bracket="final", seats__entry=stayer).exists()
    stage.play_all(tournament, random.Random(2))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert {row["rank"] for row in stage.snapshot(tournament)["rows"]} >= {1, 2, 3}


@pytest.mark.long
def test_seeding_by_rating_puts_best_first(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(Format.KNOCKOUT, seeding=Seeding.RATING)
    bots = [stage.create_bot(tournament) for _ in range(4)]
    for bot, value in zip(bots, (1400.0, 1700.0, 1550.0), strict=False):
        Rating.objects.create(
            submission=bot.active, game="reversi", value=value, deviation=50, matches=1, wins=1, draws=0, losses=0
        )
    stage.enter_bots(tournament, bots)
    stage.pass_time(HOUR)
    stage.tick()
    seeds = dict(tournament.entries.values_list("bot_id", "seed"))
    assert [seeds[bot.pk] for bot in bots] == [3, 1, 2, 4]
