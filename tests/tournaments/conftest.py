"""A tournament that a test moves by hand: no worker, no clock, no broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import kombu
import pytest

from arena.celery import Queue, app, queue_of
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform.live.testing import MemoryBroker, captured
from tests.scored import rules
from tests.scored.site import SITE
from tests.tournaments.stage import Stage


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    with captured() as broker:
        yield broker


@pytest.fixture
def dare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two scored games as a site has them that installs them: Dare with up to three seats, and with one seat."""
    for game in (rules.GAME, rules.SOLITARY):
        monkeypatch.setitem(GAMES, game.name, game)
        monkeypatch.setitem(SITES, game.name, SITE)
        name = queue_of(Queue.MATCHES, game.name)
        monkeypatch.setitem(app.amqp.queues, name, kombu.Queue(name))


@pytest.fixture
def stage(
    db: None,
    broker: MemoryBroker,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> Stage:
    return Stage(broker, django_capture_on_commit_callbacks)
