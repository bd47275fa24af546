"""The operations of the OpenAPI document, as shown on the try-it page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arena.api.api import api

_EXAMPLES: Final[Mapping[str, Any]] = {"integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
_MULTIPART, _JSON = "multipart/form-data", "application/json"


@dataclass(frozen=True, slots=True)
class RequestField:
    """A value that a request can contain.

    ``location``: path, query, form or body; ``kind``: text, integer, file or json.
    """

    name: str
    location: str
    kind: str
    text: str
    required: bool
    default: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    fields: tuple[RequestField, ...]


@dataclass(frozen=True, slots=True)
class OperationGroup:
    """The operations on one kind of resource."""

    name: str
    operations: tuple[Operation, ...]


def operation_groups() -> list[OperationGroup]:
    """Return all operations in groups, in the order of the document."""
    document = api.get_openapi_schema()
    found: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, declared in methods.items():
            fields = (*_parameter_fields(declared), *_body_fields(declared, document["components"]["schemas"]))
            summary, _line, rest = declared["description"].partition("\n")
            operation = Operation(declared["operationId"], method, path, summary, rest.strip(), fields)
            found.setdefault(declared["tags"][0], []).append(operation)
    return [OperationGroup(name, tuple(operations)) for name, operations in found.items()]


def _parameter_fields(declared: Mapping[str, Any]) -> Iterator[RequestField]:
    for parameter in declared["parameters"]:
        schema = parameter["schema"]
        if parameter["in"] != "header":
            kind = "integer" if schema.get("type") == "integer" else "text"
            default = schema.get("default")
            text = parameter.get("description", "")
            shown = "" if default in (None, "", False) else str(default)
            yield RequestField(parameter["name"], parameter["in"], kind, text, parameter["required"], shown)


def _body_fields(declared: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[RequestField]:
    content = declared.get("requestBody", {}).get("content", {})
    if _JSON in content:
        example = json.dumps(_example_body(content[_JSON]["schema"], schemas), indent=2)
        yield RequestField("body", "body", "json", "", True, example)
    elif _MULTIPART in content:
        schema = content[_MULTIPART]["schema"]
        for name, value in schema["properties"].items():
            kind = "file" if value.get("format") == "binary" else "text"
            required = name in schema.get("required", ())
            default = str(value.get("default", "")).lower() if value.get("type") == "boolean" else ""
            yield RequestField(name, "form", kind, value.get("description", ""), required, default)


def _example_body(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return example values for the required fields."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    properties = schema["properties"]
    return {name: _EXAMPLES.get(properties[name].get("type", ""), "") for name in schema.get("required", ())}
