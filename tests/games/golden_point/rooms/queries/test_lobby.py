"""The lobby: which rooms it lists, for whom, and with which filters."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.models import Room
from arena.games.golden_point.rooms.queries import lobby
from arena.games.golden_point.rooms.queries.lobby import RoomFilter
from arena.games.golden_point.rooms.queries.rooms import room_rows
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.games.golden_point.rooms.texts import NICKNAMES
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return factories.person("teacher")


@pytest.fixture
def rooms(owner: User) -> dict[str, int]:
    now = timezone.now()
    services.ensure_permanent_rooms(now)
    found = {
        "class": NewRoom(RoomTerms(), owner=owner.pk, name="Our class"),
        "two": NewRoom(RoomTerms(numbers=2), name="Two numbers"),
        "waiting": NewRoom(RoomTerms(), started_by_hand=True),
        "finished": NewRoom(RoomTerms(), name="Long ago"),
    }
    numbers = {name: services.create_room(room, now) for name, room in found.items()}
    Room.objects.filter(number=numbers["finished"]).update(state="finished")
    return numbers


def listed_rooms(client: Client, query: str = "") -> list[int]:
    page = client.get(f"/rooms/?{query}")
    assert page.status_code == 200
    link = r'<th scope="row"><a class="nowrap" href="/rooms/(\d+)/">'
    return [int(number) for number in re.findall(link, page.content.decode())]


def test_permanent_rooms_are_listed_before_other_open_rooms(client: Client, rooms: dict[str, int]) -> None:
    assert listed_rooms(client) == [0, 1, rooms["waiting"], rooms["two"], rooms["class"]]


@pytest.mark.long
def test_rooms_are_filtered_by_state_numbers_name_id_and_person(client: Client, rooms: dict[str, int]) -> None:
    assert listed_rooms(client, "state=waiting") == [rooms["waiting"]]
    assert listed_rooms(client, "state=finished") == [rooms["finished"]]
    assert listed_rooms(client, "numbers=2") == [1, rooms["two"]]
    assert listed_rooms(client, "text=our+CLASS") == [rooms["class"]]
    assert listed_rooms(client, "text=TEACH") == [rooms["class"]]
    assert listed_rooms(client, f"text=%23{rooms['waiting']}") == [rooms["waiting"]]
    assert listed_rooms(client, "state=nonsense&numbers=7") == listed_rooms(client)
    page = client.get("/rooms/?text=nowhere").content.decode()
    assert 'data-empty="no_match"' in page


@pytest.mark.long
def test_filter_mine_finds_own_rooms_and_rooms_with_own_bots(
    client: Client, rooms: dict[str, int], owner: User
) -> None:
    assert listed_rooms(client, "mine=on") == listed_rooms(client)
    assert 'name="mine"' not in client.get("/rooms/").content.decode(), "a visitor has none"
    client.force_login(owner)
    assert 'name="mine"' in client.get("/rooms/").content.decode()
    assert listed_rooms(client, "mine=on") == [rooms["class"]]
    student = factories.person()
    client.force_login(student)
    assert listed_rooms(client, "mine=on") == []
    for _ in range(2):
        seating.seat_bot(0, factories.bot(student, seating.GAME).pk, student, now=timezone.now())
    assert listed_rooms(client, "mine=on") == [0]
    (line,) = room_rows(lobby.filter_rooms(RoomFilter(mine=True), student.pk))
    assert line.players == len(NICKNAMES)


@pytest.mark.long
def test_lobby_is_paged(client: Client) -> None:
    now = timezone.now()
    numbers = [services.create_room(NewRoom(RoomTerms()), now) for _ in range(31)]
    assert listed_rooms(client) == numbers[:0:-1]
    assert listed_rooms(client, "page=2") == numbers[:1]


def test_home_page_lists_the_busiest_open_rooms_first(client: Client, rooms: dict[str, int]) -> None:
    Room.objects.filter(number=rooms["two"]).update(played_at=timezone.now())
    page = client.get("/").content.decode()
    shown = re.findall(r'class="match-card__link" href="/rooms/(\d+)/"', page)
    assert [int(number) for number in shown] == [rooms["two"], 0, 1]
