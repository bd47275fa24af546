"""Messages as codes and parameters: pages translate them for the reader; terminals and bots get English.

Each layer has a table of the ``Template``s for its own events; nothing identifies messages by their wording. A message
from outside (a bot's own text) has the code "" and is shown unchanged. Stored JSON contains the English text as well,
so messages without codes or from other versions remain readable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Union

Parameter = Union[str, int, float, "Message"]

_SEPARATOR: Final = ", "  # between the items of a list in English


def gettext_noop(text: str) -> str:
    """Mark a template for the message catalogues and return it unchanged; usable without Django."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """A message. ``code`` names a template; ``parameters`` fill it in; ``text`` is the complete English text."""

    code: str
    text: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def to_json(self, text: str = "text") -> dict[str, Any]:
        """Convert to JSON values. ``text``: the name of the field for the English text."""
        parameters = {
            name: value.to_json() if isinstance(value, Message) else value for name, value in self.parameters.items()
        }
        return {text: self.text, "code": self.code, "parameters": parameters}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any], text: str = "text") -> Message:
        """Parse the result of ``to_json``; a message without a code has only its text."""
        parameters = raw.get("parameters") or {}
        return cls(
            raw.get("code") or "",
            raw[text],
            {name: cls.from_json(value) if isinstance(value, dict) else value for name, value in parameters.items()},
        )


class ExplainedFailure(Exception):  # noqa: N818 - the base of errors and of failures
    """An exception with a message to show on pages; its ``str()``, which is for logs, may add details.

    ``message``: if it is a string, it is shown untranslated; ``detail``: information for logs only, such as paths on
    the host.
    """

    def __init__(self, message: Message | str, detail: object = "") -> None:
        self.message = verbatim_message(message) if isinstance(message, str) else message
        self.detail = str(detail)
        super().__init__(f"{self.message} {self.detail}".strip())


def map_parameters(message: Message, change: Callable[[Parameter], Parameter]) -> Message:
    """Apply ``change`` to every parameter, including those of nested messages; keep the English text."""
    changed = {
        name: map_parameters(value, change) if isinstance(value, Message) else change(value)
        for name, value in message.parameters.items()
    }
    return Message(message.code, message.text, changed)


def verbatim_message(text: str) -> Message:
    """Wrap external text, such as a bot's, in a message."""
    return Message("", text)


@dataclass(frozen=True, slots=True)
class Template:
    """An English text with ``%(name)s`` placeholders; calling it creates a message.

    ``lists``: the parameters that are lists. The code passes them as tuples; stored messages and messages from bots
    contain them as text such as "A1, B2".
    """

    code: str
    english: str
    lists: tuple[str, ...] = ()

    def __call__(self, **parameters: Parameter | tuple[str, ...]) -> Message:
        joined = {
            name: _SEPARATOR.join(value) if isinstance(value, tuple) else value for name, value in parameters.items()
        }
        return Message(self.code, self.english % joined, joined)


Templates = Mapping[str, Template]  # by code


def templates_by_code(*templates: Template) -> dict[str, Template]:
    """Return the templates keyed by code. Raises ValueError if two have the same code."""
    found = {one.code: one for one in templates}
    if len(found) != len(templates):
        raise ValueError("two templates have the same code")
    return found


def translate_message(
    message: Message, templates: Templates, translate: Callable[[str], str], separator: str = _SEPARATOR
) -> str:
    """Translate the message with ``translate``; return its English text if no template fits.

    ``separator``: what separates the items of a list in the reader's language.
    """
    template = templates.get(message.code)
    if template is None:
        return message.text
    parameters = {
        name: translate_message(value, templates, translate, separator)
        if isinstance(value, Message)
        else value.replace(_SEPARATOR, separator)
        if name in template.lists and isinstance(value, str)
        else value
        for name, value in message.parameters.items()
    }
    try:
        return translate(template.english) % parameters
    except (KeyError, TypeError, ValueError):  # sent by another version, or by a bot
        return message.text
