"""Audits of an open page in a browser: accessibility and layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Page

from tests.running_site import ROOT

# Loaded as an init script, which the content security policy does not restrict and the browser compiles only once;
# evaluating it in every page took longer than running its rules.
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text()
GRAVE = {"serious", "critical"}

# No preloading: the content security policy forbids the way in which axe would parse style sheets.
_RUN_AXE = "() => axe.run(document, { resultTypes: ['violations'], preload: false }).then(found => found.violations)"
# Changing the theme starts transitions on the page, and one of them can start another.
_SETTLE = """async theme => {
    const frame = () => new Promise(requestAnimationFrame);
    while (matchMedia('(prefers-color-scheme: dark)').matches !== (theme === 'dark')) await frame();
    for (let still = 0; still < 3; still++) {
        await frame();
        const runs = animation => animation.timeline === document.timeline && animation.playState === 'running';
        if (document.getAnimations().some(runs)) still = 0;
    }
}"""
# Finds elements that extend past the right edge, unless an ancestor scrolls or clips them.
_TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const held = element => {
        for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement)
            if (getComputedStyle(outer).overflowX !== 'visible') return true;
        return false;
    };
    return [...document.body.querySelectorAll('*')]
        .filter(element => element.getBoundingClientRect().right > width + 0.5 && !held(element))
        .map(element => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`);
}"""

# Finds scrollable elements that can neither take the focus nor contain anything that can, whether or not their current
# content overflows.
_UNREACHABLE = """() => {
    const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden])';
    const reached = `${controls}, [tabindex], [contenteditable]`;
    return [...document.body.querySelectorAll('*')]
        .filter(element => /auto|scroll/.test(getComputedStyle(element).overflow))
        .filter(element => element.checkVisibility() && !element.matches(reached) && !element.querySelector(reached))
        .map(element => element.outerHTML.slice(0, 160));
}"""

# Finds pointer targets smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8), except links within a sentence. Space around a
# small target is no excuse here, though it is in WCAG: a tap beside the text does nothing. A link to a person counts as
# outside a sentence: it is a name after "By" or before a time. A check box includes its label, except where a link or
# button in the label would be tapped instead. Whatever takes the focus counts, because cards open their notes at a tap,
# except boxes that take it only to be scrolled.
_SMALL_TARGETS = """() => {
    const MIN_TARGET_PX = 24;
    const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=tab]';
    // The part of the label around the control that no link or button in the label covers.
    const freeBox = (label, control) => {
        const own = control.getBoundingClientRect();
        let { left, right, top, bottom } = label.getBoundingClientRect();
        for (const other of label.querySelectorAll(controls)) {
            for (const at of other === control ? [] : other.getClientRects()) {
                if (at.right <= left || at.left >= right || at.bottom <= top || at.top >= bottom) continue;
                if (at.left >= own.right) right = at.left;
                else if (at.right <= own.left) left = at.right;
                else if (at.top >= own.bottom) bottom = at.top;
                else top = at.bottom;
            }
        }
        return { left, right, top, bottom, width: right - left, height: bottom - top };
    };
    const box = element => {
        const label = element.matches('input[type=checkbox], input[type=radio]') ? element.closest('label') : null;
        return label ? freeBox(label, element) : element.getBoundingClientRect();
    };
    const isShown = element =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        !element.closest('[inert], .visually-hidden') && !element.matches(':disabled') &&
        box(element).width > 1 && box(element).right > 0 && box(element).bottom + scrollY > 0;
    const inSentence = element => {
        if (getComputedStyle(element).display !== 'inline' || element.matches('[href^="/people/"]')) return false;
        let block = element.parentElement;
        while (getComputedStyle(block).display === 'inline') block = block.parentElement;
        const isText = node => node.nodeType === Node.TEXT_NODE ||
            (node.nodeType === Node.ELEMENT_NODE && !node.matches(controls) && !node.querySelector(controls) &&
             getComputedStyle(node).display === 'inline');
        return /[\\p{L}\\p{N}]{2}/u.test([...block.childNodes].filter(isText).map(node => node.textContent).join(' '));
    };
    const isSmall = ({ width, height }) => width < MIN_TARGET_PX - 0.5 || height < MIN_TARGET_PX - 0.5;
    const isScrollBox = element => !element.matches(controls) && /auto|scroll/.test(getComputedStyle(element).overflow);
    const targets = [...document.querySelectorAll(`${controls}, [tabindex]`)];
    const shown = targets.filter(element => isShown(element) && !isScrollBox(element));
    return shown.map(element => ({ element, at: box(element) }))
        .filter(({ element, at }) => isSmall(at) && !inSentence(element)).map(({ element, at }) =>
        `${Math.round(at.width)} x ${Math.round(at.height)} px: ${element.outerHTML.slice(0, 160)}`);
}"""


@dataclass(frozen=True, slots=True)
class Look:
    """A theme and a viewport in which to view a page."""

    theme: Literal["light", "dark"]
    width: int
    height: int

    @property
    def is_phone(self) -> bool:
        return self.width < 500


DESKTOP, PHONE = (1280, 800), (360, 740)


def apply_look(page: Page, look: Look) -> None:
    """Apply a theme and a viewport to the open page, and to pages opened later."""
    page.emulate_media(color_scheme=look.theme)
    page.set_viewport_size({"width": look.width, "height": look.height})


def audit_page(page: Page, look: Look) -> list[str]:
    """Return a line for each accessibility violation and layout fault of the open page with this look.

    The browser context needs ``AXE`` as an init script.
    """
    apply_look(page, look)
    page.evaluate(_SETTLE, look.theme)
    found = [f"{look}: {line}" for each in page.evaluate(_RUN_AXE) for line in _describe_violation(each)]
    return found + layout_faults(page, look)


def layout_faults(page: Page, look: Look) -> list[str]:
    """Return a line for each layout fault of the open page in its current theme and viewport.

    A fault is a box that scrolls, but not with the keyboard; on a phone, also an element that is wider than the screen
    or too small to tap. Longer words in a translation can cause faults.
    """
    found = [f"{look}: scrolls, but not with the keyboard: {element}" for element in page.evaluate(_UNREACHABLE)]
    if look.is_phone:
        found += [f"{look}: wider than the screen: {element}" for element in page.evaluate(_TOO_WIDE)]
        found += [f"{look}: too small to tap: {target}" for target in small_targets(page)]
    return found


def small_targets(page: Page) -> list[str]:
    """Return a line for each target on the page that is too small to tap."""
    found: list[str] = page.evaluate(_SMALL_TARGETS)
    return found


def _describe_violation(violation: dict[str, Any]) -> list[str]:
    if violation["impact"] not in GRAVE:
        return []
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]}: {node['failureSummary']}"
        for node in violation["nodes"]
    ]
