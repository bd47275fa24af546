"""Authenticate callers: by token (``Authorization: Bearer``), by the browser's session, or as anonymous.

Invariant: a request with a token is authenticated by that token or refused; it never falls back to the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja.utils import check_csrf

from arena.accounts import tokens
from arena.accounts.models import TokenScope, User
from arena.accounts.throttle import Throttle
from arena.api.problems import Code, ProblemError
from arena.platform import client_address

REQUESTS: Final = Throttle(
    "api-requests",
    "API_REQUESTS_AN_HOUR",
    gettext_lazy("You have reached the hourly limit for API requests (%(n)s)."),
)
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_CALLER: Final = "_api_caller"  # attribute of the request
_USED: Final = "_api_used_token"


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of an operation.

    ``person``: None if anonymous; ``token``: None if anonymous or authenticated by a session.
    """

    person: User | None
    token: tokens.AuthenticatedToken | None


@dataclass(frozen=True, slots=True)
class RequiredAccess:
    """The access that an operation requires; ``signed_in``: whether callers must be signed in."""

    scope: TokenScope
    signed_in: bool

    def __call__(self, request: HttpRequest) -> Caller:
        """Return the caller if they may use this operation, and count the request. Raises Refused."""
        caller = self.caller(request)
        key = (
            f"network:{client_address.network_of_request(request)}"
            if caller.person is None
            else f"person:{caller.person.pk}"
        )
        REQUESTS.count_use(key, now=timezone.now())
        return caller

    def caller(self, request: HttpRequest) -> Caller:
        """Identify the caller without counting the request towards the rate limit."""
        caller = identify(request)
        if caller.person is None and self.signed_in:
            raise _unauthorized_error()
        if caller.token is not None and self.scope not in caller.token.scopes:
            text = _("This token does not have the scope %(scope)s. Create a token with that scope in your settings.")
            header = f'Bearer error="insufficient_scope", scope="{self.scope}"'
            raise ProblemError(
                403,
                text % {"scope": self.scope.value},
                code=Code.INSUFFICIENT_SCOPE,
                headers={"WWW-Authenticate": header},
            )
        if caller.token is not None and self.scope != TokenScope.READ:
            setattr(request, _USED, caller.token)
        return caller


def identify(request: HttpRequest) -> Caller:
    """Identify the caller and set ``request.user``. Raises ProblemError if the token is invalid."""
    known: Caller | None = getattr(request, _CALLER, None)
    if known is None:
        known = _token_caller(request) if "Authorization" in request.headers else _session_caller(request)
        setattr(request, _CALLER, known)
    return known


def write_token_used(request: HttpRequest) -> tokens.AuthenticatedToken | None:
    """Return the token if the request used one of its write scopes, otherwise None."""
    return getattr(request, _USED, None)


def _token_caller(request: HttpRequest) -> Caller:
    scheme, _space, secret = request.headers["Authorization"].partition(" ")
    used = tokens.authenticate(secret.strip(), now=timezone.now()) if scheme.lower() == "bearer" else None
    if used is None:
        REQUESTS.count_use(f"network:{client_address.network_of_request(request)}", now=timezone.now())
        raise _unauthorized_error(invalid=True)
    request.user = used.person
    return Caller(used.person, used)


def _session_caller(request: HttpRequest) -> Caller:
    person = request.user
    if not isinstance(person, User):
        return Caller(None, None)
    if request.method not in SAFE and check_csrf(request) is not None:
        text = _("Send the page's CSRF token in the X-CSRFToken header, or use an access token.")
        raise ProblemError(403, text, code=Code.CSRF_FAILED)
    return Caller(person, None)


def _unauthorized_error(*, invalid: bool = False) -> ProblemError:
    if not invalid:
        return ProblemError(401, headers={"WWW-Authenticate": "Bearer"})
    text = _("This token is mistyped, revoked or expired. Create a new one in your settings.")
    header = 'Bearer error="invalid_token"'
    return ProblemError(401, text, code=Code.INVALID_TOKEN, headers={"WWW-Authenticate": header})
