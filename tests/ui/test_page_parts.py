"""Apps add parts to every page: the parts are rendered in order, with the page's context."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.test import Client

from arena.ui import page_parts
from arena.ui.page_parts import PageRegion


def test_page_parts_are_ordered_and_registered_once() -> None:
    tools = page_parts.templates(PageRegion.TOOLS)
    page_parts.register_part(PageRegion.TOOLS, tools[0], order=10)
    assert (
        page_parts.templates(PageRegion.TOOLS)
        == tools
        == [
            "search/button.html",
            "components/theme_toggle.html",
            "notifications/bell.html",
            "components/language_switch.html",
            "pages/account_menu.html",
        ]
    )
    with pytest.raises(RuntimeError, match="registered twice"):
        page_parts.register_part(PageRegion.TOOLS, tools[0], order=99)


def test_page_part_is_rendered_with_the_page_context() -> None:
    drawn = Template('{% load ui %}{% page_parts "navigation" %}').render(Context({"first_game": "chess"}))
    assert 'href="/leaderboards/chess/"' in drawn


@pytest.mark.django_db
def test_pages_contain_all_parts_in_order(client: Client) -> None:
    page = client.get("/guide/").content.decode()
    ordered = [
        "data-search",
        "data-theme-toggle",
        "language-switch",
        "/accounts/login/",
        "site-footer",
        "bottom-nav",
        "data-search-dialog",
    ]
    places = [page.index(mark) for mark in ordered]
    assert places == sorted(places)
