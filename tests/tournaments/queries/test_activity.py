"""Announcements reach all participants; the activity log is paginated, can be filtered, and names who acted."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.notifications.models import Kind, Notification
from tests import factories
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of, operations_page


def test_announcement_reaches_participants(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    url = reverse("tournament-announce", args=[cup.pk])
    client = client_of(stage.organizer)
    assert client.post(url, {"announcement-title": "Pizza"}).status_code == 422
    client.post(url, {"announcement-title": "Pizza", "announcement-text": "At eight.\n<b>Free</b>"})
    notified = Notification.objects.filter(kind=Kind.ANNOUNCEMENT)
    assert {each.recipient for each in notified} == {entry.bot.owner for entry in cup.entries.all()}
    assert {each.context["title"] for each in notified} == {"Cup: Pizza"}
    page = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "Pizza" in page
    assert "&lt;b&gt;Free&lt;/b&gt;" in page


@pytest.mark.long
def test_activity_log_is_paginated_and_filtered_and_names_actors(stage: TournamentHarness) -> None:
    from arena.tournaments.entries import registration
    from arena.tournaments.services import controls

    cup = stage.create_tournament(entry_policy="invited")
    zoe = factories.person("zoe")
    stage.run_committed(registration.invite, cup.pk, ["zoe"], actor=stage.organizer)
    bots = [stage.create_bot(cup, zoe)]
    stage.enter_bots(cup, bots)
    stage.run_committed(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    client = client_of(stage.organizer)
    lines = client.get(operations_page(cup)).context["lines"]
    assert [(line.kind, line.actor) for line in lines] == [
        ("cancelled", stage.organizer.username),
        ("entered", "zoe"),
        ("invited", stage.organizer.username),
        ("created", stage.organizer.username),
    ]
    assert [line.kind for line in client.get(operations_page(cup), {"f-actor": "zoe"}).context["lines"]] == ["entered"]
    assert [line.kind for line in client.get(operations_page(cup), {"f-kind": "invited"}).context["lines"]] == [
        "invited"
    ]
    public = Client().get(reverse("tournament", args=[cup.pk])).context["activities"]
    assert [line.kind for line in public] == ["cancelled", "entered", "created"]
