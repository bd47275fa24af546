"""Fail tests in which a template looks up a missing attribute of one of the arena's objects.

Django renders such a lookup as nothing, or as false: a template that still uses the old name of a property shows a gap
or takes the wrong branch. Django logs every failed lookup, and a filter on its logger checks whether the lookup
concerns one of the arena's objects. The filter sees the templates that the test process renders, not those of a site
that the test starts.
"""

from __future__ import annotations

import logging
from typing import Final

import pytest
from django.forms import BaseForm
from django.template import VariableDoesNotExist


class FailedLookups(logging.Filter):
    """A log filter that fails the test if a template lookup fails on an instance of a class in ``arena``."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, VariableDoesNotExist):
            name, owner = error.params
            if _is_ours(owner) and not _is_removed_field(owner, name):
                # Not an ordinary exception: ``{% if %}`` ignores those.
                pytest.fail(f"{owner.__class__.__qualname__} has no {name}: {record.getMessage()}")
        return record.levelno > logging.DEBUG


def _is_ours(owner: object) -> bool:
    """Return whether the object's class is defined in the arena; a lazy object counts as the object that it wraps."""
    return owner.__class__.__module__.startswith("arena.")


def _is_removed_field(owner: object, name: str) -> bool:
    """Return whether the object is a form that lacks this field only because it was removed for this reader."""
    return isinstance(owner, BaseForm) and name in owner.base_fields  # type: ignore[attr-defined]


_FILTER: Final = FailedLookups()


def install() -> None:
    """Have Django log failed lookups, and check each.

    ``django.setup`` undoes this, so this function is called before every test.
    """
    logger = logging.getLogger("django.template")
    logger.setLevel(logging.DEBUG)
    logger.addFilter(_FILTER)
