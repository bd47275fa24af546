"""Compare measurements on a noisy machine.

Invariant: compared subjects are measured in turn (baseline, ours, rival, rival, ours, baseline ...), so that other load
on the machine affects all of them alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

# At and above this sample size, the spread is given by percentiles, so that one outlier in a hundred does not count.
ENOUGH_FOR_PERCENTILES = 20

# Measures once, or several times in succession; returns values in the row's unit.
Subject = Callable[[], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Measured values, unordered; never empty."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("nothing was measured")

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """Return the 5th and 95th percentiles, or the minimum and maximum if there are few values."""
        share = 0.05 if len(self.values) >= ENOUGH_FOR_PERCENTILES else 0.0
        return percentile(self.values, share), percentile(self.values, 1 - share)

    def ratio(self, other: Sample) -> float:
        """Return the ratio of this sample's median to the other's; infinite if the other median is zero."""
        return self.median / other.median if other.median else float("inf")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` (0 to 1) of the values lie, with linear interpolation."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def measure_interleaved(
    subjects: Mapping[str, Subject],
    repetitions: int,
    *,
    seconds: float,
    warm_up: int = 1,
    clock: Callable[[], float] = time.monotonic,
) -> dict[str, Sample]:
    """Measure all subjects in turn, in reverse order every other time, so that a steady drift cancels out.

    The first ``warm_up`` turns are not counted. No further turn begins after ``seconds``, so a busy machine may
    complete fewer than ``repetitions``, but always at least one.
    """
    values: dict[str, list[float]] = {name: [] for name in subjects}
    end = clock() + seconds
    for turn in range(warm_up + repetitions):
        if turn > warm_up and clock() >= end:
            break
        order = list(subjects)[:: 1 if turn % 2 == 0 else -1]
        for name in order:
            measured = subjects[name]()
            if turn >= warm_up:
                values[name].extend(measured)
    return {name: Sample(tuple(measured)) for name, measured in values.items()}


def timed_subject(work: Callable[[], object]) -> Subject:
    """Return a subject that measures how many seconds ``work`` takes."""

    def measure() -> Sequence[float]:
        started = time.perf_counter()
        work()
        return (time.perf_counter() - started,)

    return measure


def repeated_subject(subject: Subject, times: int) -> Subject:
    """Return a subject that runs ``subject`` many times in a row, for short operations that need warm caches."""
    return lambda: [value for _ in range(times) for value in subject()]
