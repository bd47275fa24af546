"""The identity of a player: a person with an account, or a guest identified by the browser's session.

Invariant: the database stores digests of a guest's key and address, never the originals.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from arena.accounts.models import User
from arena.platform import client_address
from arena.platform.jobs.fair_share import network_party, person_party

_KEY = "guest"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The visitor of a page: a person with an account, or a guest.

    ``user``: None for a guest. ``guest``: this browser's key for matches without an account; "" for none.
    """

    user: User | None
    guest: str = ""
    origin: str = ""

    @property
    def is_guest(self) -> bool:
        return self.user is None


def visitor_of(request: HttpRequest) -> Visitor:
    """Identify the visitor; nothing is stored."""
    user = request.user if isinstance(request.user, User) else None
    key = request.session.get(_KEY, "")
    return Visitor(
        user, _digest("guest", key) if key else "", _digest("origin", client_address.network_of_request(request))
    )


def fair_share_key(visitor: Visitor) -> str:
    """Return the key by which queues share workers fairly; guests at the same address share one key."""
    return network_party(visitor.origin) if visitor.user is None else person_party(visitor.user.pk)


def remember_visitor(request: HttpRequest) -> Visitor:
    """Return the visitor, and store a guest's key in this browser's session."""
    if not isinstance(request.user, User) and _KEY not in request.session:
        request.session[_KEY] = secrets.token_urlsafe(24)
    return visitor_of(request)


def _digest(kind: str, text: str) -> str:
    return salted_hmac(f"arena.play.{kind}", text, algorithm="sha256").hexdigest()
