"""Pages stay readable on small screens: on a phone, and on an old projector."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from arena.submissions.models import NAME_LENGTH
from tests.browser.audit import PHONE
from tests.browser.content import Content
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

OLD_PROJECTOR = {"width": 1366, "height": 768}
ON_A_PHONE = {"width": PHONE[0], "height": PHONE[1]}
DESKTOP = {"width": 1440, "height": 900}
LONGEST = (("long name " * 4)[:NAME_LENGTH], "名" * NAME_LENGTH)
ALIKE = ("Team A: mean of ten", "Team A: mean of two")

_CUT = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
_LINES = "rows => Math.max(...rows.map(row => row.offsetHeight / parseFloat(getComputedStyle(row).lineHeight)))"
_FADES = 48  # pixels: 3rem, as in tables.css
_HIDDEN = "table => table.parentElement.scrollWidth - table.parentElement.clientWidth"


@pytest.fixture
def visitor(arena_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, arena_site.address)
    yield visitor
    assert visitor.noise == []
    visitor.close()


def play_a_round(visitor: Visitor, site: RunningSite, names: tuple[str, ...]) -> int:
    """Play one round in a new room until everybody has submitted; return the room's id."""
    room = int(site.json(f"/api/NewRoom?userCount={len(names)}&duration=200")["roomId"])
    for place, name in enumerate(names):
        user = site.json(f"/api/NewUser?nickName={name.replace(' ', '+')}")["userId"]
        round_id = site.json(f"/api/State?uid={user}&roomid={room}")["roundId"]
        assert visitor.context.request.post(f"/api/Submit?uid={user}&rid={round_id}&n1={10 + place}").ok
    return room


def test_names_with_a_common_prefix_are_not_cut_on_the_projector(visitor: Visitor, arena_site: RunningSite) -> None:
    room = play_a_round(visitor, arena_site, ALIKE)
    visitor.page.set_viewport_size(OLD_PROJECTOR)
    visitor.page.goto(f"/rooms/{room}/?view=projector")
    names = visitor.page.locator("[data-part=standings] .room__player .wraps")
    expect(names).to_have_count(len(ALIKE))
    assert names.evaluate_all(_CUT) == []


def test_longest_names_are_not_cut_where_rows_can_grow(visitor: Visitor, content: Content) -> None:
    visitor.page.set_viewport_size(DESKTOP)
    for path, names in (
        ("/bots/", ".bot-card .identity__name"),
        (content.over_match["golden_point"], ".scores__name"),
        (content.over_match["fib2584"], ".game-scores__seat .truncate"),
        (content.over_match["suit_pairs"], ".card-table__name"),
    ):
        visitor.page.goto(path)
        for name in LONGEST:
            shown = visitor.page.locator(names)
            expect(shown.first).to_be_visible()
            shown.evaluate_all("(names, text) => names.forEach(name => { name.textContent = text; })", name)
            assert shown.evaluate_all(_CUT) == [], path


def test_round_with_disruptors_is_compact_on_a_phone(visitor: Visitor) -> None:
    visitor.page.set_viewport_size(ON_A_PHONE)
    visitor.page.goto("/analysis/golden-point/recordings/example/?player=3&disrupted=1")
    rows = visitor.page.locator("tr:has(.rounds-of-player__disruptors)")
    expect(rows.first).to_be_visible()
    assert rows.evaluate_all(_LINES) < 3.5  # two lines of names; breaking at every word took four or more


def test_ratings_are_legible_on_a_phone_without_scrolling(visitor: Visitor, content: Content) -> None:
    page = visitor.page
    page.set_viewport_size(ON_A_PHONE)
    page.goto("/leaderboards/reversi/")
    table, rating = page.locator(".leaderboard"), page.locator(".leaderboard tbody td.strong").first
    assert table.evaluate(_HIDDEN) > 0
    for name in (None, *LONGEST):
        if name:
            page.locator(".leaderboard .identity__name").first.evaluate(
                "(shown, name) => { shown.textContent = name; }", name
            )
        box, cell = page.locator(".table-wrap").bounding_box() or {}, rating.bounding_box() or {}
        assert cell["x"] + cell["width"] <= box["x"] + box["width"] - _FADES, name


def test_move_evaluations_fit_a_phone(visitor: Visitor) -> None:
    visitor.page.set_viewport_size(ON_A_PHONE)
    visitor.page.goto("/reversi/board/?moves=F5D6C3")
    assert visitor.page.locator(".analysis-table").evaluate(_HIDDEN) == 0


def test_current_entries_of_menus_and_tabs_are_in_view_on_a_phone(visitor: Visitor) -> None:
    visitor.page.set_viewport_size(ON_A_PHONE)
    visitor.page.goto("/guide/fib2584/")
    for menu in (".site-nav", "ul.tabs"):
        expect(visitor.page.locator(f"{menu} [aria-current]")).to_be_in_viewport(ratio=0.9)
    assert visitor.page.evaluate("scrollY") == 0


def test_long_name_keeps_the_header_in_one_row(visitor: Visitor) -> None:
    visitor.sign_up("maximiliane_upper_school")
    header = visitor.page.locator(".site-header")
    for width in (1216, 1366, 1440):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        assert (header.bounding_box() or {})["height"] < 80, width  # two rows would take 98
        shrunk = visitor.page.locator(".language-switch button").evaluate_all(_CUT)
        assert shrunk == [], width
        expect(visitor.page.locator(".site-tools .menu")).to_be_in_viewport(ratio=1)
