"""Recognize refusals by their codes, because their wording may change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.management import CommandError

from arena.platform.refusal import Refused


@contextmanager
def expect_refusal(code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Check that the block raises a refusal with this code."""
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code, caught.value.message


@contextmanager
def expect_command_refusal(code: str) -> Iterator[pytest.ExceptionInfo[CommandError]]:
    """Check that a management command in the block fails because of a refusal with this code."""
    with pytest.raises(CommandError) as caught:
        yield caught
    refused = caught.value.__context__
    assert isinstance(refused, Refused)
    assert refused.code == code, refused.message


def codes_shown(response: Any) -> list[str]:
    """Return the codes of the refusals that a page shows as messages."""
    return [message.extra_tags or "" for message in get_messages(response.wsgi_request)]


def form_codes(response: Any, field: str | None = None) -> list[str]:
    """Return the error codes of a field of the form on the page; without ``field``, those of the form as a whole."""
    return [error.code for error in response.context["form"].errors.as_data().get(field or "__all__", ())]


def all_form_codes(response: Any) -> list[str]:
    """Return the codes of all errors of the form on the page."""
    return [error.code for errors in response.context["form"].errors.as_data().values() for error in errors]
