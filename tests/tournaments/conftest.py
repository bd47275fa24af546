"""A tournament that tests advance by hand, without workers, a clock or a broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.scored.installed import install_scored_games
from tests.tournaments.harness import TournamentHarness


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    with memory_broker() as broker:
        yield broker


@pytest.fixture
def dare(monkeypatch: pytest.MonkeyPatch) -> None:
    install_scored_games(monkeypatch)


@pytest.fixture
def stage(
    db: None,
    broker: MemoryBroker,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> TournamentHarness:
    return TournamentHarness(broker, django_capture_on_commit_callbacks)
