"""The benchmark computes its statistics correctly, and its table formats them and checks them against goals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench.measure import Sample, measure_interleaved, percentile, repeated_subject
from bench.table import (
    Comparison,
    Goal,
    GoalQuantity,
    MissingComparison,
    Row,
    Section,
    Unit,
    format_ratio,
    format_value,
    section_lines,
    summarize_goals,
)


def test_percentile_interpolates_between_neighbours() -> None:
    assert percentile([3, 1, 2], 0.5) == 2
    assert percentile([0, 10], 0.25) == 2.5
    assert percentile([4], 0.95) == 4


def test_spread_is_the_range_or_the_central_ninety_percent() -> None:
    assert Sample((5, 1, 3)).spread == (1, 5)
    assert Sample(tuple(float(value) for value in range(101))).spread == (5, 95)


def test_empty_sample_is_rejected() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Sample(())


def test_ratio_compares_medians() -> None:
    assert Sample((2, 4, 100)).ratio(Sample((1, 2, 2))) == 2
    assert Sample((1,)).ratio(Sample((0,))) == float("inf")


class Recorder:
    """A recorder of the order in which subjects are measured; each measurement advances its clock by a second."""

    def __init__(self) -> None:
        self.order: list[str] = []

    def clock(self) -> float:
        return float(len(self.order))

    def measure(self, name: str) -> Sequence[float]:
        self.order.append(name)
        return (float(len(self.order)),)


def test_subjects_alternate_and_every_second_round_is_reversed() -> None:
    recorder = Recorder()
    subjects = {name: lambda name=name: recorder.measure(name) for name in "abc"}
    found = measure_interleaved(subjects, 2, seconds=99, warm_up=1, clock=recorder.clock)
    assert "".join(recorder.order) == "abccbaabc"
    assert found["a"].values == (6, 7)


def test_linear_drift_cancels() -> None:
    recorder = Recorder()
    subjects = {name: lambda name=name: recorder.measure(name) for name in "ab"}
    found = measure_interleaved(subjects, 4, seconds=99, warm_up=0, clock=recorder.clock)
    assert found["a"].median == found["b"].median


def test_time_limit_stops_new_rounds_after_the_first() -> None:
    recorder = Recorder()
    subjects = {"a": lambda: recorder.measure("a")}
    assert len(measure_interleaved(subjects, 100, seconds=5, warm_up=0, clock=recorder.clock)["a"].values) == 5
    assert len(measure_interleaved(subjects, 100, seconds=0, clock=recorder.clock)["a"].values) == 1


def test_block_measures_several_times_in_a_row() -> None:
    recorder = Recorder()
    assert repeated_subject(lambda: recorder.measure("a"), 3)() == [1, 2, 3]


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (Goal(3), True),
        (Goal(2.9), False),
        (Goal(1.5, GoalQuantity.RATIO), True),
        (Goal(1.4, GoalQuantity.RATIO), False),
        (None, None),
    ],
)
def test_goal_limits_the_median_or_the_ratio(goal: Goal | None, met: bool | None) -> None:
    assert Row("", Sample((3,)), (Comparison("baseline", Sample((2,))),), goal, Unit.COUNT).is_goal_met is met


@pytest.mark.parametrize("unit", [Unit.SECONDS, Unit.MEGABYTES])
def test_time_and_size_goals_are_ratios_to_a_baseline(unit: Unit) -> None:
    with pytest.raises(ValueError, match="must be a ratio"):
        Row("a page", Sample((3,)), (Comparison("baseline", Sample((2,))),), Goal(4), unit)
    with pytest.raises(ValueError, match="needs a baseline"):
        Row("a page", Sample((3,)), goal=Goal(4, GoalQuantity.RATIO), unit=unit)


def test_goal_can_limit_the_95th_percentile() -> None:
    sample = Sample(tuple(range(101)))
    baseline = (Comparison("baseline", Sample(tuple(value / 2 for value in sample.values))),)
    assert Row("", sample, baseline, Goal(2, GoalQuantity.P95_RATIO)).is_goal_met
    assert not Row("", sample, baseline, Goal(1.9, GoalQuantity.P95_RATIO)).is_goal_met


def test_failed_row_misses_its_goal() -> None:
    assert Row("", Sample((1,)), goal=Goal(2), unit=Unit.COUNT, failure="3 lost").is_goal_met is False


def test_values_are_formatted_in_a_suitable_unit() -> None:
    seconds = Unit.SECONDS
    assert [format_value(value, seconds) for value in (12.34, 0.1234, 0.00567, 0.0000089)] == [
        "12.3 s",
        "123 ms",
        "5.67 ms",
        "8.9 us",
    ]
    assert format_value(77.04, Unit.MEGABYTES) == "77.0 MB"


def test_ratio_far_below_one_is_formatted_as_a_fraction() -> None:
    assert [format_ratio(ratio) for ratio in (12.34, 1, 0.25, 0.00125)] == ["12.3 x", "1 x", "0.25 x", "1/800 x"]
    assert format_ratio(0) == "0 x"


def test_table_lists_comparisons_and_missed_goals() -> None:
    fast = Row("fast", Sample((0.002,)), (Comparison("baseline: none", Sample((0.001,))),), Goal(2, GoalQuantity.RATIO))
    slow = Row(
        "slow", Sample((20,)), (), Goal(10), Unit.COUNT, absent=(MissingComparison("rival: such", "not installed"),)
    )
    section = Section("start", (fast, slow), ("by hand",))
    text = [" ".join(line.split()) for line in section_lines(section)]
    assert text == [
        "START median spread ratio goal",
        "fast 2 ms 2 ms - 2 ms <= 2 x: met",
        "baseline: none 1 ms 1 ms - 1 ms 2 x",
        "slow 20 20 - 20 <= 10: missed",
        "rival: such not installed",
        "(by hand)",
    ]
    assert summarize_goals([section]) == "1 of 2 goals met; missed: slow"
