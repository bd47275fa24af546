"""What waits in the queues of the tests' broker, which is this process's memory."""

from __future__ import annotations

from arena.celery import app


def taken(queue: str) -> int:
    """How many messages waited in a queue, which is empty now."""
    with app.connection_or_acquire() as connection:
        return connection.default_channel.queue_purge(queue) or 0
