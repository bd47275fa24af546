import pytest

from arena.games.golden_point.analysis import reports
from arena.games.golden_point.analysis.reports import ReportCache
from tests.games.golden_point.recordings.example import example

__all__ = ["example"]


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the cache of reports, because match ids repeat between tests."""
    monkeypatch.setattr(reports, "_cache", ReportCache(8))
