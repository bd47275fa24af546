"""Every scrollable box can be scrolled with the keyboard, even if its current content does not overflow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.running_site import ROOT

# Boxes that always contain a focusable link, button or field, so the keyboard can scroll them.
HOLDING_CONTROLS: Final = {
    "actions": "buttons and links",
    "choices": "checkboxes",
    "match__seats": "links to the bots",
    "opponents__list": "radio buttons or checkboxes",
    "picker__panel": "the search field",
    "search": "the search field",
    "site-nav": "links",
    "studio__versions": "the upload field",
    "tablist": "tabs",
    "tabs": "links, or tabs",
    "tabs__list": "tabs",
    "tabs__panel": "takes the focus once a script makes it a tab",
}
_TAG: Final = re.compile(r"<\w+(?:[^>\"]|\"(?:\{%.*?%\}|[^\"])*\")*>")
_CLASS: Final = re.compile(r" class=\"([^\"]*)\"")
_ELEMENT: Final = re.compile(r"\{[^{}]*\bclass: \"([^\"]*)\"[^{}]*\}")


def style_sheets() -> Iterator[str]:
    for folder in ("arena", "static/css"):
        for path in sorted((ROOT / folder).rglob("*.css")):
            yield re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)


def scrolling_classes(css: str) -> Iterator[str]:
    """For each selector of a rule that makes boxes scrollable, yield its last class, role or element."""
    selectors: list[str] = []
    for part in re.findall(r"[^{};]+[{;]|\}|[^{};]+(?=\})", css):
        if part == "}":
            selectors.pop()
        elif part.endswith("{"):
            selectors.append(part[:-1].strip().replace("&", _enclosing(selectors)))
        elif re.match(r"\s*overflow(?:-[xy])?:.*\b(?:auto|scroll)\b", part):
            chosen = _enclosing(selectors)
            for selector in re.split(r",(?![^(]*\))", chosen):
                yield re.findall(r"[\w-]+", re.sub(r":\w+(?:\([^)]*\))?|\[data-[^\]]*\]", "", selector))[-1]


def _enclosing(selectors: list[str]) -> str:
    """Return the innermost of nested selectors that is not an at-rule, or ""."""
    return next((each for each in reversed(selectors) if not each.startswith("@")), "")


def is_focusable(tag: str) -> bool:
    return "{% scrollable " in tag or 'tabindex="0"' in tag


def unfocusable_tags(classes: set[str], template: str) -> list[str]:
    return [
        tag
        for tag in _TAG.findall(template)
        if (found := _CLASS.search(tag)) and classes & set(found[1].split()) and not is_focusable(tag)
    ]


@pytest.fixture(scope="module")
def boxes() -> set[str]:
    """Return the classes of all boxes that can scroll, except those that always contain something focusable."""
    found = {name for css in style_sheets() for name in scrolling_classes(css)}
    assert HOLDING_CONTROLS.keys() <= found
    return found - HOLDING_CONTROLS.keys()


def test_scrollable_boxes_in_templates_are_focusable(boxes: set[str]) -> None:
    """Every scrollable box in a template can receive the focus, unless it always contains something that can.

    A table without links scrolls once its numbers are long enough, which no test page shows reliably.
    """
    assert "table-wrap" in boxes
    found = {
        str(path.relative_to(ROOT)): tags
        for folder in ("arena", "templates")
        for path in (ROOT / folder).rglob("*.html")
        if (tags := unfocusable_tags(boxes, path.read_text()))
    }
    assert found == {}


def test_scrollable_boxes_made_by_scripts_are_focusable(boxes: set[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {made[0]}"
        for folder in ("arena", "static/js")
        for path in (ROOT / folder).rglob("*.js")
        for made in _ELEMENT.finditer(path.read_text())
        if boxes & set(made[1].split()) and 'tabindex: "0"' not in made[0]
    ]
    assert found == []


def test_labels_of_scrollable_boxes_exist() -> None:
    """The label of a scrollable box is in the box's own template or in another template in the same folder."""
    labels = 0
    for folder in ("arena", "templates"):
        for path in (ROOT / folder).rglob("*.html"):
            for name in re.findall(r"\{% scrollable labelled_by=\"([^\"]+)\" %\}", path.read_text()):
                beside = (each.read_text() for each in path.parent.glob("*.html"))
                assert any(f'id="{name}"' in source for source in beside), f"{path.relative_to(ROOT)}: {name}"
                labels += 1
    assert labels > 10


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".wide { overflow: auto; }", ["wide"]),
        (".outer { a { color: red } .inner { overflow-x: scroll } }", ["inner"]),
        (".a, .b:not(.c) { @media (width < 40rem) { overflow-y: auto } }", ["a", "b"]),
        (".prose pre { overflow: auto }", ["pre"]),
        (".hidden { overflow: hidden; overflow-wrap: anywhere }", []),
    ],
)
def test_finder_lists_scrollable_classes(css: str, expected: list[str]) -> None:
    assert list(scrolling_classes(css)) == expected


def test_finder_reports_boxes_that_are_not_focusable() -> None:
    assert unfocusable_tags({"wide"}, '<div class="wide"><div class="wide" {% scrollable _("Rounds") %}>') == [
        '<div class="wide">'
    ]
