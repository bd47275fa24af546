"""The building block of all explanations of formats: the text of one rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Options: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A term and the rule for it, in one sentence.

    ``code``: identifies the rule in links to it; ``points``: the rule's parts, in order, each with its own term.
    """

    code: str
    term: str
    text: str
    points: tuple[tuple[str, str], ...] = ()
