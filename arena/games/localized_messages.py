"""Localize the names and meanings of faults, and messages from the referee, the upload check and the rules.

The translation of a message is looked up by the message's code.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from arena.core import messages as core
from arena.core.messages import Message, map_parameters
from arena.core.referee.faults import FaultKind
from arena.games.registry import message_templates

FAULT_LABELS = {
    "start": _("Did not start"),
    "timeout": _("Out of time"),
    "silence": _("No move for five minutes"),  # see arena.matches.seat_faults
    "illegal_move": _("Illegal move"),
    "crash": _("Crashed"),
    "exit": _("Exited"),
    "memory": _("Out of memory"),
    "output": _("Out of disk space"),
    "bad_message": _("Protocol error"),
    "resigned": _("Resigned"),
}

# Every kind of fault that a bot can commit; formatted with ``within`` (see ``within_turn``).
FAULT_MEANINGS: Mapping[FaultKind, str | Promise] = {
    FaultKind.START: _(
        "The module did not compile or could not be imported, its player object could not be created, or startup "
        "exceeded the time limit."
    ),
    FaultKind.TIMEOUT: _("A move took longer than the limit."),
    FaultKind.ILLEGAL_MOVE: _("Too many illegal answers %(within)s."),
    FaultKind.CRASH: _("The bot raised an exception, or its process died."),
    FaultKind.EXIT: _("The bot exited."),
    FaultKind.MEMORY: _("The bot exceeded its memory limit."),
    FaultKind.OUTPUT: _("The bot wrote more to files than the limit allows; printing is never a fault."),
    FaultKind.BAD_MESSAGE: _("The bot wrote to the referee's channel, which is reserved for the arena's code."),
}

_templates = cache(message_templates)


def translate_message(message: Message) -> str:
    """Translate a message into the language of the page; text written by a bot is left unchanged."""
    return core.translate_message(message, _templates(), gettext, pgettext("between names", ", "))


def translate_stored_message(stored: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Translate a message from a stored report, diagnosis or check step; the fallback is its English text ``message``.

    ``names``: translations of parameters that are English names.
    """
    message = Message.from_json({"message": "", **stored}, "message")
    if names:
        message = map_parameters(message, lambda value: names.get(value, value) if isinstance(value, str) else value)
    return translate_message(message)
