"""Parse the parameters of a request from its query, a form or a JSON object.

Invariants: names are case-insensitive; the query overrides the body; an empty or unreadable body counts as
one without parameters, because old programs send empty bodies with various content types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

from arena.platform.refusal import Refused

MAX_FIELDS: Final = 50
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")


def invalid_parameter(name: str, expected: str) -> Refused:
    """Return the error for an invalid parameter."""
    return Refused(f"Invalid {name}: {expected}.", status=HTTPStatus.BAD_REQUEST)


class Parameters:
    """The parameters of a request; a missing parameter is an empty string.

    ``origin``: digest of the client's network.
    """

    def __init__(self, query: bytes, body: bytes = b"", content_type: str = "", origin: str = "") -> None:
        self.origin = origin
        self._values: dict[str, str] = {}
        for name, value in (*_parse_form(query), *_parse_body(body, content_type)):
            self._values.setdefault(name.lower(), value)

    def text(self, name: str) -> str:
        return self._values.get(name.lower(), "")

    def integer(self, name: str, default: int, least: int | None = None, most: int | None = None) -> int:
        """Parse an integer from ``least`` to ``most``; return ``default`` if it is missing or empty. Raises Refused."""
        text = self.text(name).strip(" ")
        if not text:
            return default
        value = int(text) if _WHOLE.fullmatch(text) else None
        if value is None or (least is not None and value < least) or (most is not None and value > most):
            raise invalid_parameter(name, _range_text(least, most))
        return value


def _range_text(least: int | None, most: int | None) -> str:
    if least is None:
        return "must be an integer"
    return f"must be an integer from {least} to {most}" if most is not None else f"must be an integer, at least {least}"


def _parse_body(body: bytes, content_type: str) -> list[tuple[str, str]]:
    kind = content_type.partition(";")[0].strip().lower()
    if not body.strip():
        return []
    if kind == "application/x-www-form-urlencoded":
        return _parse_form(body)
    if kind == "multipart/form-data":
        return _parse_multipart_form(body, content_type)
    return _parse_json_object(body)


def _parse_form(encoded: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            encoded.decode("utf-8", "replace"), keep_blank_values=True, errors="replace", max_num_fields=MAX_FIELDS
        )
    except ValueError:  # there are more fields than any program sends
        return []


def _parse_multipart_form(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """Parse a multipart form, which has the format of a mail message."""
    head = b"Content-Type: " + content_type.encode("latin-1", "replace") + b"\r\n\r\n"
    message: Message[str, str] = BytesParser(policy=HTTP).parsebytes(head + body)
    found = []
    for part in message.get_payload() if message.is_multipart() else []:
        if isinstance(part, Message):
            name, payload = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
            if isinstance(name, str) and isinstance(payload, bytes):
                found.append((name, payload.decode("utf-8", "replace")))
    return found[:MAX_FIELDS]


def _parse_json_object(body: bytes) -> list[tuple[str, str]]:
    """Return the members of a JSON object as name-value pairs, with values written as in a query string."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return []
    if not isinstance(value, Mapping):
        return []
    return [(name, _to_query_text(member)) for name, member in list(value.items())[:MAX_FIELDS]]


def _to_query_text(member: Any) -> str:
    if member is None:
        return ""
    if isinstance(member, bool):
        return str(int(member))
    return str(member) if isinstance(member, str | int | float) else ""
