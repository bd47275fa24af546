"""The projector view of a room names its players legibly: at 1920 × 1080 px, in full and without overlaps."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

# On a picture 2.7 m wide, capitals of this font size are 29 mm high: at ten metres, twice what normal sight needs.
MIN_SIZE: Final = 28  # pixels
LONG_NAMES: Final = (
    "Alexandra Montgomery",
    "Natasha Kuznetsova-I",
    "黄金分割点预测大师零点六一八第一次玩请多",
    "W" * 20,
)
# Records the text of the last frame of each canvas, with its box in pixels.
_RECORD_TEXT: Final = """(() => {
    window.texts = [];
    const prototype = CanvasRenderingContext2D.prototype;
    const { clearRect, fillText } = prototype;
    prototype.clearRect = function (...box) {
        window.texts = window.texts.filter(({ canvas }) => canvas !== this.canvas);
        return clearRect.apply(this, box);
    };
    prototype.fillText = function (text, x, y, most = Infinity) {
        const { width } = this.measureText(text);
        const size = parseFloat(this.font.match(/[\\d.]+px/)[0]);
        const left = x - width * ({ right: 1, end: 1, center: 0.5 }[this.textAlign] ?? 0);
        const top = y - size * 0.5;
        window.texts.push({ canvas: this.canvas, text: String(text), size, width, most, left, top });
        return fillText.call(this, text, x, y, ...(most === Infinity ? [] : [most]));
    };
})()"""
_TEXTS: Final = "() => window.texts.map(({ canvas, most, ...text }) => ({ ...text, fits: text.width <= most + 0.01 }))"
_ROWS: Final = """rows => rows.filter(row => row.offsetHeight).map(row => {
    const name = row.querySelector('.wraps');
    return { size: parseFloat(getComputedStyle(name).fontSize), cut: name.scrollWidth > name.clientWidth + 1 };
})"""


def play_rounds(site: RunningSite, page: Page, players: int, rounds: int) -> int:
    """Play rounds in a room that closes a round once everybody has submitted; return its number."""
    room = int(site.json(f"/api/NewRoom?duration=200&userCount={players}")["roomId"])
    names = [LONG_NAMES[n % 4] if n < 4 else f"{LONG_NAMES[n % 4][:17]} {n}" for n in range(players)]
    ids = [site.json(f"/api/NewUser?{urlencode({'nickName': name})}")["userId"] for name in names]
    for _ in range(rounds):
        current = site.json(f"/api/State?roomid={room}&uid={ids[0]}")["roundId"]
        for place, uid in enumerate(ids):
            number = 95 - place if place % 8 == 7 else 10 + place * 0.25
            assert page.request.post(f"/api/Submit?uid={uid}&rid={current}&n1={number}").ok
    return room


def overlapping(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the pairs of texts that cover each other; letters are about as high as 0.8 of the font size."""

    def covers(a: dict[str, Any], b: dict[str, Any]) -> bool:
        apart = abs(a["top"] + a["size"] / 2 - b["top"] - b["size"] / 2) >= 0.4 * (a["size"] + b["size"])
        beside = a["left"] + a["width"] <= b["left"] or b["left"] + b["width"] <= a["left"]
        return not apart and not beside

    return [(a["text"], b["text"]) for a, b in combinations(texts, 2) if covers(a, b)]


@pytest.mark.parametrize("players", [9, 25, 60])
def test_names_on_the_wall_are_large_whole_and_apart(arena_site: RunningSite, browser: Browser, players: int) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1920, "height": 1080})
    page = visitor.page
    room = play_rounds(arena_site, page, players, 2)
    page.add_init_script(_RECORD_TEXT)
    page.goto(f"/rooms/{room}/?view=projector")
    rows = page.locator("[data-part=standings] tr[data-player]")
    expect(rows).to_have_count(players)
    page.wait_for_function("() => window.texts.some(({ text }) => /^\\d+\\u00a0/.test(text))")
    texts = page.evaluate(_TEXTS)
    named = [text for text in texts if re.search(r"[^\d\s.,]", text["text"])]
    assert min(text["size"] for text in named) >= MIN_SIZE
    assert [text["text"] for text in texts if not text["fits"]] == []
    assert overlapping([text for text in texts if text["text"]]) == []
    shown = rows.evaluate_all(_ROWS)
    assert len(shown) >= 9
    assert min(row["size"] for row in shown) >= MIN_SIZE
    assert not any(row["cut"] for row in shown)
    expect(rows.filter(visible=True).last).to_be_in_viewport(ratio=1)
    assert visitor.noise == []
    visitor.close()
