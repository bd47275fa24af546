"""Topics that can be watched, and the permission to watch them.

A topic is a string: a prefix and an id, such as "matches/12", or only a prefix, such as "home". An app registers its
prefix in ``AppConfig.ready``; unregistered topics are unknown, and nobody may watch them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# Returns whether ``user`` may watch the topic with this id. Accessing ``user``, who may be anonymous, queries the
# database. Called once per connection, in a thread; it may run at most two other queries, or one for public topics.
Authorize = Callable[[Any, int], bool]
# As above, for topics that guests may watch: ``request`` has ``user`` and ``session``, like an HTTP request.
AuthorizeRequest = Callable[[Any, int], bool]
# Returns the number of the topic's newest event in the database; 0 if the stream has all events. Called once per
# connection, with one query.
Newest = Callable[[int], int]


class Access(StrEnum):
    """A visitor's access to a topic."""

    GRANTED = "granted"
    FORBIDDEN = "forbidden"  # the access check denies it
    UNKNOWN = "unknown"  # no app registered this topic


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic. ``id``: 0 if the topic consists only of a prefix."""

    prefix: str
    id: int = 0

    @classmethod
    def parse(cls, text: str) -> Topic:
        """Parse a topic such as "matches/12". Raises ValueError if the id is not a number."""
        prefix, _, number = text.partition("/")
        return cls(prefix, int(number or 0))

    def __str__(self) -> str:
        return f"{self.prefix}/{self.id}" if self.id else self.prefix


_RULES: dict[str, Authorize] = {}
_OF_REQUESTS: dict[str, AuthorizeRequest] = {}
_NEWEST: dict[str, Newest] = {}


def register(prefix: str, authorize: Authorize, newest: Newest = lambda pk: 0) -> None:
    """Set the access check of topics with this ``prefix``; raises RuntimeError if the prefix already has one.

    ``newest``: returns the number of the newest event of a topic.
    """
    if _RULES.setdefault(prefix, authorize) is not authorize:
        raise RuntimeError(f"live topic prefix {prefix!r} is registered twice")
    _NEWEST[prefix] = newest


def register_session_topics(prefix: str, authorize: AuthorizeRequest, newest: Newest = lambda pk: 0) -> None:
    """Register topics whose access check needs the visitor's session; otherwise like ``register``."""
    if _OF_REQUESTS.setdefault(prefix, authorize) is not authorize:
        raise RuntimeError(f"live topic prefix {prefix!r} is registered twice")
    _NEWEST[prefix] = newest


def access(topic: Topic, user: Any, request: Any = None) -> Access:
    """Return the access that ``user`` has to ``topic``; this may query the database.

    ``request``: the visitor's request, for topics whose access check needs the session.
    """
    if topic.prefix in _OF_REQUESTS:
        granted = request is not None and _OF_REQUESTS[topic.prefix](request, topic.id)
    elif topic.prefix in _RULES:
        granted = _RULES[topic.prefix](user, topic.id)
    else:
        return Access.UNKNOWN
    return Access.GRANTED if granted else Access.FORBIDDEN


def newest(topic: Topic) -> int:
    """Return the number of the topic's newest event, queried from the database."""
    find = _NEWEST.get(topic.prefix)
    return find(topic.id) if find else 0
