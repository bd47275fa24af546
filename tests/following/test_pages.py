"""The follow buttons, the list of followed items, and the Atom feeds work for everyone who may use them."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as Xml

import pytest
from django.test import Client
from django.urls import reverse

from arena.following import services
from arena.following.models import FeedItem, Follow, ItemKind
from arena.following.subjects import Subject
from arena.submissions.models import Bot
from arena.submissions.services import activate
from tests import factories
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def bot() -> Bot:
    return factories.bot(factories.person("ben"), name="<b>Crux & Co</b>")


@pytest.mark.long
def test_button_follows_and_unfollows_without_javascript(client: Client, bot: Bot) -> None:
    ada, page = factories.person("ada"), reverse("bot", args=[bot.pk])
    assert f'href="{reverse("login")}?next={page}"' in client.get(page).content.decode()
    client.force_login(ada)
    address = reverse("follow", args=["bot", bot.pk])
    assert f'action="{address}"' in client.get(page).content.decode()
    assert client.post(address, {"next": page}).headers["Location"] == page
    follow = Follow.objects.get()
    assert (follow.follower, follow.bot) == (ada, bot)
    undo = reverse("unfollow", args=[follow.pk])
    assert f'action="{undo}"' in client.get(page).content.decode()
    assert "Crux" in client.get(reverse("following")).content.decode()
    assert client.post(address, {"next": "no-path"}).headers["Location"] == reverse("following")
    assert client.post(undo, {"next": "https://evil.example/"}).headers["Location"] == reverse("following")
    assert not Follow.objects.exists()


def test_own_pages_have_no_follow_button(client: Client, bot: Bot) -> None:
    client.force_login(bot.owner)
    for page in (reverse("bot", args=[bot.pk]), reverse("profile", args=["ben"])):
        assert "/following/" not in client.get(page).content.decode().partition("<main")[2]


def test_anonymous_visitors_and_strangers_cannot_change_follows(client: Client, bot: Bot) -> None:
    ada = factories.person()
    services.follow(ada, Subject.BOT, bot.pk)
    undo = reverse("unfollow", args=[Follow.objects.get().pk])
    for address in (reverse("follow", args=["bot", bot.pk]), undo, reverse("following")):
        answer = client.post(address) if address != reverse("following") else client.get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(reverse("login"))
    client.force_login(bot.owner)
    assert client.post(undo).status_code == 404
    for kind, key in (("bot", bot.pk + 99), ("person", 10**9), ("tournament", 10**9), ("game", 1)):
        assert client.post(reverse("follow", args=[kind, key])).status_code == 404
    assert client.get(reverse("follow", args=["bot", bot.pk])).status_code == 405
    assert Follow.objects.count() == 1


def parse_feed(content: bytes) -> Xml.Element:
    """Parse a feed and check the elements that RFC 4287 requires of feeds and entries."""
    root = Xml.fromstring(content)
    assert root.tag == f"{ATOM}feed"
    ids = []
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(element.findall(ATOM + name)) == 1, name
        ids.append(element.findtext(f"{ATOM}id") or "")
        assert datetime.fromisoformat(element.findtext(f"{ATOM}updated") or "").tzinfo is not None
        links = {link.get("rel"): link.get("href", "") for link in element.findall(f"{ATOM}link")}
        assert links["alternate"].startswith("http://testserver/")
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    assert len(set(ids)) == len(ids)
    assert all(one.startswith("tag:") for one in ids)
    return root


@pytest.mark.long
def test_pages_link_to_a_valid_feed(client: Client, stage: TournamentHarness, bot: Bot) -> None:
    activate(factories.submission(bot).pk)
    tournament = stage.start_tournament(3)
    pages = {
        reverse("bot", args=[bot.pk]): (ItemKind.VERSION_ACTIVATED, "<b>Crux & Co</b>"),
        reverse("profile", args=[stage.organizer.username]): (ItemKind.TOURNAMENT_CREATED, str(stage.organizer)),
        reverse("tournament", args=[tournament.pk]): (ItemKind.STARTED, "Cup"),
    }
    for page, (kind, name) in pages.items():
        head = client.get(page).content.decode().partition("</head>")[0]
        address = head.partition('type="application/atom+xml" href="')[2].partition('"')[0]
        answer = client.get(address)
        assert answer.headers["Content-Type"].startswith("application/atom+xml")
        root = parse_feed(answer.content)
        (entry,) = root.findall(f"{ATOM}entry")
        assert [category.get("term") for category in entry.findall(f"{ATOM}category")] == [kind]
        assert name in (entry.findtext(f"{ATOM}title") or "")
        (summary,) = root.iter(f"{ATOM}summary")
        assert summary.get("type") == "html"
        assert summary.text
        assert "<b>" not in summary.text, "names are escaped in HTML"
        own = [link.get("href") for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"]
        assert own == [f"http://testserver{address}"]


def test_unchanged_feed_is_answered_with_not_modified(client: Client, bot: Bot) -> None:
    activate(factories.submission(bot).pk)
    address = reverse("bot-feed", args=[bot.pk])
    first = client.get(address)
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(address, headers={"If-Modified-Since": first.headers["Last-Modified"]}).status_code == 304
    activate(factories.submission(bot).pk)
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, len(parse_feed(again.content).findall(f"{ATOM}entry"))) == (200, 2)


def test_empty_feed_does_not_change(client: Client, bot: Bot) -> None:
    FeedItem.objects.all().delete()
    address = reverse("bot-feed", args=[bot.pk])
    first, second = client.get(address), client.get(address)
    parse_feed(first.content)
    assert first.headers["ETag"] == second.headers["ETag"]


def test_unknown_subjects_have_no_feed(client: Client) -> None:
    for name, key in (("bot-feed", 99), ("tournament-feed", 99), ("person-feed", "nobody")):
        assert client.get(reverse(name, args=[key])).status_code == 404
