import pytest

from arena.games.golden_point.analysis import reports
from arena.games.golden_point.analysis.reports import ReportCache
from tests.games.golden_point.recordings.example import example

__all__ = ["example"]


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another test's match of the same id is another match."""
    monkeypatch.setattr(reports, "_cache", ReportCache(8))
