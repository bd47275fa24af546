"""Fault names, and messages from the referee, the upload check and the rules, in the reader's language, by code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from arena.core import messages as core
from arena.core.messages import Message, with_parameters
from arena.games.registry import message_templates

FAULT_LABELS = {
    "start": _("Did not start"),
    "timeout": _("Out of time"),
    "illegal_move": _("Illegal move"),
    "crash": _("Crashed"),
    "exit": _("Exited"),
    "memory": _("Out of memory"),
    "output": _("Wrote too much"),
    "bad_message": _("Protocol error"),
    "resigned": _("Resigned"),
}


_templates = cache(message_templates)


def translated(message: Message) -> str:
    """Return the message in the language of the page; a bot's own words are unchanged."""
    return core.translated(message, _templates(), gettext, pgettext("between names", ", "))


def translated_json(stored: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Translate a message of a stored report, diagnosis or check step, with the English text ``message`` as fallback.

    ``names``: translations, in the language of the page, of parameters that are English names.
    """
    message = Message.of_json({"message": "", **stored}, "message")
    if names:
        message = with_parameters(message, lambda value: names.get(value, value) if isinstance(value, str) else value)
    return translated(message)
