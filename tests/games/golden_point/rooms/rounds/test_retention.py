"""Retention deletes the old rounds of the permanent rooms 0 and 1, but keeps the newest ones."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.models import Pick, Player, RoomRound
from arena.games.golden_point.rooms.rounds import retention
from tests.games.golden_point.rooms.program import Clock, Program


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "CHUNK", 2)
    monkeypatch.setattr(retention, "NEWEST", 3)


def play_rounds(program: Program, rounds: int, seconds: int = 60) -> None:
    for _ in range(rounds):
        program.clock.advance(seconds)
        program.refresh()


@pytest.mark.long
def test_old_rounds_of_permanent_rooms_are_deleted(program: Program, clock: Clock) -> None:
    services.ensure_permanent_rooms(clock())
    other = program.room(duration=60)
    program.submit(program.player(), other, 5)
    play_rounds(program, 5)
    clock.now += retention.RETENTION
    play_rounds(program, 2)
    before = [played["roundId"] for played in program.get_ok("/api/History", roomid=0)["rounds"]]
    assert retention.delete_expired(clock()) == 2 * 4  # each room keeps its newest three of seven rounds
    history = program.get_ok("/api/History", roomid=0, count=100)["rounds"]
    assert [played["roundId"] for played in history] == before[:3]
    assert all(played["userNumbers"] for played in history)
    assert program.get_ok("/api/State", roomid=0)["finishedRoundCount"] == 7
    assert len(program.get_ok("/api/History", roomid=other)["rounds"]) == 1
    assert Pick.objects.filter(round__in=RoomRound.objects.all()).count() == Pick.objects.count()
    assert program.get_ok("/api/History", roomid=0, startrid=before[-1])["rounds"] == history
    play_rounds(program, 1)
    assert program.get_ok("/api/State", roomid=0)["finishedRoundCount"] == 8


def test_newest_rounds_are_kept_however_old(program: Program, clock: Clock) -> None:
    services.ensure_permanent_rooms(clock())
    play_rounds(program, 2)
    clock.now += retention.RETENTION + timedelta(days=1)
    assert retention.delete_expired(clock()) == 0


@pytest.mark.long
def test_retention_runs_are_bounded_and_resume_where_they_stopped(
    program: Program, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MAX_CHUNKS", 1)
    services.ensure_permanent_rooms(clock())
    play_rounds(program, 8)
    clock.now += retention.RETENTION
    assert [retention.delete_expired(clock()) for _ in range(4)] == [4, 4, 2, 0]


def test_visitors_without_submissions_are_deleted_but_can_return(program: Program, clock: Clock) -> None:
    visitor, played = program.player("Ada"), program.player("Bob")
    program.submit(played, program.room(), 5)
    Player.objects.update(created_at=clock() - retention.RETENTION - timedelta(days=1))
    young = program.player("Cleo")
    retention.delete_expired(clock())
    names = [program.get_ok("/api/User", uid=uid)["nickName"] for uid in (visitor, played, young)]
    assert names[1:] == ["Bob", "Cleo"]
    assert names[0].startswith("Player ")
    assert program.submit(visitor, program.room(), 5) == (200, {})
