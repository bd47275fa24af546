import pytest

from arena.insights import reports
from arena.insights.reports import Kept
from tests.recordings.example import example

__all__ = ["example"]


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another test's match of the same id is another match."""
    monkeypatch.setattr(reports, "_kept", Kept(8))
