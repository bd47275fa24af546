"""Context processor: the reader's permissions on every page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.accounts.permissions import Action, may


def reader_permissions(request: HttpRequest) -> dict[str, Any]:
    """Return the lazily evaluated template variable ``sees_workers``: whether pages link to the workers."""
    user = getattr(request, "user", None)
    return {"sees_workers": SimpleLazyObject(lambda: user is not None and may(user, Action.SEE_WORKERS))}
