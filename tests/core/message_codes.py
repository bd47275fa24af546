"""Recognize messages by their codes, because their wording may change."""

from __future__ import annotations

from collections.abc import Iterator

from arena.core.messages import Message


def codes_of(message: Message) -> Iterator[str]:
    """Yield the code of a message and those of the messages within it."""
    yield message.code
    for value in message.parameters.values():
        if isinstance(value, Message):
            yield from codes_of(value)
