"""What referee, check and rules say, in the reader's language: messages by their codes, and the kinds of faults."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.core import messages as core
from arena.core.messages import Message
from arena.games.registry import templates

FAULT_LABELS = {
    "start": _("Did not start"),
    "timeout": _("Out of time"),
    "illegal_move": _("Illegal move"),
    "crash": _("Crashed"),
    "exit": _("Exited"),
    "memory": _("Out of memory"),
    "output": _("Too much output"),
    "bad_message": _("Protocol error"),
    "resigned": _("Resigned"),
}


_templates = cache(templates)


def worded(message: Message) -> str:
    """The message in the language of the page; a bot's own words as they are."""
    return core.worded(message, _templates(), gettext)


def worded_json(stored: Mapping[str, Any]) -> str:
    """A message of a stored report, a diagnosis or a step of a check, whose English text is in ``message``."""
    return worded(Message.of_json({"message": "", **stored}, "message"))
