"""Subjects that can be followed and have a feed."""

from __future__ import annotations

from enum import StrEnum


class Subject(StrEnum):
    """The kinds of subjects, as stored in ``Follow`` and ``FeedItem``."""

    BOT = "bot"
    PERSON = "person"
    TOURNAMENT = "tournament"
