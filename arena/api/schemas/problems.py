"""The response body shared by all errors."""

from __future__ import annotations

from typing import Any

from ninja import Field, Schema


class FieldError(Schema):
    """A validation error for one field."""

    field: str = Field(description="The name of the field; empty if the error concerns several fields.")
    message: str


class Problem(Schema):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in the language of `Accept-Language`.")
    code: str = Field(description="Machine-readable error code; often empty.")
    errors: list[FieldError]
    facts: dict[str, Any] = Field(description="Further machine-readable details.")
