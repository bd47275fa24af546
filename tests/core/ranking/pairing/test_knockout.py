"""Knockout, double elimination and groups with finals, played to the end, with draws, void matches and withdrawals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.ranking.pairing.base import (
    Bracket,
    Encounter,
    PairingSystem,
    PlayedEncounter,
    PlayedRound,
    Round,
    TournamentStage,
    TournamentState,
)
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.elimination import seeded_slots
from arena.core.ranking.pairing.groups import Finals, Groups, draw_groups
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.results import Result
from arena.core.ranking.standings import standings
from tests.core.ranking.pairing.play import Decide, play_tournament, smaller_number_wins

SYSTEMS_AND_LOSSES = [(Knockout(), 1), (Knockout(third_place=False), 1), (DoubleElimination(), 2)]


def order_and_ranks(system: PairingSystem, field: TournamentState) -> list[tuple[int, int | None]]:
    results = [result for round_ in field.rounds for one in round_.encounters for result in one.results]
    return [(row.entry, row.rank) for row in system.rank_entries(field, standings(field.entries, results))]


def names(rounds: list[Round]) -> list[list[tuple[str, tuple[int, ...]]]]:
    return [[(one.bracket.value, one.entries) for one in round_.encounters] for round_ in rounds]


def random_winner(seed: int) -> Decide:
    rng = random.Random(seed)
    return lambda encounter: rng.choice(((1, 2), (2, 1), (1, 1)))


def test_top_seeds_meet_as_late_as_possible() -> None:
    assert seeded_slots([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seeded_slots([1, 2, 3, 4, 5]) == [1, None, 4, 5, 2, None, 3, None]
    assert seeded_slots([1]) == [1]


def test_knockout_of_six_has_two_byes_and_a_third_place_match() -> None:
    rounds, field = play_tournament(Knockout(), TournamentState((1, 2, 3, 4, 5, 6)))
    assert names(rounds) == [
        [("winners", (4, 5)), ("winners", (3, 6))],
        [("winners", (1, 4)), ("winners", (2, 3))],
        [("final", (1, 2)), ("third_place", (4, 3))],
    ]
    assert [round_.byes for round_ in rounds] == [(1, 2), (), ()]
    assert order_and_ranks(Knockout(), field) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5)]


@pytest.mark.parametrize("count", [*range(2, 20), 33])
@pytest.mark.parametrize("third_place", [True, False])
def test_knockout_has_the_announced_rounds_and_encounters(count: int, third_place: bool) -> None:
    system = Knockout(third_place)
    rounds, field = play_tournament(system, TournamentState(tuple(range(1, count + 1))), random_winner(count))
    assert len(rounds) == system.rounds(count)
    assert sum(len(round_.encounters) for round_ in rounds) == system.encounter_count(count)
    ranks = [rank for _, rank in order_and_ranks(system, field)]
    assert ranks[:2] == [1, 2]
    if count > 3:
        assert ranks[2:4] == ([3, 4] if third_place else [3, 3])


def test_tied_encounter_is_decided_by_margin_then_by_seed() -> None:
    first = Knockout().next_round(TournamentState((1, 2, 3, 4)))
    assert first is not None
    by_margin = Result((1, 4), (1, 1), (-2.0, 2.0))
    level = Result((2, 3), (1, 1), (0.0, 0.0))
    field = TournamentState((1, 2, 3, 4), (store_encounter(first, [(by_margin,), (level,)]),))
    final = Knockout().next_round(field)
    assert final is not None
    assert [one.entries for one in final.encounters] == [(4, 2), (1, 3)]


def test_void_encounter_advances_the_better_seed() -> None:
    first = Knockout().next_round(TournamentState((1, 2, 3, 4)))
    assert first is not None
    final = Knockout().next_round(TournamentState((1, 2, 3, 4), (store_encounter(first, [(), ()]),)))
    assert final is not None
    assert [one.entries for one in final.encounters] == [(1, 2), (4, 3)]


def store_encounter(round_: Round, results: list[tuple[Result, ...]]) -> PlayedRound:
    pairs = zip(round_.encounters, results, strict=True)
    return PlayedRound(tuple(PlayedEncounter(one, found, done=True) for one, found in pairs), round_.byes)


def test_withdrawal_from_a_knockout_advances_the_opponent() -> None:
    rounds, field = play_tournament(Knockout(), TournamentState((1, 2, 3, 4)), leaving={1: 1})
    assert [one.entries for one in rounds[1].walkovers] == [(1, 2)]
    assert [one.entries for one in rounds[1].encounters] == [(4, 3)]
    assert order_and_ranks(Knockout(), field) == [(2, 1), (1, 2), (3, 3), (4, 4)]


@pytest.mark.parametrize("system", [system for system, _ in SYSTEMS_AND_LOSSES])
def test_higher_seed_of_two_withdrawn_entries_advances(system: PairingSystem) -> None:
    upsets = {frozenset({1, 8}), frozenset({2, 7})}

    def decide(encounter: Encounter) -> tuple[int, ...]:
        ranks = smaller_number_wins(encounter)
        return ranks[::-1] if frozenset(encounter.entries) in upsets else ranks

    # 8 and 4 meet in the semifinals, 8 in the upper of the two slots.
    rounds, _ = play_tournament(system, TournamentState(tuple(range(1, 9))), decide, leaving={8: 1, 4: 1})
    walkovers = [one.entries for round_ in rounds for one in round_.walkovers]
    assert (4, 3) in walkovers
    assert (8, 3) not in walkovers


@pytest.mark.parametrize("seed", range(60))
def test_withdrawals_never_stop_a_bracket(seed: int) -> None:
    rng = random.Random(seed)
    entries = tuple(range(1, rng.randint(3, 18)))
    leaving = {entry: rng.randint(0, 5) for entry in entries if rng.random() < 0.3}
    for system in (Knockout(), DoubleElimination(), Groups(4, 2), Groups(3, 2, Finals.ROUND_ROBIN)):
        rounds, field = play_tournament(system, TournamentState(entries), random_winner(seed), leaving)
        assert len(rounds) <= system.rounds(len(entries))
        found = order_and_ranks(system, field)
        assert sorted(entry for entry, _ in found) == list(entries)
        ranks = [rank for _, rank in found if rank is not None]
        assert ranks == sorted(ranks)
        stayed = [entry for entry in entries if leaving.get(entry, len(rounds)) >= len(rounds)]
        if stayed and isinstance(system, Knockout | DoubleElimination):
            assert found[0][0] in stayed


def test_double_elimination_of_four_has_these_encounters() -> None:
    rounds, field = play_tournament(DoubleElimination(), TournamentState((1, 2, 3, 4)))
    assert names(rounds) == [
        [("winners", (1, 4)), ("winners", (2, 3))],
        [("winners", (1, 2)), ("losers", (4, 3))],
        [("losers", (3, 2))],
        [("final", (1, 2))],
    ]
    assert rounds[2].byes == (1,)
    assert order_and_ranks(DoubleElimination(), field) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_unbeaten_finalist_is_eliminated_only_by_two_losses() -> None:
    lost: Counter[int] = Counter()

    def ranks_with_upset(encounter: Encounter) -> tuple[int, ...]:
        if encounter.bracket == Bracket.FINAL and not lost[1]:
            lost[1] += 1
            return (2, 1)
        return (1, 2) if encounter.entries[0] < encounter.entries[1] else (2, 1)

    rounds, field = play_tournament(DoubleElimination(), TournamentState((1, 2, 3, 4)), ranks_with_upset)
    assert names(rounds)[-2:] == [[("final", (1, 2))], [("final", (2, 1))]]
    assert order_and_ranks(DoubleElimination(), field)[:2] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("count", [*range(2, 20), 33])
def test_double_eliminations_end(count: int) -> None:
    entries = tuple(range(1, count + 1))
    rounds, field = play_tournament(DoubleElimination(), TournamentState(entries), random_winner(count))
    assert len(rounds) - DoubleElimination().rounds(count) in (0, -1)
    encounters = [one for round_ in rounds for one in round_.encounters]
    assert len(encounters) - DoubleElimination().encounter_count(count) in (0, -1)
    found = order_and_ranks(DoubleElimination(), field)
    assert [rank for _, rank in found][: min(count, 4)] == list(range(1, min(count, 4) + 1))
    assert {entry for entry, _ in found[:2]} == set(encounters[-1].entries)


@pytest.mark.long
@pytest.mark.parametrize(("system", "losses_to_eliminate"), SYSTEMS_AND_LOSSES)
@settings(max_examples=20)
@given(st.integers(2, 9), st.integers(0, 2**32), st.sets(st.integers(1, 9)), st.integers(0, 5))
def test_eliminated_entries_always_rank_below_all_entries_still_in(
    system: PairingSystem, losses_to_eliminate: int, count: int, seed: int, leaving: set[int], after: int
) -> None:
    check_ranks_during_every_round(system, losses_to_eliminate, count, seed, leaving, after)


@pytest.mark.long
@pytest.mark.parametrize(("system", "losses_to_eliminate"), SYSTEMS_AND_LOSSES)
@given(st.integers(2, 20), st.integers(0, 2**32), st.sets(st.integers(1, 20)), st.integers(0, 6))
def test_eliminated_entries_of_large_brackets_always_rank_below_all_entries_still_in(
    system: PairingSystem, losses_to_eliminate: int, count: int, seed: int, leaving: set[int], after: int
) -> None:
    check_ranks_during_every_round(system, losses_to_eliminate, count, seed, leaving, after)


def check_ranks_during_every_round(
    system: PairingSystem, losses_to_eliminate: int, count: int, seed: int, leaving: set[int], after: int
) -> None:
    """Play a random bracket, from which the entries in ``leaving`` withdraw after ``after`` rounds; check all ranks.

    An entry is eliminated when it has lost ``losses_to_eliminate`` encounters or withdrawn.
    """
    entries = tuple(range(1, count + 1))
    rng = random.Random(seed)
    _, field = play_tournament(
        system, TournamentState(entries), lambda _: rng.choice(((1, 2), (2, 1))), dict.fromkeys(leaving, after)
    )
    for number, round_ in enumerate(field.rounds):
        gone = dict.fromkeys(leaving & set(entries), 0) if after <= number else {}
        order = rng.sample(range(len(round_.encounters)), len(round_.encounters))
        for done in range(len(order) + 1):
            partial = replace(round_, encounters=tuple(unplay_others(round_.encounters, set(order[:done]))))
            state = replace(field, rounds=(*field.rounds[:number], partial), withdrawn=gone)
            losses = Counter(loser for one in state.rounds for loser in losers_of(one.encounters, gone))
            out = {entry for entry in entries if losses[entry] >= losses_to_eliminate or entry in gone}
            ranks = dict(order_and_ranks(system, state))
            still_in = [ranks[entry] or 0 for entry in entries if entry not in out]
            assert all(rank > max(still_in, default=0) for entry in out if (rank := ranks[entry]) is not None)


def unplay_others(encounters: Sequence[PlayedEncounter], played: set[int]) -> Iterator[PlayedEncounter]:
    """Yield the encounters of a round, with results only for those in ``played``; walkovers are always decided."""
    for index, one in enumerate(encounters):
        yield one if index in played or not one.results else PlayedEncounter(one.encounter)


def losers_of(encounters: Sequence[PlayedEncounter], gone: Mapping[int, int]) -> Iterator[int]:
    for one in encounters:
        if one.results:
            yield one.encounter.entries[one.results[0].ranks.index(2)]
        elif one.done:
            yield next(entry for entry in one.encounter.entries if entry in gone)


def test_loser_of_a_round_that_is_being_played_shares_no_rank_with_entries_still_in() -> None:
    first = Knockout().next_round(TournamentState((1, 2, 3, 4)))
    assert first is not None
    finished, running = first.encounters
    won = PlayedEncounter(finished, (Result(finished.entries, (1, 2), (0.0, 0.0)),), done=True)
    state = TournamentState((1, 2, 3, 4), (PlayedRound((won, PlayedEncounter(running))),))
    assert order_and_ranks(Knockout(), state) == [(1, 1), (2, 1), (3, 1), (4, 3)]


def test_groups_are_drawn_in_serpentine_order() -> None:
    assert draw_groups(range(1, 11), 4) == [[1, 6, 7], [2, 5, 8], [3, 4, 9, 10]]
    assert [len(group) for group in draw_groups(range(17), 5)] == [5, 4, 4, 4]


def test_groups_and_knockout() -> None:
    system = Groups(4, 2)
    rounds, field = play_tournament(system, TournamentState(tuple(range(1, 9))))
    stages = [round_.stage for round_ in rounds]
    assert stages == [TournamentStage.GROUPS] * 3 + [TournamentStage.FINALS] * 2
    groups = {1: {1, 4, 5, 8}, 2: {2, 3, 6, 7}}
    for round_ in rounds[:3]:
        assert all(set(one.entries) <= groups[one.group] for one in round_.encounters)
    # nobody meets an opponent from the same group
    assert [one.entries for one in rounds[3].encounters] == [(1, 3), (2, 4)]
    assert order_and_ranks(system, field) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5), (7, 7), (8, 7)]
    assert len(rounds) == system.rounds(8)
    assert sum(len(round_.encounters) for round_ in rounds) == system.encounter_count(8)


def draw_between(*pairs: frozenset[int]) -> Decide:
    return lambda encounter: (1, 1) if frozenset(encounter.entries) in pairs else smaller_number_wins(encounter)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ([{5, 8}, {6, 7}], {5: 5, 8: 5, 6: 5, 7: 5}),
        ([{5, 8}], {5: 5, 8: 5, 6: 5, 7: 8}),  # group 2 has a fourth
    ],
)
def test_entries_with_equal_ranks_in_their_groups_share_a_rank(drawn: list[set[int]], expected: dict[int, int]) -> None:
    system = Groups(4, 2)
    _, field = play_tournament(
        system, TournamentState(tuple(range(1, 9))), draw_between(*(frozenset(pair) for pair in drawn))
    )
    assert dict(order_and_ranks(system, field)[4:]) == expected


def test_higher_seed_advances_if_a_tie_in_its_group_remains() -> None:
    system = Groups(4, 2)
    tied = draw_between(frozenset({4, 5}), frozenset({5, 8}), frozenset({4, 8}))
    rounds, field = play_tournament(system, TournamentState(tuple(range(1, 9))), tied)
    assert 4 in {entry for one in rounds[3].encounters for entry in one.entries}
    assert dict(order_and_ranks(system, field)[4:]) == {5: 5, 8: 5, 6: 7, 7: 8}


def test_groups_and_a_final_group() -> None:
    system = Groups(3, 1, Finals.ROUND_ROBIN)
    field = TournamentState(tuple(range(1, 10)))
    rounds, field = play_tournament(system, field)
    finals = [round_ for round_ in rounds if round_.stage == TournamentStage.FINALS]
    met = {frozenset(one.entries) for round_ in finals for one in round_.encounters}
    assert met == {frozenset(pair) for pair in combinations((1, 2, 3), 2)}
    assert [entry for entry, _ in order_and_ranks(system, field)[:3]] == [1, 2, 3]
    assert system.can_pair_ahead(
        replace(field, rounds=field.rounds[:1])
    )  # rounds within the groups can be paired in advance
    assert not system.can_pair_ahead(replace(field, rounds=field.rounds[:3]))  # the finals depend on the group results
    assert system.can_pair_ahead(replace(field, rounds=field.rounds[:4]))


def test_withdrawn_entry_is_replaced_in_the_finals() -> None:
    rounds, _ = play_tournament(Groups(4, 2), TournamentState(tuple(range(1, 9))), leaving={1: 3})
    assert [one.entries for one in rounds[3].encounters] == [(4, 3), (2, 5)]


def test_entry_withdrawn_during_the_finals_keeps_its_place() -> None:
    rounds, field = play_tournament(Groups(4, 2), TournamentState(tuple(range(1, 9))), leaving={1: 4})
    assert [one.entries for one in rounds[4].walkovers] == [(1, 2)]
    assert order_and_ranks(Groups(4, 2), field)[:2] == [(2, 1), (1, 2)]
