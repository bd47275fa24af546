"""Tournaments follow their exact rules on rankings, byes, third place and withdrawals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from arena.core.ranking.pairing.base import Bracket, Encounter, PairingSystem, Round, TournamentState
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.gauntlet import Gauntlet
from arena.core.ranking.pairing.groups import Finals, Groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.pairing.round_robin import RoundRobin
from arena.core.ranking.pairing.swiss import Swiss
from arena.core.ranking.results import scores
from arena.core.ranking.standings import standings
from arena.tournaments.entries import registration
from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.models import Entry, Format
from arena.tournaments.standings.results import results_of, walkover
from tests.core.ranking.pairing.play import play_tournament, smaller_number_wins
from tests.tournaments.harness import TournamentHarness

EIGHT = tuple(range(1, 9))
LIMITS: Mapping[str, Any] = {"move_seconds": 2, "illegal_answers": 3}
NOT_BY_POINTS = (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.SCORE_ATTACK)


def pairing(format_: Format, **options: Any) -> Mapping[str, Any]:
    return {
        "format": format_,
        "repeats": 1,
        "matches_per_encounter": 1,
        "openings": "start",
        "seeding": "random",
        "tiebreaks": [],
        "options": options,
    }


def rules(format_: Format, **options: Any) -> dict[str, str]:
    return {rule.code: rule.text for rule in rules_of(pairing(format_, **options), LIMITS, game_of(format_))}


def game_of(format_: Format) -> str:
    return "fib2584" if format_ == Format.SCORE_ATTACK else "reversi"


def walkovers(rounds: list[Round], entry: int) -> int:
    return sum(entry in one.entries for round_ in rounds for one in round_.walkovers)


def test_bot_withdrawn_from_a_swiss_tournament_is_not_paired_again() -> None:
    assert {"withdrawal_pairing", "withdrawal_paired"} <= rules(Format.SWISS).keys()
    assert "withdrawal_encounters" not in rules(Format.SWISS)
    rounds, _ = play_tournament(Swiss(4), TournamentState(EIGHT), leaving={4: 1})
    assert walkovers(rounds, 4) == 0
    assert [len(round_.byes) for round_ in rounds] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("format_", "system", "encounters"),
    [
        (Format.KNOCKOUT, Knockout(), 2),  # the semifinal and the third-place play-off
        (Format.DOUBLE_ELIMINATION, DoubleElimination(), 2),  # one in each bracket
    ],
)
def test_bot_withdrawn_from_a_bracket_loses_all_its_encounters(
    format_: Format, system: PairingSystem, encounters: int
) -> None:
    assert {"withdrawal_slot", "withdrawal_encounters"} <= rules(format_).keys()
    assert "withdrawal_pairing" not in rules(format_)
    rounds, _ = play_tournament(system, TournamentState(EIGHT), leaving={4: 1})
    assert walkovers(rounds, 4) == encounters


def test_opponent_of_a_bot_that_withdraws_before_its_first_match_scores(stage: TournamentHarness) -> None:
    assert {"early_withdrawal", "withdrawal_paired"} <= rules(Format.SWISS).keys()
    tournament = stage.start_tournament(4, Format.SWISS, matches_per_encounter=1)
    absent = Entry.objects.get(tournament=tournament, seed=4)
    (pairing_,) = tournament.pairings.filter(seats__entry=absent)
    opponent = pairing_.seats.exclude(entry=absent).get().entry
    stage.run_committed(registration.withdraw, absent.pk, actor=stage.organizer, now=stage.now)
    rows = {row.entry: row for row in results_of(tournament).standings()}
    assert (rows[opponent.pk].points, rows[opponent.pk].wins, rows[opponent.pk].rank) == (1.0, 1, 1)
    assert rows[absent.pk].rank is None


def test_opponent_of_a_withdrawn_bot_wins_unless_it_has_withdrawn_too() -> None:
    assert "withdrawal_paired" in rules(Format.SWISS)
    assert "withdrawal_encounters" in rules(Format.KNOCKOUT)
    won = walkover((1, 2), frozenset({1}), encounter=1)
    assert won is not None
    assert dict(zip(won.entries, scores(won), strict=True)) == {1: 0.0, 2: 1.0}
    assert walkover((1, 2), frozenset({1, 2}), encounter=1) is None


@pytest.mark.parametrize("losing", [(1, 2), (1,), (2,), ()])
def test_top_seeds_do_not_meet_before_the_last_round(losing: tuple[int, ...]) -> None:
    for format_ in (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION):
        assert "later_rounds" in rules(format_)

    def top_seeds_lose(encounter: Encounter) -> tuple[int, ...]:
        lost = [entry in losing and len(set(encounter.entries) & {3, 4, 5, 6}) > 0 for entry in encounter.entries]
        return (1 + lost[0], 1 + lost[1]) if any(lost) else smaller_number_wins(encounter)

    for system, bracket in ((Knockout(), None), (DoubleElimination(), Bracket.WINNERS)):
        rounds, _ = play_tournament(system, TournamentState(EIGHT), top_seeds_lose)
        kept = [[one.entries for one in round_.encounters if bracket in (None, one.bracket)] for round_ in rounds]
        kept = [pairs for pairs in kept if pairs]
        meeting = [number for number, pairs in enumerate(kept, 1) if any({1, 2} == set(pair) for pair in pairs)]
        assert meeting in ([], [len(kept)])
        if bracket is None:
            assert meeting == ([len(kept)] if len(losing) != 1 else []), "in the final or the third-place play-off"


@pytest.mark.parametrize(("gauntlet_bots", "count"), [(1, 4), (2, 3), (3, 4), (2, 6), (4, 6), (3, 6)])
def test_gauntlet_bots_have_the_first_seat_in_odd_rounds(gauntlet_bots: int, count: int) -> None:
    for options in ({}, {"gauntlet_bots": 1}, {"gauntlet_bots": 2}):
        assert {"gauntlet_bots", "seats"} <= rules(Format.GAUNTLET, **options).keys()
    rounds, _ = play_tournament(Gauntlet(gauntlet_bots), TournamentState(tuple(range(1, count + 1))))
    for number, round_ in enumerate(rounds):
        for one in round_.encounters:
            assert one.entries[number % 2] <= gauntlet_bots < one.entries[1 - number % 2]


@pytest.mark.parametrize(("gauntlet_bots", "count"), [(1, 4), (2, 3), (3, 4), (2, 6), (4, 6), (3, 6)])
def test_smaller_side_of_a_gauntlet_has_no_byes(gauntlet_bots: int, count: int) -> None:
    assert "byes" in rules(Format.GAUNTLET)
    system, entries = Gauntlet(gauntlet_bots), set(range(1, count + 1))
    rounds, _ = play_tournament(system, TournamentState(tuple(entries)))
    smaller = min(set(range(1, gauntlet_bots + 1)), set(range(gauntlet_bots + 1, count + 1)), key=len)
    for round_ in rounds:
        paired = {entry for one in round_.encounters for entry in one.entries}
        assert smaller <= paired
        assert set(round_.byes) == entries - paired
    assert not system.bye_wins


@pytest.mark.parametrize(("gauntlet_bots", "count"), [(1, 4), (2, 3), (3, 4), (2, 6), (4, 6), (3, 6)])
def test_smaller_side_of_a_gauntlet_meets_the_other_side_in_order_of_seed(gauntlet_bots: int, count: int) -> None:
    for options in ({}, {"gauntlet_bots": 2}):
        assert {"first_round", "later_rounds"} <= rules(Format.GAUNTLET, **options).keys()
    rounds, _ = play_tournament(Gauntlet(gauntlet_bots), TournamentState(tuple(range(1, count + 1))))
    gauntlet = tuple(range(1, gauntlet_bots + 1))
    smaller, larger = sorted((gauntlet, tuple(range(gauntlet_bots + 1, count + 1))), key=len)
    for number, round_ in enumerate(rounds):
        for one in round_.encounters:
            (entry,), (opponent,) = ([each for each in one.entries if each in side] for side in (smaller, larger))
            assert opponent == larger[(smaller.index(entry) + number) % len(larger)]


@pytest.mark.parametrize("finals", Finals)
def test_bot_withdrawn_from_the_finals_is_still_ranked(finals: Finals) -> None:
    assert "finals_withdrawal" in rules(Format.GROUPS, finals=finals)
    group_rounds = 3
    rounds, field = play_tournament(Groups(4, 2, finals), TournamentState(EIGHT), leaving={1: group_rounds + 1})
    assert walkovers(rounds, 1) > 0
    results = [result for round_ in field.rounds for one in round_.encounters for result in one.results]
    table = standings(field.entries, results, {1: group_rounds})
    ranks = {row.entry: row.rank for row in Groups(4, 2, finals).rank_entries(field, table)}
    finalists = {entry for entry, rank in ranks.items() if rank in range(1, 5)}
    assert len(finalists) == 4
    assert 1 in finalists


@pytest.mark.parametrize(
    ("count", "leaving", "fourth"), [(4, {4: 0}, set()), (5, {1: 1}, {5}), (8, {1: 0, 8: 0}, {5, 6, 7})]
)
def test_bots_below_an_unranked_bot_move_up(count: int, leaving: dict[int, int], fourth: set[int]) -> None:
    assert "unranked_third_place" in rules(Format.KNOCKOUT)
    for found in (rules(Format.KNOCKOUT, third_place=False), rules(Format.DOUBLE_ELIMINATION)):
        assert "unranked" in found
    system = Knockout()
    _, field = play_tournament(system, TournamentState(tuple(range(1, count + 1))), leaving=leaving)
    results = [result for round_ in field.rounds for one in round_.encounters for result in one.results]
    table = standings(field.entries, results, dict.fromkeys(leaving, 0))
    ranks = {row.entry: row.rank for row in system.rank_entries(field, table)}
    assert {ranks[entry] for entry in leaving} == {None}
    assert {entry for entry, rank in ranks.items() if rank == 4} == fourth


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_third_place_is_played_with_four_or_more_bots(count: int) -> None:
    assert "third_place" in rules(Format.KNOCKOUT)
    rounds, _ = play_tournament(Knockout(), TournamentState(tuple(range(1, count + 1))))
    brackets = [one.bracket for round_ in rounds for one in round_.encounters]
    assert (Bracket.THIRD_PLACE in brackets) is (count >= 4)


@pytest.mark.parametrize("count", [4, 5, 6, 7])
def test_round_robins_of_an_odd_number_of_bots_have_a_bye_in_each_round(count: int) -> None:
    assert "byes" in rules(Format.ROUND_ROBIN)
    system = RoundRobin()
    rounds, field = play_tournament(system, TournamentState(tuple(range(1, count + 1))))
    assert {len(round_.byes) for round_ in rounds} == {count % 2}
    assert not system.bye_wins
    results = [result for round_ in field.rounds for one in round_.encounters for result in one.results]
    points = {row.entry: row.points for row in standings(field.entries, results)}
    assert sum(points.values()) == count * (count - 1) / 2  # a win a match, and nothing for byes


@pytest.mark.parametrize(("count", "byes"), [(3, 1), (4, 0), (5, 2), (6, 2), (7, 1), (8, 0)])
def test_double_elimination_has_byes_in_both_brackets(count: int, byes: int) -> None:
    assert {"byes", "losers_byes", "winners_byes"} <= rules(Format.DOUBLE_ELIMINATION).keys()
    entries = set(range(1, count + 1))
    (first, *later), _ = play_tournament(DoubleElimination(), TournamentState(tuple(entries)))
    beaten = {max(one.entries) for one in first.encounters}
    found = 0
    for round_ in later:
        unbeaten = entries - beaten
        found += len(beaten & set(round_.byes))
        only_losers = {one.bracket for one in round_.encounters} == {Bracket.LOSERS}
        assert unbeaten & set(round_.byes) == (unbeaten if only_losers else set())
        beaten |= {max(one.entries) for one in round_.encounters}
    assert found == byes


@pytest.mark.parametrize("format_", Format)
def test_rules_say_that_points_decide_the_ranking(format_: Format) -> None:
    """The short rules have no codes, so their wording is compared."""
    stated = bool({"ranking", "group_ranks"} & rules(format_).keys())
    lines = summary_of(pairing(format_), LIMITS, game_of(format_))
    assert stated is ("total points" in " ".join(lines)) is (format_ not in NOT_BY_POINTS)


@pytest.mark.parametrize("third_place", [True, False])
def test_finals_after_groups_include_third_place_only_with_four_finalists(third_place: bool) -> None:
    assert "third_place" in rules(Format.GROUPS)
    system = Groups(4, 2 if third_place else 1)
    rounds, _ = play_tournament(system, TournamentState(EIGHT))
    brackets = [one.bracket for round_ in rounds for one in round_.encounters]
    assert (Bracket.THIRD_PLACE in brackets) is third_place
