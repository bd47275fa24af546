"""An embedded room offers no action, even to its owner; oEmbed finds any room that exists."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.games.golden_point.rooms import owner_services
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rules import RoomTerms
from tests import factories
from tests.games.golden_point.rooms.program import Clock

pytestmark = pytest.mark.django_db


def test_embedded_room_offers_no_action_even_to_its_owner(clock: Clock) -> None:
    owner = factories.person()
    plan = RoomPlan(RoomTerms(seconds=10), name="<Period 3>", started_by_hand=True)
    number = owner_services.create(owner, plan, now=clock())
    client = Client()
    client.force_login(owner)
    answer = client.get(reverse("embed-room", args=[number]))
    page = answer.content.decode()
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert "&lt;Period 3&gt;" in page
    assert "<form" not in page
    assert client.get(reverse("room", args=[number]))["X-Frame-Options"] == "DENY"


def test_oembed_finds_a_room(clock: Clock) -> None:
    number = owner_services.create(factories.person(), RoomPlan(RoomTerms(seconds=10), name="Period 3"), now=clock())
    site = "http://testserver"
    found = Client().get(reverse("oembed"), {"url": f"{site}{reverse('room', args=[number])}"}).json()
    assert found["title"] == "Period 3"
    assert f'src="{site}{reverse("embed-room", args=[number])}"' in found["html"]


def test_unknown_rooms_cannot_be_embedded() -> None:
    assert Client().get(reverse("embed-room", args=[987])).status_code == 404
    query = {"url": f"http://testserver{reverse('room', args=[987])}"}
    assert Client().get(reverse("oembed"), query).status_code == 404
