"""Static checks on the source of templates."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_TAG: Final = re.compile(r"<(\w+)((?:[^>\"]|\"[^\"]*\")*)>")
_LABEL: Final = re.compile(r"aria-labelledby=\"([^\"]+)\"")


def templates() -> Iterator[Path]:
    for folder in ("arena", "templates"):
        yield from (ROOT / folder).rglob("*.html")


def test_template_comments_end_on_their_line() -> None:
    """Every ``{# #}`` comment ends on the line on which it begins; Django would render a longer one as text."""
    lines = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in templates()
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if line.count("{#") != line.count("#}")
    ]
    assert not lines


def test_landmark_names_are_unique() -> None:
    """No two landmarks in a template have the same name.

    Screen reader users navigate by landmarks and could not tell apart, say, a scrolling table and its section.
    """
    found = []
    for path in templates():
        landmarks = [
            attributes
            for tag, attributes in _TAG.findall(path.read_text())
            if tag in ("section", "nav", "aside", "form") or 'role="region"' in attributes
        ]
        labels = Counter(label for attributes in landmarks for label in _LABEL.findall(attributes))
        found += [f"{path.relative_to(ROOT)}: {label}" for label, count in labels.items() if count > 1]
    assert not found
