"""What is asked of a page as it stands in a browser: whether everybody can use it, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Page

from tests.running_site import ROOT

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
    """What is wrong with the open page when looked at like this, one line each."""
    take(page, look)
    page.evaluate(_SETTLE, look.theme)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)  # past the content security policy, which holds for what the page itself loads
    found = [f"{look}: {line}" for each in page.evaluate(_RUN_AXE) for line in _lines(each)]
    if look.is_phone:
        found += [f"{look}: wider than the screen: {element}" for element in page.evaluate(_TOO_WIDE)]
    return found


def _lines(violation: dict[str, Any]) -> list[str]:
    if violation["impact"] not in GRAVE:
        return []
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]}: {node['failureSummary']}"
        for node in violation["nodes"]
    ]
