"""Estimates of a tournament's duration: injected durations, simulated tournaments, and the rounding."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean

import pytest

from arena.core.duration_estimate import (
    DAY,
    HOUR,
    MIN_SAMPLE,
    MINUTE,
    WIDEST,
    DurationRange,
    PlannedMatch,
    PlayedMatch,
    assumed_range,
    blended_mean,
    estimate_total,
    friendly_duration,
    friendly_range,
    rounded_up,
)

PLAN = PlannedMatch(max_turns=60, seats=2, move_seconds=60)


def played(*seconds: float) -> list[PlayedMatch]:
    return [PlayedMatch(60, 60, 2, one) for one in seconds]


def estimated(
    sample: list[PlayedMatch], plan: PlannedMatch = PLAN, *, bots: int = 60, waves: int = 100
) -> DurationRange:
    found = estimate_total(sample, plan, bots=bots, waves=waves)
    assert found
    return found


def test_small_samples_give_no_estimate() -> None:
    assert estimate_total(played(*[1] * (MIN_SAMPLE - 1)), PLAN, bots=8, waves=28) is None
    assert estimate_total(played(*[1] * MIN_SAMPLE), PLAN, bots=8, waves=28)


def test_range_lies_around_the_total_of_equally_long_matches() -> None:
    assert estimated(played(*[15] * 60)) == DurationRange(20 * MINUTE, 30 * MINUTE)


def test_range_is_narrower_the_more_bots_share_the_matches() -> None:
    sample = played(*[5, 10, 40] * 30)
    few, many = (estimated(sample, bots=bots, waves=1000) for bots in (4, 60))
    assert few.low < many.low < many.high <= few.high


def test_many_matches_of_one_bot_are_as_uncertain_as_one() -> None:
    sample = played(*[5, 10, 40] * 30)
    once, often = (estimated(sample, replace(PLAN, seats=1), bots=1, waves=waves) for waves in (1, 1024))
    assert once.high / once.low == pytest.approx(often.high / often.low, rel=0.35)
    several = estimated(sample, replace(PLAN, seats=1), bots=1024, waves=1024)
    assert several.high / several.low < often.high / often.low


@pytest.mark.parametrize("slow", [1.0, 30.0, 3600.0])
@pytest.mark.parametrize("waves", [1, 12, 5000])
def test_upper_end_is_at_most_four_times_the_lower_end(slow: float, waves: int) -> None:
    found = estimated(played(*[0.5] * 50, *[slow] * 10), waves=waves)
    assert found.low < found.high <= WIDEST * found.low


def test_spectator_delay_is_a_lower_bound() -> None:
    plan = PlannedMatch(max_turns=100, seats=2, move_seconds=5, pace_seconds=0.3)
    sample = [PlayedMatch(100, 100, 2, 1.0)] * 20
    assert [estimated(sample, plan, bots=bots, waves=5) for bots in (8, 24)] == [DurationRange(150, 240)] * 2


def test_match_is_scaled_to_its_turns_and_seats() -> None:
    like = PlayedMatch(turns=50, max_turns=100, seats=5, seconds=10)
    table = PlannedMatch(max_turns=200, seats=10, move_seconds=5)
    assert table.expected_seconds(like) == pytest.approx(40)
    assert replace(table, pace_seconds=1).expected_seconds(like) == pytest.approx(100), "half of the turns"
    assert replace(table, move_seconds=0.02).expected_seconds(like) == pytest.approx(100 * 0.02 * 10)


def test_most_simulated_tournaments_end_within_the_range() -> None:
    draw = random.Random(5)
    hits = 0
    for _ in range(200):
        earlier = [draw.lognormvariate(2, 1) for _ in range(30)]
        sample = played(*(sum(draw.sample(earlier, 2)) for _ in range(60)))
        bots = [draw.lognormvariate(2, 1) for _ in range(16)]
        total = sum(one + other for place, one in enumerate(bots) for other in bots[:place])
        found = estimated(sample, bots=16, waves=16 * 15 // 2)
        hits += found.low <= total <= found.high
    assert 130 <= hits <= 190


def test_few_results_are_completed_with_the_expected_duration() -> None:
    assert blended_mean(None, 0, 30.0) == 30.0
    assert blended_mean(1.0, 1, 31.0) == 28.0
    assert blended_mean(1.0, 10, 31.0) == 1.0


def test_assumed_range_is_as_wide_as_possible() -> None:
    assert assumed_range(32 * MINUTE) == DurationRange(15 * MINUTE, HOUR)
    assert PLAN.seconds_at(1) == MINUTE
    assert replace(PLAN, move_seconds=0.5).seconds_at(1) == 30
    assert replace(PLAN, pace_seconds=2).seconds_at(1) == 120


@pytest.mark.parametrize(
    ("seconds", "step"), [(2.7 * HOUR, 3 * HOUR), (3 * HOUR, 3 * HOUR), (171 * DAY, 180 * DAY), (0.2, 1)]
)
def test_limits_are_rounded_up(seconds: float, step: float) -> None:
    assert rounded_up(seconds) == step


def test_load_of_workers_extends_the_estimate() -> None:
    sample = played(*[15] * 60)
    loaded = estimate_total(sample, PLAN, bots=60, waves=100, total=lambda mean: 3600 + 100 * mean)
    assert loaded == DurationRange(1 * HOUR, 2 * HOUR)
    assert estimate_total(played(1, 2, 3), PLAN, bots=8, waves=28, min_sample=3)


def test_estimate_grows_with_the_bots_even_if_the_sample_hides_their_time_in_the_delay() -> None:
    """In a match with a spectator delay, golden-point bots need no additional time at all."""
    hidden = [PlayedMatch(100, 100, 11, 0.01)] * 20
    small, real, large = (
        estimated(hidden, PlannedMatch(400, seats, move_seconds=5), bots=seats, waves=1) for seats in (4, 11, 60)
    )
    assert real.low <= 4.1 <= real.high, "measured with 11 bots"
    assert small.high < real.high < large.low


@pytest.mark.parametrize(
    ("seconds", "step"), [(0, 1), (7.1, 10), (51, 45), (52, 60), (23 * MINUTE, 25 * MINUTE), (1e12, 36500 * DAY)]
)
def test_durations_are_rounded_to_the_nearest_step(seconds: float, step: float) -> None:
    assert friendly_duration(seconds) == step


def test_range_never_collapses_to_one_number() -> None:
    random_ends = random.Random(1)
    for _ in range(500):
        low = 10 ** random_ends.uniform(-2, 10)
        found = friendly_range(low, low * random_ends.uniform(1, 4))
        assert found.low < found.high <= WIDEST * found.low


def test_middle_of_a_skewed_sample_is_near_its_mean() -> None:
    seconds = [1.0] * 80 + [50.0] * 20
    found = estimated(played(*seconds))
    assert found.low < 100 * fmean(seconds) < found.high
