"""A finished room shows its winners on a podium: on a projector without scrolling, and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

SCREENS = ((1920, 1080), (1366, 768))
# Points by player, and the ranks from left to right on the podium
PODIUMS = {
    (9, 5, 2, 0): "213",
    (9, 9, 2, 0): "113",
    (9, 0, 0, 0, 0): "22122",
    (3, 3, 3, 3, 3, 3): "111111",
}
# For each place, its rank and the boxes of its name and its step
_PLACES = """places => places.map(place => {
    const box = (selector) => {
        const { left, top, right, bottom } = place.querySelector(selector).getBoundingClientRect();
        return { left, top, right, bottom };
    };
    return { rank: place.dataset.rank, name: box(".podium__name"), step: box(".podium__step") };
})"""
_NAME_SIZES = "names => names.map(name => parseFloat(getComputedStyle(name).fontSize))"


def create_room(site: RunningSite, points: tuple[int, ...]) -> int:
    code = f"from tests.browser.rows import create_finished_room; print(create_finished_room({list(points)}))"
    return int(site.manage("shell", "-c", code).splitlines()[-1])


def places_on(page: Page) -> list[dict[str, Any]]:
    """Return the places on the podium, from left to right and from top to bottom."""
    places = page.locator(".podium__place")
    expect(places.first).to_be_visible()
    found: list[dict[str, Any]] = places.evaluate_all(_PLACES)
    return sorted(found, key=lambda place: (round(place["step"]["bottom"]), place["step"]["left"]))


def overlaps(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > 1 and down > 1


def expect_podium(places: list[dict[str, Any]]) -> None:
    """Expect that nothing overlaps, and that steps are as high as their ranks."""
    boxes = [place[part] for place in places for part in ("name", "step")]
    assert not [(one, other) for at, one in enumerate(boxes) for other in boxes[:at] if overlaps(one, other)]
    heights = {(place["rank"], round(place["step"]["bottom"] - place["step"]["top"])) for place in places}
    ranks = sorted(heights)
    assert len(ranks) == len({rank for rank, _ in ranks}), "places that share a rank are equally high"
    assert [height for _, height in ranks] == sorted((height for _, height in ranks), reverse=True)


@pytest.mark.parametrize(("points", "ranks"), PODIUMS.items())
def test_podium_fills_the_projector_without_scrolling(
    arena_site: RunningSite, browser: Browser, points: tuple[int, ...], ranks: str
) -> None:
    room = create_room(arena_site, points)
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/rooms/{room}/?view=projector")
        expect(page.locator(".chart__plot canvas")).to_be_in_viewport(ratio=0.99)
        places = places_on(page)
        assert "".join(place["rank"] for place in places) == ranks
        expect_podium(places)
        below_heading = page.locator("[data-part=round]").evaluate("line => line.getBoundingClientRect().bottom")
        assert min(place["name"]["top"] for place in places) >= below_heading - 1
        assert len({round(place["step"]["bottom"]) for place in places}) == 1
        assert min(page.locator(".podium__name").evaluate_all(_NAME_SIZES)) >= height / 42
        for shown in (".room__status", ".room__chart", ".room__standings"):
            expect(page.locator(shown)).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert visitor.noise == []
    visitor.close()


def test_podium_on_a_phone_is_the_same_with_and_without_scripts(arena_site: RunningSite, browser: Browser) -> None:
    room = create_room(arena_site, (9, 0, 0, 0, 0, -2))
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    drawn = []
    for scripts in (True, False):
        visitor = Visitor(browser, arena_site.address, java_script_enabled=scripts, **phone)
        page = visitor.page
        page.goto(f"/rooms/{room}/")
        if scripts:
            expect(page.locator(".chart__plot canvas")).to_be_visible()
            places = places_on(page)
            assert "".join(place["rank"] for place in places) == "21222"
            expect_podium(places)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        drawn.append(re.sub(r"\s+(?=<)|(?<=>)\s+", "", page.locator("[data-part=podium]").inner_html()))
        visitor.close()
    assert drawn[0] == drawn[1]
