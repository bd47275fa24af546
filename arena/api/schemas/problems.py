"""The response body shared by all errors."""

from __future__ import annotations

from typing import Any

from ninja import Field, Schema

from arena.api.problems import Code

_CODES = ", ".join(f"`{code}`" for code in Code)


class FieldError(Schema):
    """A validation error for one field."""

    field: str = Field(description="The name of the field; empty if the error concerns several fields.")
    code: str = Field(description="What is wrong with the value, such as `required`, `invalid` or `unknown_field`.")
    message: str = Field(description="What to send instead, in the language requested by `Accept-Language`.")


class Problem(Schema):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(
        description="What happened and what to do next, in the language requested by `Accept-Language`."
    )
    code: str = Field(
        description=f"Identifies the error. Any operation can return {_CODES}; "
        "other codes identify the site rule that forbids the request."
    )
    errors: list[FieldError]
    facts: dict[str, Any] = Field(description="Further machine-readable details.")
