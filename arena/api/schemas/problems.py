"""The body of every error."""

from __future__ import annotations

from typing import Any

from ninja import Field, Schema


class FieldError(Schema):
    """A validation error of one field."""

    field: str = Field(description="Its name; empty where the error is about several.")
    message: str


class Problem(Schema):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in the language of `Accept-Language`.")
    code: str = Field(description="For programs that must tell refusals apart; often empty.")
    errors: list[FieldError]
    facts: dict[str, Any] = Field(description="What a program may want to know besides.")
