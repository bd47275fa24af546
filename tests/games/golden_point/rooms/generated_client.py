"""A client like those generated in 2019: it knows only the document from which it was generated.

Operations are called by operationId, parameters are placed as the document specifies, and responses are checked
strictly against their schema: a missing member, a wrong type or an undocumented member is an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

# Sends a request target and returns the status and the body.
Transport = Callable[[str, str], tuple[int, bytes]]

DOCUMENT = "//swagger/v1/swagger.json"
_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": int | float, "boolean": bool, "array": list}


class ApiError(Exception):
    """A response with status 400 and its message."""


@dataclass(frozen=True, slots=True)
class _Operation:
    path: str
    method: str
    parameters: dict[str, dict[str, Any]]
    answer: dict[str, Any]


class GeneratedClient:
    """A client whose calls, such as ``client("Default_GetState")(roomid=0)``, return responses with parsed dates."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        status, body = transport("GET", DOCUMENT)
        assert status == 200, body
        self._document = json.loads(body)
        self._operations = {
            operation["operationId"]: _Operation(
                path=self._document["basePath"].rstrip("/") + path,
                method=method.upper(),
                parameters={parameter["name"]: parameter for parameter in operation["parameters"]},
                answer=operation["responses"]["200"]["schema"],
            )
            for path, methods in self._document["paths"].items()
            for method, operation in methods.items()
        }

    def __call__(self, operation_id: str) -> Callable[..., Any]:
        operation = self._operations[operation_id]

        def call(**arguments: object) -> Any:
            required = {name for name, parameter in operation.parameters.items() if parameter["required"]}
            assert required <= arguments.keys() <= operation.parameters.keys(), arguments
            status, body = self._transport(operation.method, f"{operation.path}?{urlencode(arguments)}")
            if status != 200:
                raise ApiError(json.loads(body)["message"])
            return self._read(operation.answer, json.loads(body))

        return call

    def _read(self, schema: dict[str, Any], value: Any) -> Any:
        if "$ref" in schema:
            schema = self._document["definitions"][schema["$ref"].rpartition("/")[2]]
        assert isinstance(value, _TYPES.get(schema["type"], dict)), (schema, value)
        if schema["type"] == "array":
            return [self._read(schema["items"], each) for each in value]
        if "properties" in schema:
            assert value.keys() == schema["properties"].keys()
            return {name: self._read(schema["properties"][name], each) for name, each in value.items()}
        if schema.get("format") == "date-time":
            moment = datetime.fromisoformat(value)
            assert moment.tzinfo is not None
            assert "T" in value
            return moment
        return value
