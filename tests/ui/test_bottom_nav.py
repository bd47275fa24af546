"""The shortcut bar on phones: its links, and which of them is current."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories

pytestmark = pytest.mark.django_db

_BAR = re.compile(r'<nav class="bottom-nav".*?</nav>', re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)"( aria-current="\w+")?>')


def links(client: Client, url: str) -> list[tuple[str, str]]:
    (bar,) = _BAR.findall(client.get(url).content.decode())
    return _LINK.findall(bar)


@pytest.mark.long
def test_last_link_is_login_for_guests_and_profile_for_members(client: Client) -> None:
    places = [reverse(name) for name in ("home", "match-list", "play", "bot-list")]
    assert [url for url, _ in links(client, "/")] == [*places, reverse("login")]
    client.force_login(factories.person("ada"))
    assert [url for url, _ in links(client, "/")] == [*places, reverse("profile", args=["ada"])]


@pytest.mark.parametrize(("url", "marked"), [("/", {"/"}), ("/bots/", {"/bots/"}), ("/guide/", set())])
def test_current_page_is_marked(client: Client, url: str, marked: set[str]) -> None:
    assert {link for link, current in links(client, url) if current} == marked
