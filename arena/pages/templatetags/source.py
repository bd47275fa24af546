"""Source text, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

register = template.Library()


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line; ``number`` counts from 1."""

    number: int
    text: str


@register.filter
def numbered_lines(text: str) -> list[SourceLine]:
    """The lines as Python counts them: only line feeds and carriage returns end one."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return [SourceLine(number, line) for number, line in enumerate(plain.split("\n"), start=1)]
