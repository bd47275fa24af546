"""The results table: measurements, their baselines, and whether goals are met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.measure import Sample, percentile

_WIDTHS = (62, 11, 22, 11, 25)


class Unit(StrEnum):
    """The unit of a row's values; the enum value is its symbol."""

    SECONDS = "s"  # written in the most readable unit
    MEGABYTES = "MB"
    COUNT = ""
    RANK = "rank"  # a mean rank, 1 is best


@dataclass(frozen=True, slots=True)
class Comparison:
    """A value with which a row is compared; ``name`` begins with "baseline", "rival" or "elapsed"."""

    name: str
    sample: Sample


@dataclass(frozen=True, slots=True)
class MissingComparison:
    """A comparison that a row lacks, with the reason, such as "not installed"."""

    name: str
    why: str


class GoalQuantity(StrEnum):
    """The quantity that a goal limits; the enum value is printed after the limit in the table."""

    MEDIAN = ""  # for counts and ranks, which do not depend on the machine
    RATIO = " x"  # the median as a multiple of the first comparison's median
    P95_RATIO = " x at p95"  # the 95th percentile as a multiple of the first comparison's 95th percentile


@dataclass(frozen=True, slots=True)
class Goal:
    """A row's goal: an upper limit."""

    most: float
    of: GoalQuantity = GoalQuantity.MEDIAN


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement."""

    what: str
    sample: Sample
    comparisons: tuple[Comparison, ...] = ()
    goal: Goal | None = None
    unit: Unit = Unit.SECONDS
    # A failure, whatever the time, such as "3 events lost".
    failure: str = ""
    absent: tuple[MissingComparison, ...] = ()

    def __post_init__(self) -> None:
        """Reject absolute goals for times and sizes: on a busy or slower machine, they say nothing about the arena."""
        if self.goal is None:
            return
        relative = self.goal.of is not GoalQuantity.MEDIAN
        if relative and not self.comparisons:
            raise ValueError(f"{self.what}: a ratio needs a baseline")
        if not relative and self.unit in (Unit.SECONDS, Unit.MEGABYTES):
            raise ValueError(f"{self.what}: a goal in {self.unit} must be a ratio to a baseline from the same run")

    @property
    def is_goal_met(self) -> bool | None:
        """Return whether the goal is met; None if there is no goal."""
        if self.failure:
            return False
        if self.goal is None:
            return None
        match self.goal.of:
            case GoalQuantity.MEDIAN:
                found = self.sample.median
            case GoalQuantity.RATIO:
                found = self.sample.ratio(self.comparisons[0].sample)
            case GoalQuantity.P95_RATIO:
                found = percentile(self.sample.values, 0.95) / percentile(self.comparisons[0].sample.values, 0.95)
        return found <= self.goal.most


@dataclass(frozen=True, slots=True)
class Section:
    """Related rows, with remarks."""

    title: str
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()


def section_lines(section: Section) -> Iterator[str]:
    """Yield the lines of a section, formatted as text."""
    yield _table_line(section.title.upper(), "median", "spread", "ratio", "goal")
    for row in section.rows:
        yield _table_line(row.what, *_format_sample(row.sample, row.unit), "", _goal_verdict(row))
        for other in row.comparisons:
            ratio = format_ratio(row.sample.ratio(other.sample))
            yield _table_line(f"  {other.name}", *_format_sample(other.sample, row.unit), ratio, "")
        for missing in row.absent:
            yield _table_line(f"  {missing.name}", missing.why, "", "", "")
    for remark in section.remarks:
        yield f"  ({remark})"


def summarize_goals(sections: Sequence[Section]) -> str:
    """Return a line that says how many goals are met and lists the missed ones."""
    judged = [row for section in sections for row in section.rows if row.is_goal_met is not None]
    missed = [row.what for row in judged if not row.is_goal_met]
    return f"{len(judged) - len(missed)} of {len(judged)} goals met" + "".join(f"; missed: {what}" for what in missed)


def _goal_verdict(row: Row) -> str:
    if row.failure:
        return f"missed: {row.failure}"
    if row.goal is None:
        return ""
    goal = row.goal
    limit = (
        format_value(goal.most, row.unit)
        if goal.of is GoalQuantity.MEDIAN
        else format_ratio(goal.most).removesuffix(" x")
    )
    return f"<= {limit}{goal.of}: {'met' if row.is_goal_met else 'missed'}"


def _format_sample(sample: Sample, unit: Unit) -> tuple[str, str]:
    low, high = sample.spread
    return format_value(sample.median, unit), f"{format_value(low, unit)} - {format_value(high, unit)}"


def format_value(value: float, unit: Unit) -> str:
    """Format a value with its unit, to about three significant digits."""
    if unit is Unit.COUNT:
        return f"{value:,.0f}"
    if unit is Unit.RANK:
        return f"{value:.2f}"
    if unit is not Unit.SECONDS:
        return f"{value:.1f} {unit}"
    for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if value * factor >= 1 or name == "us":
            return f"{value * factor:.3g} {name}" if value * factor < 100 else f"{value * factor:.0f} {name}"
    raise AssertionError


def format_ratio(ratio: float) -> str:
    """Format a ratio; small ratios are shown as fractions."""
    return f"1/{1 / ratio:,.0f} x" if 0 < ratio < 0.1 else f"{ratio:.3g} x"


def _table_line(first: str, *rest: str) -> str:
    cells = (f"{cell:>{width}}" for cell, width in zip(rest, _WIDTHS[1:], strict=True))
    return "".join([f"{first:<{_WIDTHS[0]}}", *cells]).rstrip()
