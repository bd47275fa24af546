"""Content for the tested pages: one person's bots, and finished, live and open tournaments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.running_site import ROOT, RunningSite
from tests.visitor import Visitor

STARTER = ROOT / "bots" / "reversi" / "starter.py"
BROKEN = Path(__file__).parent / "bots" / "broken.py"
ERRING = Path(__file__).parent / "bots" / "erring.py"
MATCHES_MS = 300_000
HOUSE_BOTS = {
    "reversi": ("Random move", "Most discs"),
    "golden_point": ("Trend", "Mean of ten", "Steady"),
    "fib2584": ("Greedy", "Random direction"),
    "suit_pairs": ("Greedy", "Random action"),
}
LENGTHS = {
    "golden_point": ("game-rounds", 30),
    "fib2584": ("game-games", 2),
    "suit_pairs": ("game-deals", 1),
}

Cookies: TypeAlias = Any  # Playwright's storage state of a signed-in browser


@dataclass(frozen=True, slots=True)
class Content:
    """Page URLs, and the cookies of an organizer who owns some of the pages."""

    site: RunningSite
    owner: Cookies
    own_bot: str
    passed: str  # the path of a submission, as are the next two
    failed: str
    erring: str
    erring_match: str  # the match in which the erring bot crashed
    over: dict[str, str]  # a finished tournament for each game
    over_match: dict[str, str]
    live_tournament: str
    open_tournament: str
    own_class: str
    join_link: str

    def live_match(self, game: str) -> str:
        """Return the path of this game's current live match."""
        return f"/matches/{self.site.json('/home/featured.json')['matches'][game]['id']}/"


def create_content(site: RunningSite, browser: Browser) -> Content:
    """Create content through the site's own pages."""
    owner = Visitor(browser, site.address)
    owner.sign_up("iris")
    site.manage("organizer", "iris")
    passed = owner.upload_new_bot("Reversi", "Corner lover", STARTER)
    expect(owner.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=MATCHES_MS)
    owner.page.get_by_role("heading", level=1).get_by_role("link").click()
    own_bot = owner.path
    failed = owner.upload_new_bot("Reversi", "Broken at once", BROKEN)
    expect(owner.page.locator("[data-check]")).to_have_attribute("data-status", "failed", timeout=MATCHES_MS)
    erring = owner.upload_new_bot("Reversi", "Errs now and then", ERRING)
    expect(owner.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=MATCHES_MS)
    erring_match = _play_as_white(owner, "Errs now and then")
    # Start all of them before waiting for any, so that they run in parallel.
    over = {game: start_tournament(owner, game, bots) for game, bots in HOUSE_BOTS.items()}
    over_match = {game: _first_match_when_over(owner, tournament) for game, tournament in over.items()}
    open_tournament = _announce_tournament(owner)
    own_class = _create_class(owner)
    content = Content(
        site=site,
        owner=owner.context.storage_state(),
        own_bot=own_bot,
        passed=passed,
        failed=failed,
        erring=erring,
        erring_match=erring_match,
        over=over,
        over_match=over_match,
        live_tournament=f"/tournaments/{site.json('/home/featured.json')['tournament']['id']}/",
        open_tournament=open_tournament,
        own_class=own_class,
        join_link=urlsplit(owner.page.locator(".join-link a").get_attribute("href") or "").path,
    )
    owner.close()
    return content


def _play_as_white(owner: Visitor, bot: str) -> str:
    page = owner.page
    page.goto("/scrimmages/new/?game=reversi")
    page.get_by_label("Your bot").select_option(label=f"{bot} v1")
    corners = page.locator("[data-part=name]", has_text=re.compile(r"^Corners$"))
    page.locator("[data-part=opponents] label", has=corners).get_by_role("radio").check()
    page.get_by_label("You play").select_option("second")
    page.get_by_label("Spectator delay").select_option("0.0")
    page.get_by_role("main").get_by_role("button", name="Start the match").click()
    page.wait_for_url(re.compile(r"/matches/\d+/$"))
    page.get_by_role("tab", name="Output").click()
    expect(page.locator("article.diagnosis").first).to_be_visible(timeout=MATCHES_MS)
    return owner.path


def start_tournament(
    organizer: Visitor, game: str, bots: Sequence[str], length: int = 0, format_: str | None = None
) -> str:
    """Start a tournament of house bots; return its path.

    ``length``: the length of its matches, 0 for short ones; ``format_``: None for the form's default.
    """
    page = organizer.page
    page.goto(f"/tournaments/new/?game={game}")
    page.get_by_label("Name", exact=True).fill(f"Over: {game}")
    page.locator("[name=start][value=now]").check()
    if format_ is not None:
        page.locator(f"[name=format][value={format_}]").check()
    for bot in bots:
        page.get_by_label(f"{bot} v1").check()
    if game in LENGTHS:
        field, short = LENGTHS[game]
        page.locator(f"[name={field}]").fill(str(length or short))
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    return organizer.path


def wait_until_over(organizer: Visitor) -> None:
    """Wait until the tournament on the open page is finished."""
    expect(organizer.page.locator("#tournament-phase .badge")).to_have_text("Finished", timeout=MATCHES_MS)


def _first_match_when_over(organizer: Visitor, tournament: str) -> str:
    organizer.page.goto(tournament)
    wait_until_over(organizer)
    return organizer.page.locator("[data-part=matches] a").first.get_attribute("href") or ""


def _announce_tournament(organizer: Visitor) -> str:
    page = organizer.page
    page.goto("/tournaments/new/?game=reversi")
    page.get_by_label("Name", exact=True).fill("Open to everybody")
    page.get_by_label("Description").fill("Bring a bot.\n\nThere are prizes.")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("textbox", name="Submission deadline").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    page.locator("form[action$='/enter/'] button").click()
    expect(page.locator("tr[data-entry]")).to_have_count(1)
    return organizer.path


def _create_class(teacher: Visitor) -> str:
    """Create a class with a members-only tournament; open the class's page and return its path."""
    page = teacher.page
    page.goto("/classes/new/")
    page.get_by_label("Name").fill("Introduction to artificial intelligence, autumn")
    page.get_by_role("button", name="Create class").click()
    page.wait_for_url(re.compile(r"/classes/\d+/$"))
    own_class = teacher.path
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("group", name="Class cup").get_by_role("link", name="Reversi").click()
    page.get_by_label("Name", exact=True).fill("For members only")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("textbox", name="Submission deadline").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Next: review").click()
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    page.goto(own_class)
    return own_class
