"""Estimated durations as readers see them."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from arena.core.duration_estimate import DAY, HOUR, MINUTE, DurationRange
from arena.tournaments.templatetags.estimates import duration_range, rough_duration


@pytest.mark.parametrize(
    ("low", "high", "english", "chinese"),
    [
        (20, 45, "20–45 s", "20–45 秒"),
        (20 * MINUTE, 30 * MINUTE, "20–30 min", "20–30 分钟"),
        (2.5 * MINUTE, 4 * MINUTE, "2.5–4 min", "2.5–4 分钟"),
        (45 * MINUTE, 1.5 * HOUR, "45 min to 1.5 h", "45 分钟至 1.5 小时"),
        (24 * HOUR, 36 * HOUR, "24–36 h", "24–36 小时"),
        (36 * HOUR, 3 * DAY, "36 h to 3 days", "36 小时至 3 天"),
        (2 * DAY, 4 * DAY, "2–4 days", "2–4 天"),
    ],
)
def test_unit_is_repeated_only_if_it_differs(low: float, high: float, english: str, chinese: str) -> None:
    assert duration_range(DurationRange(low, high)) == english
    with override("zh-hans"):
        assert duration_range(DurationRange(low, high)) == chinese


@pytest.mark.parametrize(
    ("seconds", "text"), [(45, "45 s"), (60, "1 min"), (5400, "1.5 h"), (129600, "36 h"), (172800, "2 days")]
)
def test_single_durations(seconds: float, text: str) -> None:
    assert rough_duration(seconds) == text
