"""Estimate how long many matches will take, from the durations of recent ones.

The total is treated as log-normal, because durations are positive and a few slow bots dominate them. Its variance has
three parts: the tournament's bots differ from each other, a small sample is a poor guide, and the bots that will play
are not those that have played. The first two shrink with the number of bots and with the sample; the third does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pvariance
from typing import Final

MIN_SAMPLE: Final = 10  # below this, durations say too little about a game
WIDEST: Final = 4.0  # maximum ratio of the ends of a range
_NARROWEST: Final = 1.3
_START_SECONDS: Final = 0.05  # least time to start a bot
_ANSWER_SECONDS: Final = 0.0007  # least time to ask a bot for an answer, even if it does not think
_OTHER_BOTS: Final = 0.2  # standard deviation of the logarithm of the total, because other bots play on other days
_Z: Final = 1.2816  # standard deviations on each side of the middle of a range that contains four of five totals

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
# Each step is at most twice the one before.
_STEPS: Final = (
    *(1, 2, 3, 5, 10, 15, 20, 30, 45),
    *(MINUTE * n for n in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50)),
    *(HOUR * n for n in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 18, 24, 36)),
    *(DAY * n for n in (2, 3, 4, 5, 6, 7, 10, 14, 20, 30, 45, 60, 90, 120, 180, 270, 365)),
    *(DAY * 365 * n for n in (1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100)),
)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match: the turns played and the maximum, its seats, and the seconds that its bots took."""

    turns: int
    max_turns: int
    seats: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to come: its maximum number of turns, its seats, and the time limits of a turn."""

    max_turns: int
    seats: int
    move_seconds: float
    pace_seconds: float = 0.0

    @property
    def longest(self) -> float:
        """Return the duration in seconds if all turns are played and use the time allowed."""
        return self.max_turns * max(self.move_seconds, self.pace_seconds)

    def paced_seconds(self, like: PlayedMatch) -> float:
        """Return the duration in seconds if no bot needs any time; the share of turns played is that of ``like``."""
        return self._turns(like) * self.pace_seconds

    def expected_seconds(self, like: PlayedMatch) -> float:
        """Return the duration in seconds, extrapolated from that of another match.

        With more seats, a turn takes proportionally longer, because one worker runs all bots of a match. If a
        spectator delay hides how long the bots take to start and answer, a minimum is assumed for each start and each
        answer.
        """
        turns = self._turns(like)
        taken = like.seconds * self.max_turns / like.max_turns * self.seats / like.seats
        least = self.seats * (_START_SECONDS + _ANSWER_SECONDS * turns)
        allowed = turns * self.move_seconds * self.seats
        return max(min(max(taken, least), allowed), self.paced_seconds(like))

    def seconds_at(self, seconds_per_turn: float) -> float:
        """Return the duration in seconds if all turns are played and each takes this time, within the time limits."""
        return self.max_turns * max(min(seconds_per_turn, self.move_seconds), self.pace_seconds)

    def _turns(self, like: PlayedMatch) -> float:
        return self.max_turns * min(like.turns / like.max_turns, 1.0)


@dataclass(frozen=True, slots=True)
class DurationRange:
    """The ends of a range in seconds."""

    low: float
    high: float


def estimate_total(
    sample: Sequence[PlayedMatch],
    planned: PlannedMatch,
    *,
    bots: int,
    waves: int,
    total: Callable[[float], float] | None = None,
    min_sample: int = MIN_SAMPLE,
) -> DurationRange | None:
    """Return the range for ``waves`` matches played one after another; None if the sample is too small.

    ``total``: returns the seconds until the end, given the mean duration of a match, if workers also play
    other matches.

    A slow bot is slow in all of its matches, so many matches between few bots are no more predictable than few matches:
    the relative spread of their total duration is that of just enough matches for each of the ``bots`` to play once.
    """
    if len(sample) < min_sample:
        return None
    durations = [planned.expected_seconds(match) for match in sample]
    mean = fmean(durations)
    variation = pvariance(durations, mean) / mean**2 if mean else 0.0
    among_bots = math.log1p(variation / max(1.0, min(waves, bots / planned.seats)))
    deviation = math.sqrt(among_bots + math.log1p(variation / len(sample)) + _OTHER_BOTS**2)
    factor = min(math.exp(_Z * deviation), math.sqrt(WIDEST))
    expected = total(mean) if total else waves * mean
    middle = expected * math.exp(-among_bots / 2)  # the median, which is below the mean
    least = waves * fmean(planned.paced_seconds(match) for match in sample)
    return friendly_range(max(middle / factor, least), middle * factor)


def blended_mean(mean: float | None, matches: int, expected: float) -> float:
    """Return the mean of ``matches`` durations, completed to a full sample with the duration expected before them."""
    if mean is None or matches >= MIN_SAMPLE:
        return expected if mean is None else mean
    return (matches * mean + (MIN_SAMPLE - matches) * expected) / MIN_SAMPLE


def assumed_range(seconds: float) -> DurationRange:
    """Return a range around a total that was not measured; it is as wide as possible."""
    factor = math.sqrt(WIDEST)
    return friendly_range(seconds / factor, seconds * factor)


def rounded_up(seconds: float) -> float:
    """Round a duration up to the next step."""
    return next((step for step in _STEPS if step >= seconds), _STEPS[-1])


def friendly_range(low: float, high: float) -> DurationRange:
    """Round both ends to durations that readers can plan with, such as 20 and 30 minutes."""
    start = friendly_duration(low)
    ends = [step for step in _STEPS if _NARROWEST * start <= step <= WIDEST * start]
    return DurationRange(start, _nearest(ends, high) if ends else _NARROWEST * start)


def friendly_duration(seconds: float) -> float:
    """Round a duration to the nearest step."""
    return _nearest(_STEPS, seconds)


def _nearest(steps: Sequence[float], seconds: float) -> float:
    """Return the nearest step, judged by the ratio."""
    return next((low for low, high in pairwise(steps) if seconds * seconds < low * high), steps[-1])
