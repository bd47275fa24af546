"""Complete the OpenAPI document: add what all operations have in common."""

from __future__ import annotations

from typing import Any, Final

from ninja.openapi.schema import OpenAPISchema

from arena.accounts.tokens import PREFIX
from arena.api.problems import CONTENT_TYPE

_RETRY: Final = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before you retry."}}
_ETAG: Final = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "Send this value as If-None-Match to get a 304 if nothing has changed.",
    }
}
SECURITY_SCHEMES: Final = {
    "token": {"type": "http", "scheme": "bearer", "bearerFormat": f"{PREFIX}…"},
    "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
}


def complete_document(document: OpenAPISchema) -> OpenAPISchema:
    """Add what all operations have in common to the OpenAPI document, in place."""
    for path in document["paths"].values():
        path.pop("head", None)  # the same as GET, but without the body
        for method, operation in path.items():
            _complete_operation(method, operation)
    document["components"]["securitySchemes"] = SECURITY_SCHEMES
    return document


def _complete_operation(method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    for status, response in responses.items():
        if int(status) >= 400:
            response["content"] = {CONTENT_TYPE: next(iter(response["content"].values()))}
        if int(status) == 429:
            response["headers"] = dict(_RETRY)
    if method == "get" and "text/event-stream" not in responses[200].get("content", {}):
        responses[200]["headers"] = dict(_ETAG)
        responses[304] = {"description": "Not Modified"}
