"""The width of an encounter card does not depend on the length of bot names."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser

from arena.submissions.models import NAME_LENGTH
from arena.tournaments.queries.rounds import EncounterSide, EncounterView

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]

STYLES = Path(__file__).resolve().parents[2] / "static" / "css"
SHEETS = ("tokens.css", "base.css", "layout.css", "rounds.css")
PAST = """selector => [...document.querySelectorAll(selector)].map(card => {
    const right = card.getBoundingClientRect().right;
    return Math.max(...[...card.querySelectorAll("*")].map(part => part.getBoundingClientRect().right - right));
})"""
WIDTHS = "selector => [...document.querySelectorAll(selector)].map(card => card.getBoundingClientRect().width)"


def encounter(name: str) -> EncounterView:
    sides = (
        EncounterSide(1, 1, name, "/bots/1/", 1.5, 12.0, leads=True, is_out=False),
        EncounterSide(2, 12, "Short", "/bots/2/", 0.5, -12.0, leads=False, is_out=True),
    )
    return EncounterView(1, "winners", 1, 0, sides, (), "done")


@pytest.mark.parametrize("name", ["W" * NAME_LENGTH, "黑白棋" * (NAME_LENGTH // 3), "Ann's very clever bot 12"])
def test_long_name_fits_its_card(browser: Browser, name: str) -> None:
    card = render_to_string("tournaments/encounter.html", {"encounter": encounter(name)})
    styles = "".join(f"<style>{(STYLES / sheet).read_text()}</style>" for sheet in SHEETS)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_content(
        f"{styles}<main class='container'><div class='encounters'>{card * 5}</div><div class='bracket'>"
        f"<div class='bracket__column'><ol class='bracket__cells'><li class='bracket__cell'>{card}</li>"
        "</ol></div></div></main>"
    )
    past, widths = page.evaluate(PAST, ".encounter"), page.evaluate(WIDTHS, ".bracket .encounter")
    page.close()
    assert max(past) <= 0
    assert widths == [(26 - 2) * 16]  # the column's width without the gap for the bracket's lines
