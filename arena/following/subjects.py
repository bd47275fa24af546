"""Subjects that can be followed and have a feed."""

from __future__ import annotations

from enum import StrEnum


class Subject(StrEnum):
    """The value is the column of ``Follow`` and ``FeedItem`` for such a subject."""

    BOT = "bot"
    PERSON = "person"
    TOURNAMENT = "tournament"
