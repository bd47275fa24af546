from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from arena.accounts.models import User
from arena.games.golden_point.rooms.bots.seating import BOT_REMOVED
from arena.notifications.emails import email_of
from arena.notifications.kinds import kind_label, notification_text, register_kind, registered_kinds
from arena.notifications.models import Channel, Kind, Notification, NotificationOptOut
from arena.notifications.services import notify
from tests.factories import person
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db

CONTEXTS: dict[str, dict[str, Any]] = {
    "version_test": {
        "bot": "Deep",
        "bot_id": 1,
        "number": 1,
        "new": 2,
        "old": 1,
        "status": "finished",
        "verdict": "better",
    },
    Kind.CHECK_FAILED: {"bot": "Deep", "version": 3, "submission": 7},
    BOT_REMOVED.code: {"bot": "Deep", "room": "", "number": 4, "seat": 9},
    Kind.STARTED: {"tournament": "Cup", "tournament_id": 5},
    Kind.RESULT: {"tournament": "Cup", "tournament_id": 5, "entries": 9, "places": [["Deep", 2], ["Gone", None]]},
    Kind.MATCH_VOID: {"tournament": "Cup", "tournament_id": 5},
    Kind.ANNOUNCEMENT: {"title": "Room\r\nchanged", "text": "We meet in B 12.\nBring a pen.", "tournament_id": 5},
    "loss": {
        "match": 3,
        "bot": "Deep",
        "opponent": "Corners",
        "at": 25,
        "verdict": {"message": "It erred at move 26.", "code": "", "parameters": {}},
    },
    "webhook_off": {"webhook": 3, "host": "hook.example"},
    "followed": {
        "items": [
            {"kind": "announced", "tournament": "Cup", "tournament_id": 5, "title": "Room\r\nchanged", "text": "B 12."}
        ],
        "more": 0,
    },
}


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE_URL = "https://arena.example"


def notify_person(kind: str, recipient: User) -> Notification:
    notify(kind, [recipient.pk], CONTEXTS[kind], event="event")
    return Notification.objects.get()


@pytest.mark.parametrize("kind", CONTEXTS)
def test_every_kind_has_an_email(kind: str) -> None:
    ann = person("ann")
    message = email_of(notify_person(kind, ann))
    path = notification_text(kind, CONTEXTS[kind]).path
    assert "\n" not in message.subject
    assert message.to == [ann.email]
    assert message.body.startswith("Hello ann,\n\n")
    assert f"https://arena.example{path}\n" in message.body
    message.message()  # fails if a header is malformed


def test_kinds_come_from_the_site_and_from_games() -> None:
    assert {kind.code for kind in registered_kinds()} == set(CONTEXTS)
    assert set(Kind) < set(CONTEXTS)
    assert kind_label(BOT_REMOVED.code) == str(BOT_REMOVED.label)
    with pytest.raises(RuntimeError, match="bot_dropped_out"):
        register_kind(BOT_REMOVED)


def test_result_email_lists_final_positions() -> None:
    text = notification_text(Kind.RESULT, CONTEXTS[Kind.RESULT])
    assert "Cup" in text.title
    assert re.fullmatch(r"Deep .* 2nd .* 9\. Gone .*", text.body)


def test_announcement_email_contains_the_organizers_text() -> None:
    message = email_of(notify_person(Kind.ANNOUNCEMENT, person()))
    assert message.subject == "Room changed"
    assert "We meet in B 12.\nBring a pen." in message.body


def test_email_is_in_the_recipients_language() -> None:
    ann = person()
    User.objects.filter(pk=ann.pk).update(language="zh-hans")
    message = email_of(notify_person(Kind.STARTED, ann))
    assert re.search(r"[\u4e00-\u9fff]", message.subject)
    assert "Hello" not in message.body


def link_of(notification: Notification) -> str:
    message = email_of(notification)
    found = re.search(r"https://arena\.example(/notifications/off/\S+)", message.body)
    assert found is not None
    assert message.extra_headers["List-Unsubscribe"] == f"<https://arena.example{found[1]}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return found[1]


def test_unsubscribe_link_mutes_the_kind_without_signing_in() -> None:
    ann = person()
    link, client = link_of(notify_person(Kind.STARTED, ann)), Client(enforce_csrf_checks=True)
    page = client.get(link).content.decode()
    assert '<button class="button button--primary">' in page
    assert note_codes(page) == []
    assert not NotificationOptOut.objects.exists(), "whoever scans the links of a mail turns nothing off"
    done = client.post(link, {"List-Unsubscribe": "One-Click"})
    assert note_codes(done.content.decode()) == ["unsubscribed"]
    muted = NotificationOptOut.objects.get()
    assert (muted.person, muted.kind, muted.channel) == (ann, Kind.STARTED, Channel.EMAIL)
    assert client.post(link).status_code == 200, "twice is once"


def test_unsigned_unsubscribe_link_is_ignored() -> None:
    link = link_of(notify_person(Kind.STARTED, person()))
    for wrong in (link[:-2] + "/", "/notifications/off/nonsense/"):
        assert Client().post(wrong).status_code == 404
    assert not NotificationOptOut.objects.exists()


def test_unsubscribe_link_of_a_closed_account_is_harmless() -> None:
    ann = person()
    link = link_of(notify_person(Kind.STARTED, ann))
    ann.delete()
    assert Client().post(link).status_code == 200
    assert not NotificationOptOut.objects.exists()
