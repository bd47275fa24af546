"""Create, authenticate and revoke personal access tokens, and maintain the account's activity log."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arena.accounts.models import AccountActivity, AccountActivityKind, ApiToken, TokenScope, User
from arena.accounts.permissions import Action, may
from arena.platform.refusal import Refused

PREFIX: Final = "arena_"  # lets scanners for leaked secrets recognize tokens
MAX_TOKENS_PER_PERSON: Final = 20
ACTIVITY_RETENTION: Final = timedelta(days=90)
LAST_USE_PRECISION: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A newly created token with its secret, which is shown once."""

    id: int
    name: str
    secret: str


@dataclass(frozen=True, slots=True)
class AuthenticatedToken:
    """The token that authenticates a request, with the person who owns it."""

    person: User
    token_id: int
    token_name: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A row of the owner's token table."""

    id: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    expired: bool


def offered_scopes(person: User) -> list[tuple[str, str]]:
    """Return the scopes that the person can use, as form choices."""
    organizes = may(person, Action.CREATE_TOURNAMENT)
    return [(value, str(label)) for value, label in TokenScope.choices if value != TokenScope.ORGANIZE or organizes]


def create(
    person: User, name: str, scopes: Collection[str], *, now: datetime, lifetime: timedelta | None = None
) -> NewToken:
    """Create a token; without a ``lifetime``, it does not expire. Raises Refused."""
    if not person.is_active:
        raise Refused(
            _("This account is suspended, so it cannot have tokens. Ask the site's staff to reactivate it."),
            code="suspended",
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        if ApiToken.objects.filter(person=person).count() >= MAX_TOKENS_PER_PERSON:
            raise Refused(
                _("You have %(n)s tokens, which is the limit. Revoke one before you create another.")
                % {"n": MAX_TOKENS_PER_PERSON},
                code="too_many_tokens",
            )
        made = ApiToken.objects.create(
            person=person,
            name=name,
            digest=_digest(secret),
            scopes=[scope for scope in TokenScope.values if scope in scopes],
            expires_at=None if lifetime is None else now + lifetime,
        )
        _log(person.pk, AccountActivityKind.TOKEN_CREATED, name, now=now)
    return NewToken(made.pk, name, secret)


def authenticate(secret: str, *, now: datetime) -> AuthenticatedToken | None:
    """Return the token with this secret and its owner, and record the use.

    Return None if the token is unknown or expired, or its owner's account is suspended.
    """
    if not secret.startswith(PREFIX):
        return None
    token = ApiToken.objects.select_related("person").filter(digest=_digest(secret)).first()
    if token is None or not token.person.is_active or (token.expires_at is not None and token.expires_at <= now):
        return None
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USE_PRECISION)
    if token.last_used_at is None or token.last_used_at <= now - LAST_USE_PRECISION:
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return AuthenticatedToken(token.person, token.pk, token.name, frozenset(token.scopes))


def revoke(person: User, token_id: int, *, now: datetime) -> str | None:
    """Delete a person's token and return its name; return None if there is no such token."""
    with transaction.atomic():
        token = ApiToken.objects.filter(person=person, pk=token_id).first()
        if token is None:
            return None
        token.delete()
        _log(person.pk, AccountActivityKind.TOKEN_REVOKED, token.name, now=now)
    return token.name


def log_use(used: AuthenticatedToken, request: str, status: int, *, now: datetime) -> None:
    """Add the use of a write scope to the account's activity log."""
    _log(used.person.pk, AccountActivityKind.TOKEN_USED, used.token_name, now=now, request=request[:200], status=status)


def tokens_of(person: User, *, now: datetime) -> list[TokenRow]:
    """Return a person's tokens, newest first."""
    return [
        TokenRow(
            id=token.pk,
            name=token.name,
            scopes=tuple(token.scopes),
            created_at=token.created_at,
            expires_at=token.expires_at,
            last_used_at=token.last_used_at,
            expired=token.expires_at is not None and token.expires_at <= now,
        )
        for token in ApiToken.objects.filter(person=person)
    ]


def activity_of(person: User, limit: int = 50) -> Sequence[AccountActivity]:
    """Return the newest entries in the person's activity log, at most ``limit``."""
    return list(AccountActivity.objects.filter(person=person)[:limit])


def _log(
    person_id: int,
    kind: AccountActivityKind,
    token: str,
    *,
    now: datetime,
    request: str = "",
    status: int | None = None,
) -> None:
    AccountActivity.objects.filter(person_id=person_id, at__lt=now - ACTIVITY_RETENTION).delete()
    AccountActivity.objects.create(person_id=person_id, kind=kind, at=now, token=token, request=request, status=status)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
