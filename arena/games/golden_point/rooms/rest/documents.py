"""The Swagger 2.0 documents: one for all programs, including old ones, and one in each language for people.

Invariants: the documents contain neither ``host`` nor ``schemes``, so that they work at any address of the site; they
describe only the eleven operations; only the main document lists the lower-case aliases for older generations of
clients. A path can have only one operation id, so an operation's further ids are listed under the same path with
trailing slashes, which the endpoint ignores.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from arena.games.golden_point.rooms.rest.catalogue import OPERATIONS, Operation, Parameter
from arena.games.golden_point.rooms.rest.schemas import SCHEMAS, reference

TAG = "Default"
# The language of each document and whether it lists aliases, by path (in lower case, as in the endpoint).
DOCUMENTS = {
    "swagger/v1/swagger.json": ("en", True),
    "swagger/v1 - english/swagger.json": ("en", False),
    "swagger/v1 - chinese/swagger.json": ("zh-hans", False),
}


@cache
def document(language: str, *, aliases: bool) -> dict[str, Any]:
    with override(language):
        paths = {operation.path: _path(operation, operation.name) for operation in OPERATIONS}
        if aliases:
            paths |= {
                one.path.lower() + "/" * place: _path(one, f"{TAG}_{former}")
                for one in OPERATIONS
                for place, former in enumerate(one.former)
            }
        return {
            "swagger": "2.0",
            "info": {"title": _("Golden number"), "version": "v1"},
            "basePath": "/",
            "paths": paths,
            "definitions": SCHEMAS,
        }


def _path(operation: Operation, identifier: str) -> dict[str, Any]:
    return {
        operation.method: {
            "tags": [TAG],
            "operationId": identifier,
            "summary": str(operation.text),
            "produces": ["application/json"],
            "parameters": [_parameter(parameter) for parameter in operation.parameters],
            "responses": {
                "200": {"description": _("Done."), "schema": reference(operation.answer)},
                "400": {
                    "description": _("The request was refused. The message gives the reason."),
                    "schema": reference("Error"),
                },
            },
        }
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": parameter.name,
        "in": "query",
        "description": str(parameter.text),
        "required": parameter.required,
        "type": parameter.kind,
    }
    if parameter.kind == "integer":
        described["format"] = "int32"
    if parameter.default is not None:
        described["default"] = parameter.default
    return described
