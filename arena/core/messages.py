"""What happened, as a code and parameters: pages word it in the reader's language, terminals and bots in English.

A template belongs to the layer where the thing happens and stands in its table of ``Template``; nobody recognizes a
sentence by its wording. A message that came from outside (a bot's own text) has the code "" and is shown as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Parameter = str | int | float


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


@dataclass(frozen=True, slots=True)
class Template:
    """An English sentence with ``%(name)s`` for what varies; called, it makes the message."""

    code: str
    english: str

    def __call__(self, **parameters: Parameter) -> Message:
        return Message(self.code, self.english % parameters, parameters)
