"""The example game on a real site, installed only through EXTRA_GAMES: from upload to verified export."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from arena.core.referee.record import Record
from arena.core.referee.replay import Replay, verify, visible_turns
from arena.games.base import Audience
from tests.example_game.names import EXTRA_GAMES
from tests.example_game.playing import GAMES
from tests.running_site import RunningSite, run_site
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
HOUSE = HERE / "lanterns" / "bots" / "house"
BOTS = {
    "Glow": HERE / "lanterns" / "bots" / "starter.py",
    "Ember": HOUSE / "random_candle.py",
    "Spark": HOUSE / "highest_first.py",
}
NIGHTS = 4
FILES = ("", "?view=projector", "snapshot.json", "record.json", "candles.tsv", "seats/0/log/")
PLAYED_MS = 300_000
PUBLIC = Audience.PUBLIC


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    build = tmp_path_factory.mktemp("build")
    variables = {"EXTRA_GAMES": EXTRA_GAMES, "ARENA_BUILD": str(build), "CHECK_MATCH_SECONDS": "3"}
    bundled = ["node", "esbuild.config.js", f"--outdir={build / 'static'}"]
    subprocess.run(bundled, cwd=ROOT, env={**os.environ, **variables}, check=True, timeout=600)
    with run_site(seeded=False, WORKER_CONCURRENCY="2", **variables) as running:
        yield running
        running.stop()


@pytest.fixture(scope="module")
def ada(site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    """Yield a student with three bots that passed their checks."""
    visitor = Visitor(browser, site.address)
    visitor.sign_up("ada")
    for name, file in BOTS.items():
        visitor.upload_new_bot("Lanterns", name, file)
        expect(visitor.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=PLAYED_MS)
    yield visitor
    visitor.close()


@pytest.fixture(scope="module")
def olga(site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    """Yield a visitor with permission to organize tournaments."""
    visitor = Visitor(browser, site.address)
    visitor.sign_up("olga")
    site.manage("organizer", "olga")
    yield visitor
    visitor.close()


def create_tournament(olga: Visitor, ada: Visitor, name: str, format_: str, fields: dict[str, str]) -> str:
    """Create a tournament, enter Ada's three bots and return the tournament's path."""
    page = olga.page
    page.goto("/tournaments/new/?game=lanterns")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label(format_).check()
    page.locator("[name=start][value=hand]").check()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("textbox", name="Submission deadline").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    for field, value in {"game-nights": str(NIGHTS), "entries_per_person": "3", **fields}.items():
        page.locator(f"[name={field}]").fill(value)
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    for bot in BOTS:
        ada.page.goto(olga.path)
        offered = ada.page.get_by_role("combobox", name="Your bot")
        offered.select_option(offered.locator("option", has_text=bot).get_attribute("value"))
        ada.page.locator("form[action$='/enter/'] button").click()
        expect(ada.page.locator(".lobby__entries li", has_text=bot)).to_be_visible()
    return olga.path


def start_tournament(olga: Visitor, path: str) -> None:
    olga.page.goto(path)
    with olga.page.expect_navigation():  # the click only opens the dialog, whose form would abort the next visit
        olga.page.get_by_role("button", name="Start now").click()


def await_end(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("#tournament-phase .badge")).to_have_text("Finished", timeout=PLAYED_MS)


def read_records(site: RunningSite, tournament: str) -> list[Record]:
    matches = site.json(f"{tournament}snapshot.json")["matches"]
    return [Record.from_json(site.json(f"{match['url']}record.json")) for match in matches]


def test_bot_making_an_illegal_move_fails_the_check(ada: Visitor) -> None:
    ada.upload_new_bot("Lanterns", "Faulty", HERE / "faulty.py")
    check = ada.page.locator("[data-check]")
    expect(check).to_have_attribute("data-status", "failed", timeout=PLAYED_MS)
    expect(check).to_contain_text("candle 10 is not in your hand")


@dataclass(frozen=True, slots=True)
class WatchedMatch:
    """A match between three bots: what the site served during it, and the events that reached a spectator."""

    path: str
    match: str
    pages: dict[str, str]
    frames: list[Mapping[str, Any]]
    record: Record


@pytest.fixture(scope="module")
def table(site: RunningSite, browser: Browser, ada: Visitor, olga: Visitor) -> Iterator[WatchedMatch]:
    # Slow enough to read all pages during the match.
    path = create_tournament(olga, ada, "Lantern table", "Multi-seat tables", {"pace_seconds": "2.5"})
    spectator = Visitor(browser, site.address)
    page = spectator.page
    start_tournament(olga, path)
    page.goto(path)
    page.locator("main a[href^='/matches/']").first.click()
    page.wait_for_url(re.compile(r"/matches/\d+/$"))
    expect(page.locator("[data-part=night]")).to_have_text(f"Night 2 of {NIGHTS}", timeout=PLAYED_MS)
    expect(page.locator("[data-match-status]")).to_have_text("Live")
    match = spectator.path
    served = {}
    for who in (spectator, ada):
        for address in ("/", "/matches/", path, f"{path}snapshot.json", *(match + file for file in FILES)):
            served[f"{address} for {who.name}"] = who.context.request.get(address).text()
    assert site.json(f"{match}snapshot.json")["match"]["status"] == "running", "it was over before all was read"
    expect(page.locator("[data-part=result]")).to_contain_text("point", timeout=PLAYED_MS)
    assert spectator.noise == []
    [record] = read_records(site, path)
    yield WatchedMatch(path, match, served, spectator.events(match.strip("/")), record)
    spectator.close()


def test_match_is_shown_live_in_the_games_own_view(table: WatchedMatch) -> None:
    numbers = [frame["turn"]["number"] for frame in table.frames if frame["type"] == "turn"]
    assert numbers == list(range(numbers[0], 3 * NIGHTS + 1))
    assert 'data-view="/static/lanterns/view.' in table.pages[f"{table.match} for "]
    assert "Night 2" in table.pages[f"{table.match} for "]


def test_live_events_contain_only_the_public_view(table: WatchedMatch) -> None:
    public = {
        turn["number"]: turn
        for turn in visible_turns(Replay.from_record(table.record, GAMES), table.record.turns, PUBLIC)
    }
    sent = [frame["turn"] for frame in table.frames if frame["type"] == "turn"]
    assert len(sent) > NIGHTS
    assert [turn["view"] for turn in sent] == [public[turn["number"]]["view"] for turn in sent]
    assert {move["move"] for turn in sent for move in turn["moves"]} == {None}


def test_hidden_state_never_leaves_a_running_match(table: WatchedMatch) -> None:
    """Neither pages nor downloads reveal hidden state, not even to the author of the bots."""
    found = {address: list(game_states(text)) for address, text in table.pages.items()}
    assert len(found[f"{table.match} for "]) > 3
    assert len(found[f"{table.match}snapshot.json for ada"]) > 3
    for address, shown in found.items():
        for state in shown:
            assert set(state["laid"]) <= {None, True}, address
            assert state["wind"] is None, address
    for address, text in table.pages.items():
        assert str(table.record.seed) not in text, address
        assert "night 1 lantern" not in text, f"a bot's log: {address}"


def game_states(text: str) -> Iterator[dict[str, Any]]:
    """Yield every state of the game in a JSON response or in a page's embedded JSON."""
    for source in re.findall(r"<script[^>]* type=\"application/json\"[^>]*>(.*?)</script>", text, re.S) or [text]:
        with suppress(ValueError):
            yield from _states(json.loads(source))


def _states(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "laid" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _states(item)


def test_replay_has_permalinks(site: RunningSite, browser: Browser, table: WatchedMatch) -> None:
    first = table.record.turns[0].moves[0].move
    for scripts in (True, False):
        reader = Visitor(browser, site.address, java_script_enabled=scripts)
        reader.page.goto(f"{table.match}?at=1")
        expect(reader.page.locator("[data-part=candle]").first).to_have_text(str(first))
        assert reader.noise == []
        reader.close()


def test_bots_play_a_score_attack_alone(site: RunningSite, ada: Visitor, olga: Visitor, tmp_path: Path) -> None:
    path = create_tournament(olga, ada, "Lantern scores", "Score attack", {"random_seeds": "2"})
    start_tournament(olga, path)
    await_end(olga.page, path)
    expect(olga.page.locator("main")).to_contain_text("Light")
    played = read_records(site, path)
    assert len(played) == 3 * 2
    assert {len(record.seats) for record in played} == {1}
    assert len({record.seed for record in played}) == 2, "every bot has the same two random seeds"
    rows = site.json(f"{path}snapshot.json")["rows"]
    light = defaultdict[str, float](float)
    for record in played:
        light[record.seats[0].name.removesuffix(" v1")] += record.outcome.points[0]
    assert {row["name"]: row["points"] for row in rows} == light
    archive = tmp_path / "scores.zip"
    archive.write_bytes(olga.context.request.get(f"{path}export/archive.zip").body())
    assert "Lantern scores" in site.manage("verify", str(archive))


def test_person_plays_and_sees_only_their_own_candles(ada: Visitor, site: RunningSite) -> None:
    """Ada, who lays last, does not see the candles that the bots have laid, and nobody else sees hers."""
    page = ada.page
    page.goto("/play/?game=lanterns")
    page.locator("[name=players][value='3']").check()
    page.locator("select[name=bot]").select_option(label="Spark · ada")
    page.get_by_label("Blue lantern").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("[data-part=hint]")).to_contain_text(re.compile(r"Hint: \d"), timeout=PLAYED_MS)
    match = page.get_by_role("link", name=re.compile(r"^match \d+$")).get_attribute("href")
    for night in (1, 2, 3):
        mine = page.locator("[data-part=legal] button")
        expect(mine).to_have_count(10 - night, timeout=PLAYED_MS)
        for address in (f"{ada.path}snapshot.json", f"{match}snapshot.json"):
            shown = ada.context.request.get(address).json()
            assert shown["turns"][-1]["view"]["laid"] == [True, True, None]
            assert {move["move"] for turn in shown["turns"] for move in turn["moves"] if move["seat"] < 2} == {None}
        mine.first.click()
    expect(page.locator("[data-part=result]")).not_to_be_empty(timeout=PLAYED_MS)
    record = Record.from_json(site.json(f"{match}record.json"))
    assert verify(record, GAMES) == []
    assert [turn.moves[0].move for turn in record.turns] == [9, 9, 1, 8, 8, 2, 7, 7, 3]
    assert ada.noise == []


def test_person_can_play_with_moves_rendered_by_the_server(ada: Visitor) -> None:
    """If a game's script does not list the moves, the page fetches them after each turn."""

    def strip(route: Route) -> None:
        answer = route.fetch()
        listed = re.compile(r",?\s*\w+ as legalMoves|export (?=function legalMoves)")
        script, found = listed.subn("", answer.text())
        assert found == 1
        route.fulfill(response=answer, body=script)

    page = ada.page
    page.route(re.compile("lanterns/view"), strip)
    page.goto("/play/?game=lanterns")
    page.locator("[name=players][value='1']").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))
    for night in (1, 2, 3):
        mine = page.locator("[data-part=moves-form]:not(.is-idle) [data-part=legal] button")
        expect(mine).to_have_count(10 - night, timeout=PLAYED_MS)
        mine.first.press("Enter")
    expect(page.locator("[data-part=result]")).to_contain_text(re.compile(r"\d"), timeout=PLAYED_MS)
    page.unroute(re.compile("lanterns/view"))
    assert ada.noise == []


def test_matches_and_tournament_are_exported_and_verified(
    site: RunningSite, table: WatchedMatch, olga: Visitor, tmp_path: Path
) -> None:
    assert verify(table.record, GAMES) == []
    get = olga.context.request.get
    lines = get(f"{table.match}candles.tsv").text().splitlines()
    assert len(lines) == 3 * NIGHTS
    assert {line.split("\t")[1] for line in lines} == set(BOTS)
    assert "Glow" in get(f"{table.path}export/standings.csv").text()
    archive = tmp_path / "table.zip"
    archive.write_bytes(get(f"{table.path}export/archive.zip").body())
    assert "'Lantern table' verified" in site.manage("verify", str(archive))
    site.manage("verify")


def test_pages_name_and_explain_the_game(site: RunningSite, browser: Browser, table: WatchedMatch) -> None:
    reader = Visitor(browser, site.address)
    for address, text in {
        "/guide/": "Every night a lantern drifts by",
        "/bots/?game=lanterns": "Glow",
        "/leaderboards/lanterns/": "Lanterns",
        "/ladder/lanterns/": "Lanterns",
        "/matches/": "Lanterns",
        table.path: "Spark",
    }.items():
        reader.page.goto(address)
        expect(reader.page.locator("main")).to_contain_text(text)
    assert reader.noise == []
    reader.close()


def test_pages_are_translated_into_chinese(site: RunningSite, browser: Browser, table: WatchedMatch) -> None:
    reader = Visitor(browser, site.address, locale="zh-CN")
    reader.page.goto("/guide/")
    expect(reader.page.locator("main")).to_contain_text("每夜漂来一盏灯笼")
    reader.page.goto(table.match)
    expect(reader.page.locator("main")).to_contain_text("放灯")
    reader.page.get_by_role("slider").press("ArrowLeft")
    expect(reader.page.locator("[data-part=night]")).to_have_text(f"第 {NIGHTS} 夜，共 {NIGHTS} 夜")
    expect(reader.page.locator("[data-part=announce]")).to_contain_text("出蜡烛")
    reader.close()
