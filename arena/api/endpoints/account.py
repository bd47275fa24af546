"""API endpoint that returns the caller's account."""

from __future__ import annotations

from typing import Any

from ninja import Router

from arena.accounts.permissions import SignedInRequest
from arena.api.authentication import identify
from arena.api.operations import get
from arena.api.schemas import bots as shapes

router = Router(tags=["Account"])


@get(router, "/me", response=shapes.Account, signed_in=True)
def get_account(request: SignedInRequest) -> dict[str, Any]:
    """Get the account and the token's scopes."""
    person, token = request.user, identify(request).token
    return {
        "username": person.username,
        "role": person.role,
        "is_staff": person.is_staff,
        "scopes": sorted(token.scopes) if token else [],
        "token": token.token_name if token else "",
    }
