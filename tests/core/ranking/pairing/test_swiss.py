"""Swiss rounds: a thousand random tournaments verified by an independent checker, and the quality of pairings."""

from __future__ import annotations

import random
import time

import pytest

from arena.core.ranking.pairing.base import Encounter, PlayedEncounter, PlayedRound, Round, TournamentState
from arena.core.ranking.pairing.seats import SeatCandidate, seat_order
from arena.core.ranking.pairing.swiss import Swiss
from arena.core.ranking.results import Result
from tests.core.ranking.pairing.pairing_check import SwissCheck

CHUNKS = 20
TOURNAMENTS = 1_000


def random_result(pair: tuple[int, ...], rng: random.Random, draws: float, encounter: int) -> Result:
    """Return a random result; ``draws``: the probability of a draw.

    The smaller an entry's number, the stronger the entry."""
    if rng.random() < draws:
        return Result(pair, (1, 1), (0, 0), encounter=encounter)
    chance = 1 / (1 + 10 ** ((pair[0] - pair[1]) / 10))
    return Result(pair, (1, 2) if rng.random() < chance else (2, 1), (1, -1), encounter=encounter)


def play_round(
    round_: Round, rng: random.Random, *, draws: float = 0.2, matches: int = 1, gone: int = 0
) -> PlayedRound:
    """Play the round with random results; the entry ``gone`` loses its matches by walkover."""
    played = []
    for encounter in round_.encounters:
        results = tuple(random_result(encounter.entries, rng, draws, encounter.slot) for _ in range(matches))
        if gone in encounter.entries:
            (other,) = set(encounter.entries) - {gone}
            results = (Result.walkover(other, gone),) * matches
        played.append(PlayedEncounter(encounter, results, done=True))
    return PlayedRound(tuple(played), round_.byes)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_thousand_random_tournaments_pass_the_checker(chunk: int) -> None:
    """Every round of a thousand random tournaments passes the checker, with few unavoidable breaches of the seat rules.

    Sizes are random, encounters have one or two matches, and entries withdraw between and during rounds.
    """
    concessions = rounds = 0
    for seed in range(chunk, TOURNAMENTS, CHUNKS):
        rng = random.Random(seed)
        entries = tuple(rng.sample(range(1, 60), rng.randint(2, 24)))
        check = play_tournament(entries, Swiss(rng.randint(1, 9)), rng, leaving=rng.choice((0, 0, 0.1, 0.3)))
        concessions += check.concessions
        rounds += max(len(met) for met in check.opponents.values())
    assert rounds > 150
    assert concessions < rounds / 10


def play_tournament(entries: tuple[int, ...], system: Swiss, rng: random.Random, leaving: float) -> SwissCheck:
    """Play a tournament to the end, and check every round; return the checker.

    ``leaving``: the probability that an entry withdraws, for each round.
    """
    check = SwissCheck(entries)
    field = TournamentState(entries, seed=rng.randrange(1_000))
    matches = rng.choice((1, 2))
    withdrawn: dict[int, int] = {}
    while (round_ := system.next_round(field)) is not None:
        assert system.next_round(field) == round_
        check.check_round(field.active_entries, [(e.entries[0], e.entries[1]) for e in round_.encounters], round_.byes)
        gone = rng.choice(field.active_entries) if rng.random() < leaving else 0
        if gone:
            withdrawn = {**withdrawn, gone: 0}
        field = TournamentState(
            entries, (*field.rounds, play_round(round_, rng, matches=matches, gone=gone)), withdrawn, field.seed
        )
        # An unplayed encounter assigns no seats and counts as a bye for the entry that stayed.
        for encounter in field.rounds[-1].encounters:
            if gone in encounter.encounter.entries:
                for entry in encounter.encounter.entries:
                    check.seats[entry].pop()
                    check.had_bye.add(entry)
    if len(field.rounds) < system.rounds(len(entries)) and len(field.active_entries) > 1:
        check.check_end(field.active_entries)
    if not withdrawn:
        assert len(field.rounds) == system.rounds(len(entries))
        assert sum(len(round_.encounters) for round_ in field.rounds) == system.encounter_count(len(entries))
    return check


def test_upper_half_meets_lower_half() -> None:
    round_ = Swiss(3).next_round(TournamentState(tuple(range(10, 18))))
    assert round_ is not None
    assert [encounter.entries for encounter in round_.encounters] == [(10, 14), (15, 11), (12, 16), (17, 13)]
    assert round_.byes == ()


def test_winners_meet_winners_and_last_entry_gets_the_bye() -> None:
    first = Swiss(3).next_round(TournamentState((1, 2, 3, 4, 5)))
    assert first == Round((Encounter((1, 3)), Encounter((4, 2), slot=1)), byes=(5,))
    won = tuple(
        PlayedEncounter(encounter, (Result(encounter.entries, ranks, (1, -1)),), done=True)
        for encounter, ranks in zip(first.encounters, [(1, 2), (2, 1)], strict=True)
    )
    second = Swiss(3).next_round(TournamentState((1, 2, 3, 4, 5), (PlayedRound(won, (5,)),)))
    assert second is not None
    assert {frozenset(encounter.entries) for encounter in second.encounters} == {frozenset((1, 2)), frozenset((5, 3))}
    assert second.byes == (4,)


def test_too_few_entries() -> None:
    assert Swiss(3).next_round(TournamentState(())) is None
    assert Swiss(3).next_round(TournamentState((1,))) is None
    assert Swiss(3).next_round(TournamentState((1, 2, 3), withdrawn={1: 0, 2: 0})) is None
    assert [Swiss(9).rounds(entries) for entries in (0, 1, 2, 3, 4, 7, 30)] == [0, 0, 1, 2, 2, 4, 9]


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ((), (), 7),
        ((1,), (-1,), 8),  # both alternate
        ((1,), (1,), 8),  # the higher-ranked entry gets its preference
        ((1, -1), (-1, 1), 7),
        ((1, -1, 1), (1, -1), 8),  # the stronger preference
        ((1, -1, 1), (1, 1), 7),  # never three times in a row
        ((-1, 1, 1), (1, -1, 1), 8),
        ((1, -1, -1, 1), (-1, 1, -1, 1), 7),  # their seats last differed in the second round
    ],
)
def test_seats_are_balanced(one: tuple[int, ...], other: tuple[int, ...], first: int) -> None:
    assert seat_order(SeatCandidate(7, 0, one), SeatCandidate(8, 1, other))[0] == first


@pytest.mark.long
def test_many_entries_are_paired_in_reasonable_time() -> None:
    rng = random.Random(5)
    entries = tuple(range(1, 102))
    field, system = TournamentState(entries), Swiss(9)
    check = SwissCheck(entries)
    started = time.process_time()
    while (round_ := system.next_round(field)) is not None:
        check.check_round(entries, [(e.entries[0], e.entries[1]) for e in round_.encounters], round_.byes)
        field = TournamentState(entries, (*field.rounds, play_round(round_, rng)))
    assert len(field.rounds) == 9
    assert check.concessions == 0
    assert time.process_time() - started < 30  # about two seconds on an idle machine
