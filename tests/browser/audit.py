"""What is asked of a page as it stands in a browser: whether everybody can use it, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Page

from tests.running_site import ROOT

# An init script, past the content security policy, which holds for what the page itself loads. The browser compiles it
# once; evaluated in every page, it took longer than its rules.
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text()
GRAVE = {"serious", "critical"}

# Without preloading, which would parse style sheets in a way that the content security policy forbids.
_RUN_AXE = "() => axe.run(document, { resultTypes: ['violations'], preload: false }).then(found => found.violations)"
# A change of theme runs through the page as transitions, however short, and one of them can start another.
_SETTLE = """async theme => {
    const frame = () => new Promise(requestAnimationFrame);
    while (matchMedia('(prefers-color-scheme: dark)').matches !== (theme === 'dark')) await frame();
    for (let still = 0; still < 3; still++) {
        await frame();
        const runs = animation => animation.timeline === document.timeline && animation.playState === 'running';
        if (document.getAnimations().some(runs)) still = 0;
    }
}"""
# What reaches beyond the right edge, except below something that scrolls or cuts on its own.
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

# What may scroll and neither takes the focus nor holds anything that does, whether or not it is full enough today.
_UNREACHABLE = """() => {
    const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden])';
    const reached = `${controls}, [tabindex], [contenteditable]`;
    return [...document.body.querySelectorAll('*')]
        .filter(element => /auto|scroll/.test(getComputedStyle(element).overflow))
        .filter(element => element.checkVisibility() && !element.matches(reached) && !element.querySelector(reached))
        .map(element => element.outerHTML.slice(0, 160));
}"""

# Targets of the pointer below 24 by 24 pixels, after WCAG 2.2, 2.5.8. Excepted are links within a sentence, and what
# has so much space around it that a circle of 24 pixels meets no other target nor the circle of a small one.
_SMALL_TARGETS = """() => {
    const LEAST = 24;
    const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=tab]';
    const box = element => {
        const label = element.matches('input[type=checkbox], input[type=radio]') ? element.closest('label') : null;
        return (label ?? element).getBoundingClientRect();
    };
    const isShown = element =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        !element.closest('[inert], .visually-hidden') && !element.matches(':disabled') &&
        box(element).width > 1 && box(element).right > 0 && box(element).bottom + scrollY > 0;
    const inSentence = element => {
        if (getComputedStyle(element).display !== 'inline') return false;
        let block = element.parentElement;
        while (getComputedStyle(block).display === 'inline') block = block.parentElement;
        const isText = node => node.nodeType === Node.TEXT_NODE ||
            (node.nodeType === Node.ELEMENT_NODE && !node.matches(controls) && !node.querySelector(controls) &&
             getComputedStyle(node).display === 'inline');
        return /[\\p{L}\\p{N}]{2}/u.test([...block.childNodes].filter(isText).map(node => node.textContent).join(' '));
    };
    const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
    const isSmall = ({ width, height }) => width < LEAST - 0.5 || height < LEAST - 0.5;
    const shown = [...document.querySelectorAll(controls)].filter(isShown);
    const targets = shown.map(element => ({ element, at: box(element) }));
    const crowded = one => targets.some(other => {
        if (other === one || other.element.contains(one.element) || one.element.contains(other.element)) return false;
        const [x, y] = middle(one.at);
        const { left, right, top, bottom } = other.at;
        const toBox = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
        const [otherX, otherY] = middle(other.at);
        return toBox < LEAST / 2 - 0.5 || (isSmall(other.at) && Math.hypot(otherX - x, otherY - y) < LEAST - 0.5);
    });
    return targets.filter(one => isSmall(one.at) && !inSentence(one.element) && crowded(one)).map(({ element, at }) =>
        `${Math.round(at.width)} x ${Math.round(at.height)} px: ${element.outerHTML.slice(0, 160)}`);
}"""


@dataclass(frozen=True, slots=True)
class Look:
    """One way of looking at a page."""

    theme: Literal["light", "dark"]
    width: int
    height: int

    @property
    def is_phone(self) -> bool:
        return self.width < 500


DESKTOP, PHONE = (1280, 800), (360, 740)


def take(page: Page, look: Look) -> None:
    """Look at whatever is open, or is opened next, like this."""
    page.emulate_media(color_scheme=look.theme)
    page.set_viewport_size({"width": look.width, "height": look.height})


def faults(page: Page, look: Look) -> list[str]:
    """What is wrong with the open page when looked at like this, one line each; its context knows axe (``AXE``)."""
    take(page, look)
    page.evaluate(_SETTLE, look.theme)
    found = [f"{look}: {line}" for each in page.evaluate(_RUN_AXE) for line in _lines(each)]
    return found + misfits(page, look)


def misfits(page: Page, look: Look) -> list[str]:
    """What of the open page cannot be reached as it is looked at, one line each: what longer words may cause."""
    found = [f"{look}: scrolls, but not with the keyboard: {element}" for element in page.evaluate(_UNREACHABLE)]
    if look.is_phone:
        found += [f"{look}: wider than the screen: {element}" for element in page.evaluate(_TOO_WIDE)]
        found += [f"{look}: too small to tap: {target}" for target in small_targets(page)]
    return found


def small_targets(page: Page) -> list[str]:
    """What a finger misses on the page as it stands, one line each."""
    found: list[str] = page.evaluate(_SMALL_TARGETS)
    return found


def _lines(violation: dict[str, Any]) -> list[str]:
    if violation["impact"] not in GRAVE:
        return []
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]}: {node['failureSummary']}"
        for node in violation["nodes"]
    ]
