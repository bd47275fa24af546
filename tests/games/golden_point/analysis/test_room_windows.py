"""Rooms show one window of rounds at a time, never more rounds than a page can analyse."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from arena.games.golden_point.analysis.room_windows import RoomWindow, WindowRequest, room_window
from tests.games.golden_point.rooms.program import Clock, Program

pytestmark = pytest.mark.django_db


def create_played_room(rounds: int) -> int:
    """Create a room in which A plays every round and B every other round; return its id.

    In round r, the first number of each player is r.
    """
    program = Program(Clock(timezone.now()))
    room = program.room(duration=3, numbers=2)
    first, second = program.player("A"), program.player("B")
    for number in range(1, rounds + 1):
        program.submit(first, room, number, number + 0.5)
        if number % 2 == 0:
            program.submit(second, room, number, number)
        program.clock.advance(3)
        program.refresh()
    return room


def round_span(window: RoomWindow) -> tuple[int, int]:
    return window.first, window.last


@pytest.mark.long
def test_windows_page_from_newest_rounds_to_oldest_and_back() -> None:
    room = create_played_room(9)
    newest = room_window(room, WindowRequest(rounds=5))
    assert (round_span(newest), newest.newer) == ((5, 9), None)
    older = room_window(room, WindowRequest(rounds=5, before=newest.older))
    assert (round_span(older), older.older) == ((1, 4), None)
    newer = room_window(room, WindowRequest(rounds=5, after=older.newer))
    assert (round_span(newer), newer.newer) == ((5, 9), None)
    assert newer.match == newest.match
    at = newest.match.players.index("B")
    assert [each.numbers[at] is not None for each in newest.match.rounds] == [False, True, False, True, False]


def test_unknown_round_shows_the_newest_window() -> None:
    room = create_played_room(3)
    for wanted in (
        WindowRequest(20, before=uuid4()),
        WindowRequest(20, after=uuid4()),
        WindowRequest(20, after=UUID(int=0)),
    ):
        assert round_span(room_window(room, wanted)) == (1, 3)


@pytest.mark.long
def test_large_room_is_explained_in_smaller_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    room = create_played_room(6)
    monkeypatch.setattr("arena.games.golden_point.analysis.room_windows.MAX_SEAT_ROUNDS", 4)
    newest = room_window(room, WindowRequest(rounds=20))
    assert round_span(newest) == (5, 6)
    assert round_span(room_window(room, WindowRequest(rounds=20, before=newest.older))) == (3, 4)


@pytest.mark.long
def test_page_links_to_older_and_newer_rounds() -> None:
    room, client = create_played_room(21), Client()
    page = client.get(f"/analysis/golden-point/rooms/{room}/?last=20").content.decode()
    assert "Rounds 2 to 21" in page
    (before,) = re.findall(r"last=20&amp;before=[0-9a-f-]{36}", page)
    older = client.get(f"/analysis/golden-point/rooms/{room}/?{before.replace('&amp;', '&')}").content.decode()
    assert "Rounds 1 to 1" in older
    assert "Newer" in older


def test_unplayed_room_shows_an_empty_state() -> None:
    program = Program(Clock(timezone.now()))
    page = Client().get(f"/analysis/golden-point/rooms/{program.room()}/").content.decode()
    assert 'data-empty="none"' in page
