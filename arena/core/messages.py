"""What happened, as a code and parameters: pages word it in the reader's language, terminals and bots in English.

A template belongs to the layer where the thing happens and stands in its table of ``Template``; nobody recognizes a
sentence by its wording. A message that came from outside (a bot's own text) has the code "" and is shown as it is.
Stored JSON keeps the English text beside the code, so what was written before there were codes, or by another version,
can still be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

Parameter = Union[str, int, float, "Message"]


def gettext_noop(text: str) -> str:
    """Mark a template for the catalogues; the pure packages translate nothing themselves."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """``code`` names a template; ``parameters`` fill it in; ``text`` is the whole in English."""

    code: str
    text: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def to_json(self, text: str = "text") -> dict[str, Any]:
        """JSON values; ``text`` names the field of the English text."""
        parameters = {
            name: value.to_json() if isinstance(value, Message) else value for name, value in self.parameters.items()
        }
        return {text: self.text, "code": self.code, "parameters": parameters}

    @classmethod
    def of_json(cls, raw: Mapping[str, Any], text: str = "text") -> Message:
        """The inverse of ``to_json``; without a code, the text alone."""
        parameters = raw.get("parameters") or {}
        return cls(
            raw.get("code") or "",
            raw[text],
            {name: cls.of_json(value) if isinstance(value, dict) else value for name, value in parameters.items()},
        )


def verbatim(text: str) -> Message:
    """What a bot, or somebody else outside, said in its own words."""
    return Message("", text)


@dataclass(frozen=True, slots=True)
class Template:
    """An English sentence with ``%(name)s`` for what varies; called, it makes the message."""

    code: str
    english: str

    def __call__(self, **parameters: Parameter) -> Message:
        return Message(self.code, self.english % parameters, parameters)


Templates = Mapping[str, Template]  # by their codes


def table(*templates: Template) -> dict[str, Template]:
    """The templates of a layer by their codes; raises ValueError where two have the same."""
    found = {one.code: one for one in templates}
    if len(found) != len(templates):
        raise ValueError("two templates have the same code")
    return found


def worded(message: Message, templates: Templates, translate: Callable[[str], str]) -> str:
    """The message in the language of ``translate``; its English text where no template fits it."""
    template = templates.get(message.code)
    if template is None:
        return message.text
    parameters = {
        name: worded(value, templates, translate) if isinstance(value, Message) else value
        for name, value in message.parameters.items()
    }
    try:
        return translate(template.english) % parameters
    except (KeyError, TypeError, ValueError):  # of another version, or a bot's
        return message.text
