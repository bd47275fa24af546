"""Errors for invalid values in requests: each has a code, and a message that says what to send instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.api.problems import field_error

# Pydantic's error types; the codes are those of Django's form fields where one fits.
ERRORS: Final[Mapping[str, tuple[str, Promise]]] = {
    "missing": ("required", gettext_lazy("This value is required.")),
    "extra_forbidden": ("unknown_field", gettext_lazy("Unknown field. Remove it.")),
    "literal_error": ("invalid_choice", gettext_lazy("Send one of: %(expected)s.")),
    "enum": ("invalid_choice", gettext_lazy("Send one of: %(expected)s.")),
    "greater_than_equal": ("min_value", gettext_lazy("The number must be at least %(ge)s.")),
    "less_than_equal": ("max_value", gettext_lazy("The number must be at most %(le)s.")),
    "string_too_long": ("max_length", gettext_lazy("Send at most %(max_length)s characters.")),
    "too_long": ("max_length", gettext_lazy("Send at most %(max_length)s items.")),
}
# Prefixes of the codes of errors about a value's type, such as "int_parsing".
_TYPES: Final[Mapping[str, Promise]] = {
    "bool": gettext_lazy("Send true or false."),
    "int": gettext_lazy("Send an integer."),
    "float": gettext_lazy("Send a number."),
    "finite": gettext_lazy("Send a number."),
    "string": gettext_lazy("Send a string."),
    "datetime": gettext_lazy("Send a date and time such as 2030-01-31T12:00:00Z."),
    "timezone": gettext_lazy("Send a date and time such as 2030-01-31T12:00:00Z."),
    "list": gettext_lazy("Send a list."),
    "dict": gettext_lazy("Send a JSON object."),
    "model": gettext_lazy("Send a JSON object."),
}


def field_error_of(error: Mapping[str, Any]) -> dict[str, str]:
    """Convert one of Pydantic's errors to an item of a problem's ``errors``."""
    source, *parts = error["loc"]
    if source == "body":
        parts = parts[1:]  # without the operation's name for its body
    code, text = ERRORS.get(error["type"]) or (
        "invalid",
        _TYPES.get(error["type"].partition("_")[0]) or _("This value is invalid. See the API reference."),
    )
    values = dict(error.get("ctx", {}))
    if "expected" in values:  # Pydantic's English list
        values["expected"] = values["expected"].replace(" or ", ", ")
    return field_error(".".join(map(str, parts)), code, str(text) % values)
