"""``page_types`` lists every type of page, so that the browser tests audit the whole site."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from tests.browser.page_types import EVERYBODYS, MEMBERS, OPERATORS
from tests.factories import person

pytestmark = pytest.mark.django_db

CONTENT: Final[Any] = SimpleNamespace(
    own_bot="/bots/1/",
    passed="/submissions/1/",
    failed="/submissions/1/",
    erring="/submissions/1/",
    erring_match="/matches/1/",
    over=defaultdict(lambda: "/tournaments/1/"),
    over_match=defaultdict(lambda: "/matches/1/"),
    live_tournament="/tournaments/1/",
    open_tournament="/tournaments/1/",
    own_class="/classes/1/",
    join_link="/classes/join/AAAA-AAAA/",
    live_match=lambda _game: "/matches/1/",
)
FILES = {
    *("javascript-catalog", "trainer", "submission-download", "submission-position", "match-card", "match-export"),
    *("match-log", "match-position", "bot-feed", "person-feed", "tournament-feed", "tournament-table", "room-table"),
    *("tournament-archive", "reversi-board-ggf", "recording-file", "golden-point-analysis-numbers", "data-file"),
    *("oembed", "healthz"),
}
PARTS_OF_PAGES = {
    *("search-hits", "run-report", "studio-diff"),
    *("tv-match", "tv-turning-point", "tv-standings", "tv-podium", "tv-bracket", "tv-lobby", "tv-upcoming"),
}
REDIRECTS = {"set_language", "leaderboards", "studio-first", "studio-submission"}


def audited_pages() -> Iterator[str]:
    yield from OPERATORS.values()
    for page in (*EVERYBODYS.values(), *MEMBERS.values()):
        try:
            yield resolve(urlsplit(page.address(CONTENT)).path).url_name or ""
        except Resolver404:
            assert page.status == 404


def url_patterns(resolver: URLResolver, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """Yield the name and an example path of each of the site's own URLs that can be a page."""
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if not entry.app_name:  # Django's own pages for operators, and the API, have one
                yield from url_patterns(entry, route)
        elif isinstance(entry, URLPattern) and entry.name and not route.endswith(".json"):
            yield entry.name, re.sub(r"<(?:str|slug):\w+>", "x", re.sub(r"<(?:row|int):\w+>", "1", route))


def test_every_page_type_is_audited() -> None:
    client = Client(raise_request_exception=False)
    client.force_login(person())
    paths = dict(url_patterns(get_resolver()))
    pages = {name for name, path in paths.items() if client.get(path).status_code != 405}  # the others are actions
    assert set(audited_pages()) >= pages - FILES - PARTS_OF_PAGES - REDIRECTS
    assert pages >= FILES | PARTS_OF_PAGES | REDIRECTS
