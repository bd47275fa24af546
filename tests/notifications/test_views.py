from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.accounts.models import User
from arena.notifications import services
from arena.notifications.kinds import registered_kinds
from arena.notifications.models import Channel, Kind, Notification, NotificationOptOut
from arena.notifications.services import notify
from tests.factories import bot, person, submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(client: Client) -> User:
    made = person("ann")
    client.force_login(made)
    return made


def notify_person(who: User, event: str, kind: Kind = Kind.ANNOUNCEMENT) -> Notification:
    made = submission(bot(who)).pk if kind == Kind.CHECK_FAILED else 0
    context = {"title": f"News: {event}", "text": "<b>bold</b>", "bot": "Deep", "version": 3, "submission": made}
    notify(kind, [who.pk], context, event=event)
    return Notification.objects.get(recipient=who, event=event)


@pytest.mark.long
def test_bell_counts_unread_notifications(client: Client, ann: User) -> None:
    home = reverse("bot-guide")
    assert 'aria-label="Notifications"' in client.get(home).content.decode()
    notify_person(ann, "one")
    notify_person(ann, "two")
    assert 'aria-label="Notifications: 2 unread"' in client.get(home).content.decode()
    services.mark_all_read(ann, now=timezone.now())
    assert 'aria-label="Notifications"' in client.get(home).content.decode()
    assert "Notifications" not in Client().get(home).content.decode()


def test_bell_costs_one_query(client: Client, ann: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    notify_person(ann, "one")
    with django_assert_num_queries(3):  # queries: session, person, bell
        client.get(reverse("bot-guide"))


@pytest.mark.long
def test_notification_list_is_escaped_paged_and_filtered(client: Client, ann: User) -> None:
    url = reverse("notification-list")
    assert "Nothing yet" in client.get(url).content.decode()
    for number in range(25):
        notify_person(ann, f"{number:02}")
    notify_person(person("ben"), "of somebody else")
    page = client.get(url).content.decode()
    assert "News: 24" in page
    assert "News: 00" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "of somebody else" not in page
    assert "News: 00" in client.get(url, {"page": 2}).content.decode()
    assert 'data-empty="no_match"' in client.get(url, {"kind": "result"}).content.decode()
    assert "News: 24" in client.get(url, {"kind": "nonsense"}).content.decode()
    services.mark_all_read(ann, now=timezone.now())
    assert 'data-empty="no_match"' in client.get(url, {"unread": "on"}).content.decode()


def test_opening_a_notification_marks_it_read_and_redirects(client: Client, ann: User) -> None:
    failed = notify_person(ann, "check", Kind.CHECK_FAILED)
    url = reverse("notification-open", args=[failed.pk])
    assert client.get(url).status_code == 405, "a link alone changes nothing"
    response = client.post(url)
    assert response.headers["Location"] == reverse("studio-submission", args=[failed.context["submission"]])
    failed.refresh_from_db()
    assert failed.read_at is not None
    of_ben = notify_person(person(), "of somebody else")
    assert client.post(reverse("notification-open", args=[of_ben.pk])).status_code == 404


def test_one_button_marks_all_as_read(client: Client, ann: User) -> None:
    notify_person(ann, "one")
    url = reverse("notification-read-all")
    assert url in client.get(reverse("notification-list")).content.decode()
    page = client.post(url, follow=True).content.decode()
    assert url not in page


@pytest.mark.parametrize("name", ["notification-list", "notification-read-all", "notification-settings"])
def test_notification_pages_require_signing_in(name: str) -> None:
    client, url = Client(), reverse(name)
    response = client.get(url) if name == "notification-list" else client.post(url)
    assert response.headers["Location"].startswith(reverse("login"))


def test_settings_turn_kinds_off_and_on(client: Client, ann: User) -> None:
    page = client.get(reverse("settings")).content.decode()
    assert page.count('type="checkbox"') == page.count("checked") == len(registered_kinds()) * len(Channel)
    wanted = {"notifications-language": "zh-hans", "notifications-result_site": "on"}
    client.post(reverse("notification-settings"), wanted)
    assert NotificationOptOut.objects.filter(person=ann).count() == len(registered_kinds()) * len(Channel) - 1
    ann.refresh_from_db()
    assert ann.language == "zh-hans"
    page = client.get(reverse("settings")).content.decode()
    assert page.count("checked") == 1
    everything = {f"notifications-{kind.code}_{channel}": "on" for kind in registered_kinds() for channel in Channel}
    client.post(reverse("notification-settings"), {**everything, "notifications-language": "en"})
    assert not NotificationOptOut.objects.exists()


def test_unsupported_language_changes_nothing(client: Client, ann: User) -> None:
    client.post(reverse("notification-settings"), {"notifications-language": "xx"})
    assert not NotificationOptOut.objects.exists()


def test_mails_use_the_language_chosen_on_the_site(client: Client, ann: User) -> None:
    client.post(reverse("set_language"), {"language": "zh-hans", "next": "/"})
    ann.refresh_from_db()
    assert ann.language == "zh-hans"
    client.post(reverse("set_language"), {"language": "klingon"})
    ann.refresh_from_db()
    assert ann.language == "zh-hans"
    assert Client().post(reverse("set_language"), {"language": "en"}).status_code in (204, 302)


def test_signing_up_in_chinese_sets_the_mail_language() -> None:
    fields = {"username": "ben", "email": "ben@example.org", "password1": "correct horse 17"}
    answer = {**fields, "password2": "correct horse 17"}
    Client().post(reverse("signup"), answer, headers={"accept-language": "zh-hans"})
    assert User.objects.get().language == "zh-hans"
