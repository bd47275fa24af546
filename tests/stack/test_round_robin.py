"""The arena end to end: three students, three kinds of bots, and a round robin with a live audience.

Everything is real: site, workers, broker, jail and browsers. The tests also check that students cannot see each
other's logs and source code. Each bot passes its check, in which it plays black; as white, one crashes and one never
answers.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from arena.core.referee.faults import FaultKind
from arena.games.localized_messages import FAULT_LABELS
from arena.platform.live.store import RedisStore
from arena.platform.supervisor import broker
from tests.running_site import RunningSite
from tests.stack.live_check import expect_live_check
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

BOTS = Path(__file__).parent / "bots"
STUDENTS = {"ada": "Steady", "ben": "Fragile", "cleo": "Endless"}
# Steady wins every match; the other two lose to it, and as white to each other, so they are tied on everything.
FETCHED_SNAPSHOT = "() => performance.getEntriesByType('resource').some(one => one.name.endsWith('snapshot.json'))"
STANDINGS = [
    ["1", "Steady", "4", "4", "4", "0", "0"],
    ["2", "Fragile", "1", "4", "1", "0", "3"],
    ["2", "Endless", "1", "4", "1", "0", "3"],
]
MATCHES_MS = 300_000


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament, its organizer, its players, and an anonymous spectator."""

    id: int
    site: RunningSite
    organizer: Visitor
    students: dict[str, Visitor]
    spectator: Visitor

    @property
    def path(self) -> str:
        return f"/tournaments/{self.id}/"

    def match(self, black: str, white: str) -> dict[str, Any]:
        """Return the snapshot of the match between these two bots."""
        shown = self.site.json(f"{self.path}snapshot.json")["matches"]
        (found,) = [match for match in shown if match["names"] == [black, white]]
        snapshot: dict[str, Any] = self.site.json(f"{found['url']}snapshot.json")
        return snapshot


@pytest.fixture(scope="module")
def students(unseeded_site: RunningSite, browser: Browser) -> Iterator[dict[str, Visitor]]:
    """Yield three students, each with a bot whose check has just started."""
    people = {name: Visitor(browser, unseeded_site.address) for name in STUDENTS}
    for name, visitor in people.items():
        visitor.sign_up(name)
        visitor.upload_new_bot("Reversi", STUDENTS[name], BOTS / f"{STUDENTS[name].lower()}.py")
        visitor.mark_page()
    yield people
    for visitor in people.values():
        visitor.close()


@pytest.fixture(scope="module")
def checked_students(students: dict[str, Visitor]) -> dict[str, Visitor]:
    """Return the students once each of them sees that their bot has passed."""
    for visitor in students.values():
        expect(visitor.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=MATCHES_MS)
    return students


@pytest.fixture(scope="module")
def cup(unseeded_site: RunningSite, browser: Browser, checked_students: dict[str, Visitor]) -> Iterator[Cup]:
    """Yield a tournament that is ready to start: every student has entered a bot and opened the tournament's page."""
    organizer = Visitor(browser, unseeded_site.address)
    organizer.sign_up("olga")
    unseeded_site.manage("organizer", "olga")
    tournament_id = _create_tournament(organizer)
    spectator = Visitor(browser, unseeded_site.address, **WITH_MOTION)
    made = Cup(tournament_id, unseeded_site, organizer, checked_students, spectator)
    for name, visitor in checked_students.items():
        visitor.page.goto(made.path)
        expect(visitor.page.get_by_role("combobox", name="Your bot")).to_contain_text(STUDENTS[name])
        visitor.page.locator("form[action$='/enter/'] button").click()
        expect(visitor.page.locator(".lobby__entries li", has_text=STUDENTS[name])).to_be_visible()
    yield made
    for visitor in (organizer, spectator):
        visitor.close()


def _create_tournament(organizer: Visitor) -> int:
    page = organizer.page
    page.goto("/tournaments/new/?game=reversi")
    page.get_by_label("Name", exact=True).fill("Class cup")
    page.locator("[name=format][value=double_round_robin]").check()
    page.get_by_label("Openings").select_option("start")
    page.locator("[name=start][value=hand]").check()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("textbox", name="Submission deadline").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    page.locator("[name=move_seconds]").fill("2")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    return int(organizer.path.strip("/").split("/")[-1])


@pytest.fixture(scope="module")
def finished_cup(cup: Cup) -> Cup:
    """Play the tournament to its end while the spectator never reloads their page."""
    page = cup.spectator.page
    page.goto(cup.path)
    cup.spectator.mark_page()
    assert cup.spectator.texts("tr[data-entry] [data-part=played]") == ["0", "0", "0"]

    cup.organizer.page.goto(cup.path)
    cup.organizer.page.get_by_role("button", name="Start now").click()

    expect(page.locator("[data-part=progress] progress")).to_have_js_property("value", 6, timeout=MATCHES_MS)
    expect(page.locator("#tournament-phase .badge")).to_have_text("Finished")
    return cup


def test_authors_watch_their_checks_live(checked_students: dict[str, Visitor]) -> None:
    for visitor in checked_students.values():
        expect_live_check(visitor)


def test_correct_standings_arrive_without_a_reload(finished_cup: Cup) -> None:
    spectator = finished_cup.spectator
    assert spectator.never_left()
    rows = spectator.page.locator("tr[data-entry]").evaluate_all(
        """rows => rows.map(row => ["rank", "name", "points", "played", "wins", "draws", "losses"].map(part =>
            row.querySelector(part === "name" ? ".identity__name" : `[data-part=${part}]`).textContent.trim()))"""
    )
    assert rows == STANDINGS
    crosstable = spectator.texts("[data-pair]")
    assert crosstable == ["2 / 2", "2 / 2", "0 / 2", "1 / 2", "0 / 2", "1 / 2"]

    events = received_events(finished_cup)
    numbers = [event["seq"] for event in events]
    assert numbers == sorted(numbers)
    # Each worker publishes its own commits, yet a viewer who reconnects receives all events in order.
    sent = events_after(finished_cup, numbers[0] - 1)
    assert [event["seq"] for event in sent] == list(range(numbers[0], numbers[-1] + 1))
    assert [event["type"] for event in sent].count("result") == 6
    standings = {row["name"]: row for event in sent for row in event.get("rows", [])}
    assert {name: row["points"] for name, row in standings.items()} == {row[1]: float(row[2]) for row in STANDINGS}
    # There is only a gap if a worker stalls for longer than the reorder buffer waits; a snapshot then closes it.
    # Without a snapshot, the events alone kept the page up to date.
    assert events == sent or spectator.page.evaluate(FETCHED_SNAPSHOT)
    assert spectator.noise == []


def received_events(cup: Cup) -> list[Mapping[str, Any]]:
    """Wait until the spectator has received the tournament's last event; return the events, each of them once.

    Every socket delivers an event once. But on a busy machine, the browser may not run the page's scripts for seconds;
    then the page reconnects, and its new socket repeats the events that the scripts have not processed yet.
    """
    topic, deadline = f"tournaments/{cup.id}", time.monotonic() + MATCHES_MS / 1000
    while cup.spectator.events(topic)[-1]["seq"] < (newest := cup.site.json(f"{cup.path}snapshot.json")["seq"]):
        assert time.monotonic() < deadline, f"event {newest} did not arrive"
        cup.spectator.page.wait_for_timeout(100)
    delivered: dict[WebSocket, list[int]] = {}
    for frame in cup.spectator.frames:
        if frame.topic == topic and "seq" in frame.event:
            delivered.setdefault(frame.socket, []).append(frame.event["seq"])
    assert all(numbers == sorted(set(numbers)) for numbers in delivered.values())
    return list({event["seq"]: event for event in cup.spectator.events(topic)}.values())


def events_after(cup: Cup, number: int) -> list[dict[str, Any]]:
    """Return the tournament's events in the broker whose numbers are greater than ``number``."""
    store = RedisStore(broker.broker_url(cup.site.var))
    frames, _ = store.events_after(f"tournaments/{cup.id}", number)
    store.close()
    return [json.loads(frame.text) for frame in frames]


@pytest.mark.parametrize(
    ("winner", "loser", "fault"),
    [("Steady", "Fragile", FaultKind.CRASH), ("Steady", "Endless", FaultKind.TIMEOUT)],
)
def test_everyone_sees_why_a_bot_lost(finished_cup: Cup, winner: str, loser: str, fault: FaultKind) -> None:
    reason = str(FAULT_LABELS[fault])
    spectator = finished_cup.spectator
    spectator.page.goto(finished_cup.match(winner, loser)["match"]["url"])
    expect(spectator.page.locator("[data-part=result]")).to_have_text(re.compile(f"^{winner} .*{loser}: {reason}$"))
    expect(spectator.page.locator(".player[data-seat='1'] [data-part=facts]")).to_contain_text(reason)
    expect(spectator.page.locator(".player[data-seat='0'] [data-part=facts]")).not_to_contain_text(reason)


def test_log_is_visible_only_to_its_owner(finished_cup: Cup) -> None:
    match = finished_cup.match("Endless", "Fragile")["match"]["url"]
    log, theirs = f"{match}seats/1/log/", f"{match}seats/0/log/"
    owner, rival, spectator = finished_cup.students["ben"], finished_cup.students["cleo"], finished_cup.spectator

    owner.page.goto(match)
    report = owner.page.locator("section[aria-labelledby=report-title]")
    heading = report.get_by_role("heading").first
    expect(heading).to_contain_text("Fragile")
    expect(report).to_contain_text("IndexError: list index out of range")
    expect(report).to_contain_text("main.py:18")
    assert "Endless" not in heading.inner_text()
    assert "fragile looks up move 4" in owner.context.request.get(log).text()
    assert owner.context.request.get(theirs).status == 403

    rival.page.goto(match)
    assert "fragile looks up" not in rival.page.content()
    assert "IndexError" not in rival.page.content()
    assert rival.context.request.get(log).status == 403

    spectator.page.goto(match)
    expect(spectator.page.locator("section[aria-labelledby=report-title]")).to_have_count(0)
    assert "fragile looks up" not in spectator.page.content()
    assert "/accounts/login/" in spectator.context.request.get(log).url


def test_source_is_visible_only_to_its_owner(finished_cup: Cup) -> None:
    source = finished_cup.students["ben"].context.request.get
    page = finished_cup.students["ben"].page
    page.goto("/people/ben/")
    page.get_by_role("link", name="Fragile").first.click()
    href = page.get_by_role("link", name="Source").get_attribute("href")
    assert href
    assert "WHITE_BOOK" in source(href).text()
    assert finished_cup.students["cleo"].context.request.get(href).status == 403
    assert "/accounts/login/" in finished_cup.spectator.context.request.get(href).url


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_permalink_shows_its_position(finished_cup: Cup, browser: Browser, scripts: bool) -> None:
    snapshot = finished_cup.match("Steady", "Fragile")
    board = snapshot["turns"][5]["view"]["board"]
    assert board.count(".") == 64 - 4 - 5

    reader = Visitor(browser, finished_cup.site.address, java_script_enabled=scripts)
    try:
        reader.page.goto(f"{snapshot['match']['url']}?at=5")
        if scripts:
            expect(reader.page.locator("[data-part=position]")).to_have_text(f"Move 5 of {len(snapshot['turns']) - 1}")
        discs = reader.page.locator("[data-square]").evaluate_all(
            "all => all.map(square => square.querySelector('.disc')?.dataset.side ?? '.').join('')"
        )
        assert discs == board
    finally:
        reader.close()
