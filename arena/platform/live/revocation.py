"""Make every web process recheck the WebSockets of people who may have lost a permission.

Call ``revoke(people=[7])`` after changing what a person may see, and ``revoke(topics=["tournaments/3"])`` after
changing who may see a topic. The revocation is sent after the commit; each hub holds the events of the affected
connections, rechecks each connection once, and resumes or closes it. No event costs a query. Lost revocations, and rows
changed without going through the services, are detected by a periodic check of all connections
(``hub.RECHECK_SECONDS``).
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.db import transaction
from redis.exceptions import RedisError

from arena.platform.live.stream import current_store

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reader:
    """The identity behind a connection: the session and, if the topic's rule depends on who is reading, the person."""

    session: str | None = None
    person: int | None = None


@dataclass(frozen=True, slots=True)
class Revocation:
    """The connections to recheck, selected by person, by session (as digests) or by topic."""

    people: frozenset[int] = frozenset()
    sessions: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()

    @classmethod
    def from_message(cls, text: str) -> Revocation:
        """Parse a revocation from its message."""
        return cls(**{name: frozenset(values) for name, values in json.loads(text).items()})

    @property
    def text(self) -> str:
        return json.dumps({name: sorted(values) for name, values in asdict(self).items()}, separators=(",", ":"))

    def concerns(self, reader: Reader) -> bool:
        """Return whether the reader may have lost a permission, regardless of the topic."""
        return reader.person in self.people or (
            bool(self.sessions) and reader.session is not None and _digest(reader.session) in self.sessions
        )


def revoke(*, people: Iterable[int] = (), sessions: Iterable[str] = (), topics: Iterable[str] = ()) -> None:
    """Have the affected connections rechecked after the commit. ``sessions``: session keys."""
    revocation = Revocation(frozenset(people), frozenset(map(_digest, sessions)), frozenset(topics))
    if revocation != Revocation():
        transaction.on_commit(lambda: _send(revocation), robust=True)


def _send(revocation: Revocation) -> None:
    target = current_store()
    if target is None:
        return
    try:
        target.broadcast(revocation.text)
    except (RedisError, OSError) as error:
        logger.warning("a revocation was not sent; the next check of all connections will detect it: %s", error)


def _digest(session_key: str) -> str:
    """Hash a session key, because keys are credentials and must not reach the broker."""
    return hashlib.sha256(session_key.encode()).hexdigest()
