"""Inspect and empty the queues of the in-memory test broker."""

from __future__ import annotations

from arena.celery import app


def empty_queue(queue: str) -> int:
    """Empty a queue and return how many messages were waiting in it."""
    with app.connection_or_acquire() as connection:
        return connection.default_channel.queue_purge(queue) or 0
