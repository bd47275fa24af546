"""The API: routers, request body parsing, and error responses."""

from __future__ import annotations

import json
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

from arena.api.document import complete_document
from arena.api.endpoints import account, bots, leaderboards, matches, tournaments, versions
from arena.api.problems import problem_of_exception, problem_response
from arena.api.validation import field_error_of
from arena.platform.refusal import Refused

VERSION: Final = "1.0.0"
DESCRIPTION: Final = (
    "With this API, programs upload bots, follow their checks, and read matches and tournaments. "
    "Send a token from your settings as `Authorization: Bearer arena_…`; public data can be read without a token. "
    "Errors are problem details (RFC 9457)."
)


class StrictParser(Parser):
    """A parser of JSON bodies that rejects what no database column can store: null characters and lone surrogates."""

    def parse_body(self, request: HttpRequest) -> Any:
        body = json.loads(request.body.decode("utf-8"), parse_constant=_reject_constant)
        if "\0" in (text := json.dumps(body, ensure_ascii=False)) or "\\u0000" in text:
            raise ValueError("the body contains a null character")
        text.encode("utf-8")
        return body


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class ArenaApi(NinjaAPI):
    """The API; adds the parts shared by all operations to its OpenAPI document."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._documents: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the OpenAPI document, which callers must not change.

        It is cached, because building it takes a tenth of a second.
        """
        prefix = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        if prefix not in self._documents:
            self._documents[prefix] = complete_document(super().get_openapi_schema(path_prefix=prefix))
        return self._documents[prefix]


api = ArenaApi(
    title="Bot Arena",
    version=VERSION,
    description=DESCRIPTION,
    docs_url=None,
    urls_namespace="api",
    parser=StrictParser(),
)
for router in (account.router, bots.router, versions.router, matches.router, tournaments.router, leaderboards.router):
    api.add_router("", router)


def _handle_failure(request: HttpRequest, error: Any) -> HttpResponse:
    return problem_of_exception(error)


for _kind in (Refused, Http404, PermissionDenied):
    api.add_exception_handler(_kind, _handle_failure)


@api.exception_handler(ValidationError)
def _handle_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem_response(422, errors=[field_error_of(each) for each in error.errors])


@api.exception_handler(HttpError)
def _handle_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem_response(error.status_code)


@api.exception_handler(Exception)
def _reraise_unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # left to Django, which logs it and sets the status
