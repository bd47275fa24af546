"""Declare an operation: its path, access, response and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from ninja import Router
from ninja.decorators import decorate_view

from arena.accounts.models import TokenScope
from arena.api.authentication import RequiredAccess
from arena.api.idempotency import HEADER, MAX_KEY_LENGTH, idempotent
from arena.api.schemas.problems import Problem

ViewT = TypeVar("ViewT", bound=Callable[..., Any])

ORGANIZE: Final = TokenScope.ORGANIZE
_BINARY: Final[Mapping[str, str]] = {"type": "string", "format": "binary"}
_FILES: Final[Mapping[str, Mapping[str, str]]] = {
    "application/json": {"type": "object"},
    "text/csv": {"type": "string"},
    "text/event-stream": {"type": "string"},
    "text/plain": {"type": "string"},
}
_ALWAYS: Final = (401, 403, 422, 429)
_KEY: Final[Mapping[str, Any]] = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH},
    "description": "Makes retries safe: for a day, the same key returns the first response. Printable ASCII.",
}


def get(
    router: Router,
    path: str,
    *,
    response: Any = None,
    signed_in: bool = False,
    fails: tuple[int, ...] = (),
    media_type: str = "",
) -> Callable[[ViewT], ViewT]:
    """Declare a GET operation, for everyone or for signed-in people; ``media_type``: the type of a file response."""
    access = RequiredAccess(TokenScope.READ, signed_in)
    extra: dict[str, Any] = {"security": _security(access)}
    if media_type:
        extra["responses"] = {200: {"content": {media_type: {"schema": _FILES.get(media_type, _BINARY)}}}}
    return _operation(router, ["GET", "HEAD"], path, access, {200: response}, fails, extra)


def post(
    router: Router,
    path: str,
    *,
    response: Any,
    scope: TokenScope = TokenScope.SUBMIT,
    status: int = 200,
    fails: tuple[int, ...] = (),
) -> Callable[[ViewT], ViewT]:
    """Declare a POST operation, which an ``Idempotency-Key`` makes idempotent."""
    access = RequiredAccess(scope, signed_in=True)
    extra: dict[str, Any] = {"security": _security(access), "parameters": [dict(_KEY)]}
    declare = _operation(router, ["POST"], path, access, {status: response}, (400, 409, *fails), extra)

    def decorate(view: ViewT) -> ViewT:
        return declare(decorate_view(idempotent(access))(view))

    return decorate


def _operation(
    router: Router,
    methods: list[str],
    path: str,
    access: RequiredAccess,
    success: Mapping[int, Any],
    fails: tuple[int, ...],
    extra: dict[str, Any],
) -> Callable[[ViewT], ViewT]:
    also = (404,) if "{" in path else ()
    responses = {**success, **dict.fromkeys(sorted({*_ALWAYS, *also, *fails}), Problem)}

    def decorate(view: ViewT) -> ViewT:
        declare = router.api_operation(
            methods,
            path,
            auth=access,
            response=responses,
            operation_id=view.__name__,
            summary=(view.__doc__ or "").partition("\n")[0].rstrip("."),
            description=(view.__doc__ or "").strip(),
            openapi_extra=extra,
        )
        declared: ViewT = declare(view)
        return declared

    return decorate


def _security(access: RequiredAccess) -> list[dict[str, list[str]]]:
    ways: list[dict[str, list[str]]] = [{"token": [access.scope.value]}, {"session": []}]
    return ways if access.signed_in else [*ways, {}]
