from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.notifications import queries, services
from arena.notifications.models import Channel, Kind, Mail, Notification
from arena.notifications.services import notify
from tests.factories import person

pytestmark = pytest.mark.django_db

CUP = {"tournament": "Cup", "tournament_id": 1}


def test_repeated_event_notifies_each_recipient_once() -> None:
    ann, ben = person(), person()
    assert notify(Kind.STARTED, [ann.pk], CUP, event="cup/started") == 1
    assert notify(Kind.STARTED, [ann.pk, ben.pk], CUP, event="cup/started") == 1
    assert notify(Kind.STARTED, [ann.pk, ben.pk], CUP, event="cup/started") == 0
    assert Notification.objects.count() == Mail.objects.count() == 2


def test_recipients_get_their_own_context() -> None:
    ann, ben = person(), person()
    own = {ann.pk: {"places": [["Deep", 1]]}, ben.pk: {"places": []}}
    notify(Kind.RESULT, own, {**CUP, "entries": 2}, event="cup/result")
    places = {row.recipient_id: row.context["places"] for row in Notification.objects.all()}
    assert places == {ann.pk: [["Deep", 1]], ben.pk: []}


@pytest.mark.parametrize(
    ("off", "lines", "mails"),
    [((), 1, 1), ((Channel.SITE,), 0, 1), ((Channel.EMAIL,), 1, 0), ((Channel.SITE, Channel.EMAIL), 0, 0)],
)
def test_each_channel_can_be_turned_off(off: tuple[Channel, ...], lines: int, mails: int) -> None:
    ann = person()
    for channel in off:
        services.mute(ann.pk, Kind.STARTED, channel)
    notify(Kind.STARTED, [ann.pk], CUP, event="cup/started")
    assert queries.notifications(ann, queries.NotificationFilter()).count() == queries.unread_count(ann) == lines
    assert Mail.objects.count() == mails
    assert notify(Kind.CHECK_FAILED, [ann.pk], {}, event="check") == 1, "other kinds stay on"


def test_people_without_an_active_account_or_address_get_no_mail() -> None:
    silent, gone = person(), person()
    type(silent).objects.filter(pk=silent.pk).update(email="")
    type(gone).objects.filter(pk=gone.pk).update(is_active=False)
    assert notify(Kind.STARTED, [silent.pk, gone.pk, 10**9], CUP, event="cup/started") == 1
    assert Notification.objects.get().recipient == silent
    assert not Mail.objects.exists()


@pytest.mark.parametrize("people", [1, 40])
def test_query_count_is_independent_of_recipients(
    people: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    recipients = [person().pk for _ in range(people)]
    with django_assert_max_num_queries(8):
        notify(Kind.STARTED, recipients, CUP, event="cup/started")
    assert Mail.objects.count() == people


def test_notifications_are_marked_read_one_by_one_or_all() -> None:
    ann, ben = person(), person()
    for event in ("one", "two", "three"):
        notify(Kind.STARTED, [ann.pk, ben.pk], CUP, event=event)
    first = ann.notifications.earliest("pk")
    assert services.mark_read(ben, first.pk, now=timezone.now()) is None, "somebody else's"
    assert services.mark_read(ann, first.pk, now=timezone.now()) == first
    assert (queries.unread_count(ann), queries.unread_count(ben)) == (2, 3)
    assert services.mark_all_read(ann, now=timezone.now()) == 2
    assert (queries.unread_count(ann), queries.unread_count(ben)) == (0, 3)
