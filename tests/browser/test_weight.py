"""A first visit to a match page takes few requests and little data, including WebSockets and the icon.

``test_pages`` measures all other pages.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from arena.games.registry import GAMES
from tests.browser.content import Content
from tests.browser.weight import MAX_BYTES, MAX_REQUESTS, first_visit, measure_traffic, open_fully
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

MAX_MATCH_REQUESTS = 12

Address = Callable[[Content], str]

MATCHES: dict[str, Address] = {
    "reversi, live": lambda content: content.live_match("reversi"),
    "reversi, over": lambda content: content.over_match["reversi"],
    "golden point, live": lambda content: content.live_match("golden_point"),
    "golden point, over": lambda content: content.over_match["golden_point"],
    "2584, live": lambda content: content.live_match("fib2584"),
    "2584, over": lambda content: content.over_match["fib2584"],
    "suit pairs, live": lambda content: content.live_match("suit_pairs"),
    "suit pairs, over": lambda content: content.over_match["suit_pairs"],
    "in which one's bot failed": lambda content: content.erring_match,
}
# Matches viewed as the author of one of their bots.
OWN_MATCHES = {"in which one's bot failed"}


@pytest.mark.parametrize("name", MATCHES)
def test_match_page_loads_within_its_limits(
    arena_site: RunningSite, browser: Browser, content: Content, name: str
) -> None:
    reader = {"storage_state": content.owner} if name in OWN_MATCHES else {}
    with first_visit(browser, arena_site.address, **reader) as (page, weight):
        open_fully(page, weight, MATCHES[name](content))
        expect(page.locator("[data-part=position]")).not_to_be_empty()  # the script has rendered the match
    assert weight.requests <= MAX_MATCH_REQUESTS, str(weight)
    assert weight.bytes <= MAX_BYTES, str(weight)


@pytest.mark.parametrize("game", ["golden_point", "suit_pairs"])
def test_studio_with_a_stored_run_loads_within_its_limits_in_chinese(
    arena_site: RunningSite, browser: Browser, game: str
) -> None:
    """Tested with the two games whose stored runs and scripts are the largest."""
    visitor = Visitor(browser, arena_site.address)
    visitor.sign_up(f"weighed-author-{game}")
    page = visitor.page
    page.goto(f"/studio/new/{game}/")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".studio-run__result")).not_to_be_empty()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    page.goto("about:blank")  # so that the measurement does not count what the board is still loading
    visitor.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": arena_site.address}])
    weight = measure_traffic(visitor)
    open_fully(page, weight, f"/studio/new/{game}/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    visitor.close()
    assert weight.requests <= MAX_REQUESTS, str(weight)
    assert weight.bytes <= MAX_BYTES, str(weight)


@pytest.mark.parametrize("game", GAMES)
def test_studio_with_30_versions_and_a_stored_run_loads_within_its_limits(
    arena_site: RunningSite, browser: Browser, game: str
) -> None:
    visitor = Visitor(browser, arena_site.address)
    visitor.sign_up(f"author-of-30-{game}")
    create = f"create_bot_with_versions({visitor.name!r}, {game!r}, 30)"
    code = f"from tests.browser.rows import create_bot_with_versions; print({create})"
    path = f"/bots/{arena_site.manage('shell', '-c', code).splitlines()[-1]}/studio/"
    page = visitor.page
    page.goto(path)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".studio-run__result")).not_to_be_empty()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    weight = measure_traffic(visitor)
    for language in ("en", "zh-hans"):
        page.goto("about:blank")  # so that the measurement does not count what the board is still loading
        visitor.context.add_cookies([{"name": "django_language", "value": language, "url": arena_site.address}])
        weight.reset()
        open_fully(page, weight, path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(".studio-version")).to_have_count(30)
        assert weight.requests <= MAX_REQUESTS, str(weight)
        assert weight.bytes <= MAX_BYTES, str(weight)
    visitor.close()


def test_second_visit_loads_no_scripts(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    """Files named by their content hash, including chunks, are cached permanently, so a second visit loads none."""
    with first_visit(browser, arena_site.address) as (page, weight):
        open_fully(page, weight, content.over_match["reversi"])
        paths = {path for path in weight.paths.values() if path.startswith("/static/")}
        kept = page.evaluate(
            """paths => Promise.all(paths.map(path =>
                fetch(path).then(answer => [path, answer.headers.get('cache-control') ?? ''])))""",
            sorted(paths),
        )
    assert any(path.startswith("/static/chunks/") for path, _ in kept)
    assert [path for path, control in kept if "immutable" not in control] == []
