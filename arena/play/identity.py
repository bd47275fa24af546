"""Who plays: somebody with an account, or a guest whom the browser's session remembers.

Invariant: the database holds digests of a guest's key and address, never the originals.
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
    """``user`` None is a guest. ``guest``: what this browser played by without an account; "" nothing."""

    user: User | None
    guest: str = ""
    origin: str = ""

    @property
    def is_guest(self) -> bool:
        return self.user is None


def visitor_of(request: HttpRequest) -> Visitor:
    """Who asks; nothing is stored."""
    user = request.user if isinstance(request.user, User) else None
    key = request.session.get(_KEY, "")
    return Visitor(user, _digest("guest", key) if key else "", _digest("origin", client_address.of_request(request)))


def party_of(visitor: Visitor) -> str:
    """Whose share of the workers the visitor's requests count for: guests of one address share one."""
    return network_party(visitor.origin) if visitor.user is None else person_party(visitor.user.pk)


def remembered(request: HttpRequest) -> Visitor:
    """The same, and a guest is known again by this browser from now on."""
    if not isinstance(request.user, User) and _KEY not in request.session:
        request.session[_KEY] = secrets.token_urlsafe(24)
    return visitor_of(request)


def _digest(kind: str, text: str) -> str:
    return salted_hmac(f"arena.play.{kind}", text, algorithm="sha256").hexdigest()
