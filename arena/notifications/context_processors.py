"""Context processor: the number of unread notifications in the header."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.accounts.models import User
from arena.notifications import queries


def unread_notifications(request: HttpRequest) -> dict[str, Any]:
    """Return ``unread``: the number of unread notifications.

    The number is queried only on pages that show it to signed-in people.
    """

    def count() -> int:
        user = getattr(request, "user", None)
        return queries.unread_count(user) if isinstance(user, User) else 0

    return {"unread": SimpleLazyObject(count)}
