"""Check in the database who may watch a topic: when a WebSocket opens, and again after a revocation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from channels.db import database_sync_to_async
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.utils.functional import SimpleLazyObject

from arena.platform.live.revocation import Reader
from arena.platform.live.topics import Access, Topic, access, newest

# Returns which of these sessions may still watch the topic.
Check = Callable[[Topic, Collection[str | None]], Awaitable[frozenset[str | None]]]


@dataclass(frozen=True, slots=True)
class Authorization:
    """A visitor's access and identity. ``newest``: the number of the newest event, 0 if the visitor may not watch."""

    access: Access
    reader: Reader
    newest: int


def authorize(topic: Topic, session: str | None) -> Authorization:
    """Check a visitor's access to a topic; the user is loaded only if the topic's rule depends on the person."""
    granted, person = _check_access(topic, session)
    return Authorization(granted, Reader(session, person), newest(topic) if granted is Access.GRANTED else 0)


def permitted_sessions(topic: Topic, sessions: Collection[str | None]) -> frozenset[str | None]:
    """Return which sessions may watch the topic. Runs one query if it is public, otherwise one per session."""
    if _check_access(topic, None)[0] is Access.GRANTED:
        return frozenset(sessions)
    return frozenset(session for session in sessions if _check_access(topic, session)[0] is Access.GRANTED)


check: Check = database_sync_to_async(permitted_sessions)


def _check_access(topic: Topic, session: str | None) -> tuple[Access, int | None]:
    request: Any = SimpleNamespace(session=SessionStore(session), META={})
    found: list[int | None] = []

    def visitor() -> Any:
        user = get_user(request)
        found.append(user.pk)
        return user

    request.user = SimpleLazyObject(visitor)
    return access(topic, request.user, request), found[0] if found else None
