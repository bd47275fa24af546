"""Topics that can be watched, and who may watch them.

A topic is a string: a prefix and an id, "matches/12", or a bare prefix, "home". An app registers its
prefix in ``AppConfig.ready``; what nobody registered is unknown, and nobody may watch it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# Whether ``user`` (anonymous or not; looked up in the database only when it is touched) may watch the topic
# with this id. Runs once a connection, in a thread, with two queries of its own at most; one where it is everybody's.
Authorize = Callable[[Any, int], bool]
# The same for topics whose watchers may have no account: ``request`` has ``user`` and ``session`` as a page's has.
AuthorizeRequest = Callable[[Any, int], bool]
# The number of the newest event of the topic with this id, as the database knows it; 0 where the stream tells
# everything. Asked once a connection, with one query.
Newest = Callable[[int], int]


class Access(StrEnum):
    """What a visitor gets who asks for a topic."""

    GRANTED = "granted"
    FORBIDDEN = "forbidden"  # the rule says no
    UNKNOWN = "unknown"  # no app has such topics


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing to watch; ``id`` is 0 for a topic that is just its prefix."""

    prefix: str
    id: int = 0

    @classmethod
    def of(cls, text: str) -> Topic:
        """The topic that is written like this."""
        prefix, _, number = text.partition("/")
        return cls(prefix, int(number or 0))

    def __str__(self) -> str:
        return f"{self.prefix}/{self.id}" if self.id else self.prefix


_RULES: dict[str, Authorize] = {}
_OF_REQUESTS: dict[str, AuthorizeRequest] = {}
_NEWEST: dict[str, Newest] = {}


def register(prefix: str, authorize: Authorize, newest: Newest = lambda pk: 0) -> None:
    """Make topics of ``prefix`` watchable by those whom ``authorize`` admits; raises for a second rule."""
    if _RULES.setdefault(prefix, authorize) is not authorize:
        raise RuntimeError(f"live topics {prefix!r} are registered twice")
    _NEWEST[prefix] = newest


def register_request(prefix: str, authorize: AuthorizeRequest, newest: Newest = lambda pk: 0) -> None:
    """As ``register``, for a rule that has to know the visitor's session."""
    if _OF_REQUESTS.setdefault(prefix, authorize) is not authorize:
        raise RuntimeError(f"live topics {prefix!r} are registered twice")
    _NEWEST[prefix] = newest


def access(topic: Topic, user: Any, request: Any = None) -> Access:
    """Whether ``user``, who comes with ``request``, may watch ``topic``; may query the database."""
    if topic.prefix in _OF_REQUESTS:
        granted = request is not None and _OF_REQUESTS[topic.prefix](request, topic.id)
    elif topic.prefix in _RULES:
        granted = _RULES[topic.prefix](user, topic.id)
    else:
        return Access.UNKNOWN
    return Access.GRANTED if granted else Access.FORBIDDEN


def newest(topic: Topic) -> int:
    """The number of the topic's newest event as the database knows it; queries the database."""
    find = _NEWEST.get(topic.prefix)
    return find(topic.id) if find else 0
