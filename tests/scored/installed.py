"""Install the scored test games for the duration of a test."""

from __future__ import annotations

import kombu
import pytest

from arena.celery import Queue, app, queue_of
from arena.games.registry import GAMES
from arena.games.sites import SITES
from tests.scored import rules
from tests.scored.site import SITE


def install_scored_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install Dare, with one to three seats, and Solitary, with one."""
    for game in (rules.GAME, rules.SOLITARY):
        monkeypatch.setitem(GAMES, game.name, game)
        monkeypatch.setitem(SITES, game.name, SITE)
        name = queue_of(Queue.MATCHES, game.name)
        monkeypatch.setitem(app.amqp.queues, name, kombu.Queue(name))
