"""Common strategies are recognized in players who follow them, with and without noise, and in no other players."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.rules import Rule, SharedData
from arena.games.golden_point.evaluation.strategies import Strategy, strategies
from arena.games.golden_point.rules import Numbers, score_round
from tests.games.golden_point.evaluation.matches import recorded_match

RATIO = 0.618
Past = Sequence[float]
Player = Callable[[Past, random.Random], float]

PLAYERS: dict[Rule, Player] = {
    Rule.FIXED: lambda past, rng: 15.0,
    Rule.LAST: lambda past, rng: past[-1],
    Rule.LAST_TIMES_RATIO: lambda past, rng: RATIO * past[-1],
    Rule.MEAN_OF_TEN: lambda past, rng: sum(past[-10:]) / len(past[-10:]),
    Rule.TREND: lambda past, rng: 2 * past[-1] - past[-2] if len(past) > 1 else past[-1],
    Rule.SCALED: lambda past, rng: 1.31 * past[-1],
    Rule.RANDOM: lambda past, rng: rng.uniform(0.01, 99.9),
    Rule.DISRUPTS: lambda past, rng: rng.uniform(70, 99.9),
}


def play_table(rng: random.Random, rounds: int = 60, noise: float = 0.0) -> GoldenMatch:
    """Play all of PLAYERS together, with two random players who keep the golden number moving.

    ``noise``: the largest relative change of the number that a strategy prescribes."""
    past: list[float] = []
    named: list[list[Numbers | None]] = []
    for _ in range(rounds):
        known = past or [20.0]
        numbers = [play(known, rng) * (1 + rng.uniform(-noise, noise)) for play in PLAYERS.values()]
        numbers += [rng.uniform(1, 60), rng.uniform(1, 60)]
        legal: list[Numbers | None] = [(min(max(x, 0.01), 99.99),) for x in numbers]
        named.append(legal)
        past.append(score_round(legal).golden)
    players = [*(rule.value for rule in PLAYERS), "restless", "restless too"]
    return GoldenMatch.from_rounds(players, list(enumerate(named, start=1)))


def recognize_strategy(match: GoldenMatch, player: int, which: int = 0) -> Strategy:
    return strategies(match, SharedData.from_match(match), player)[which]


@pytest.mark.parametrize("rule", PLAYERS)
def test_each_strategy_is_recognized_among_others(rule: Rule) -> None:
    match = play_table(random.Random(7))
    found = recognize_strategy(match, list(PLAYERS).index(rule))
    assert found.main_phase is not None
    assert (found.main_phase.rule, found.named) == (rule, 60)
    assert found.main_phase.end - found.main_phase.start >= 57
    if rule not in (Rule.RANDOM, Rule.TREND):  # a trend that would leave the range from 0 to 100 is clipped
        assert found.main_phase.score > 0.98
    if rule is Rule.SCALED:
        assert found.main_phase.constant == pytest.approx(1.31)
    if rule is Rule.FIXED:
        assert (found.main_phase.constant, found.main_phase.exact) == (15.0, 1.0)


@pytest.mark.parametrize("rule", [Rule.LAST, Rule.LAST_TIMES_RATIO, Rule.MEAN_OF_TEN])
def test_little_noise_does_not_hide_a_strategy(rule: Rule) -> None:
    found = recognize_strategy(play_table(random.Random(3), noise=0.02), list(PLAYERS).index(rule))
    assert found.main_phase is not None
    assert found.main_phase.rule is rule
    assert 0.75 < found.main_phase.score < 0.99
    assert found.main_phase.exact < 0.1


def test_change_of_strategy_is_dated_to_its_round() -> None:
    rng = random.Random(1)
    match = play_table(rng, rounds=80)
    fixed, last = list(PLAYERS).index(Rule.FIXED), list(PLAYERS).index(Rule.LAST)
    changed = GoldenMatch.from_rounds(
        match.players,
        [
            (each.number, [*each.numbers[:8], each.numbers[fixed if each.number <= 40 else last], each.numbers[9]])
            for each in match.rounds
        ],
    )
    phases = recognize_strategy(GoldenMatch(changed.players, tuple(changed.rounds)), 8).phases
    assert (phases[0].rule, phases[0].start) == (Rule.FIXED, 0)
    assert any(abs(phase.start - 40) <= 1 for phase in phases[1:])


def test_strategies_of_two_numbers_are_recognized_separately() -> None:
    rng = random.Random(5)
    past = [20.0]
    rounds: list[list[Numbers | None]] = []
    for _ in range(40):
        last = past[-1]
        others: list[Numbers | None] = [(rng.uniform(1, 50), rng.uniform(1, 50)) for _ in range(4)]
        count = 2 * 6
        disruptor = (99.0, last + RATIO * 99.0 / count)
        total = sum(x for own in rounds[-1][2:] for x in own or ()) if rounds else 80.0
        aiming = (RATIO * (total + (sum(rounds[-1][0] or ()) if rounds else 40.0) + 90.0) / (count - RATIO), 90.0)
        rounds.append([disruptor, aiming, *others])
        past.append(score_round(rounds[-1]).golden)
    match = GoldenMatch.from_rounds(list("ABCDEF"), list(enumerate(rounds, start=1)))
    found = [[recognize_strategy(match, player, which).main_phase for which in (0, 1)] for player in (0, 1)]
    assert [[phase.rule for phase in own if phase] for own in found] == [
        [Rule.FIXED, Rule.COUNTER],
        [Rule.REPLY, Rule.FIXED],
    ]
    assert [phase.constant for own in found for phase in own if phase] == [99.0, None, None, 90.0]


def test_absent_player_has_no_strategy() -> None:
    match = GoldenMatch.from_rounds(["A", "B"], [(1, [(5.0,), None]), (2, [(6.0,), None])])
    assert recognize_strategy(match, 1) == Strategy(0, (), {})
    assert recognize_strategy(match, 1).main_phase is None


def test_phases_cover_every_round_once() -> None:
    match = play_table(random.Random(2))
    for player in range(len(match.players)):
        phases = recognize_strategy(match, player).phases
        assert [phase.start for phase in phases] == [0, *(phase.end for phase in phases[:-1])]
        assert phases[-1].end == 60
        assert all(0 <= phase.score <= 1 and 0 <= phase.exact <= 1 for phase in phases)


def test_strategies_of_the_recorded_match() -> None:
    """The exact rules of students' programs are detected over hundreds of rounds."""
    match = recorded_match()
    known = SharedData.from_match(match)
    found = {seat: strategies(match, known, seat)[0].main_phase for seat in (7, 18, 19)}
    assert {seat: phase and phase.rule for seat, phase in found.items()} == {
        7: Rule.MEAN_OF_TEN,
        18: Rule.LAST,
        19: Rule.LAST_TIMES_RATIO,
    }
    assert all(phase and phase.score > 0.99 and phase.end - phase.start >= 390 for phase in found.values())
