import pytest

from arena.games.golden_point.analysis import reports
from arena.games.golden_point.analysis.reports import ReportCache
from tests.games.golden_point.recordings.example import example

__all__ = ["example"]


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Match ids repeat between tests, so cached reports must not survive a test."""
    monkeypatch.setattr(reports, "_cache", ReportCache(8))
