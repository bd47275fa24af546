"""Fault names, and messages from the referee, the upload check and the rules, in the reader's language, by code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from arena.core import messages as core
from arena.core.messages import Message, with_parameters
from arena.games.registry import templates

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


_templates = cache(templates)
# Parameters that list names in English: "A1, B2".
_LISTS: Final = frozenset(
    {"classes", "directions", "functions", "legal", "libraries", "names", "paths", "settings", "squares"}
)


def translated(message: Message) -> str:
    """Return the message in the language of the page; a bot's own words are unchanged."""
    return core.translated(_with_lists(message, pgettext("between names", ", ")), _templates(), gettext)


def _with_lists(message: Message, comma: str) -> Message:
    """Separate the names in lists with ``comma``, the separator of the page's language."""
    parameters = {
        name: _with_lists(value, comma)
        if isinstance(value, Message)
        else value.replace(", ", comma)
        if name in _LISTS and isinstance(value, str)
        else value
        for name, value in message.parameters.items()
    }
    return Message(message.code, message.text, parameters)


def translated_json(stored: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Translate a message of a stored report, diagnosis or check step, with the English text ``message`` as fallback.

    ``names``: translations, in the language of the page, of parameters that are English names.
    """
    message = Message.of_json({"message": "", **stored}, "message")
    if names:
        message = with_parameters(message, lambda value: names.get(value, value) if isinstance(value, str) else value)
    return translated(message)
