"""A pick counts while its round is open, and a late pick is never moved to the next round."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from arena.games.golden_point.rooms.models import Pick
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.program import Clock, Program, run_on_test_connection

pytestmark = pytest.mark.django_db


def test_late_submission_is_never_moved_to_the_next_round(program: Program, clock: Clock) -> None:
    room, early, late = program.room(duration=3), program.player(), program.player()
    rid = program.round(room)
    clock.advance(2.999)
    assert program.post("/api/Submit", uid=early, rid=rid, n1=5) == (200, {})
    clock.advance(0.001)
    assert program.refusal_message(program.post("/api/Submit", uid=late, rid=rid, n1=5)) == Refusal.OVER
    program.refresh()
    assert program.refusal_message(program.post("/api/Submit", uid=late, rid=rid, n1=5)) == Refusal.OVER
    assert Pick.objects.count() == 1


def test_submission_sent_in_time_counts_while_its_round_is_open(program: Program, clock: Clock) -> None:
    room, uids = program.room(duration=3), [program.player() for _ in range(3)]
    rid, opened = program.round(room), clock()

    def refusal_of(uid: str, seconds: float) -> Refusal | None:
        submission = SentPick(uid, rid, "5", at=opened + timedelta(seconds=seconds))
        return submit_all([submission], clock)[0].refusal

    clock.advance(3.05)  # the server was busy and has not closed the round
    assert refusal_of(uids[0], 2.999) is None
    assert refusal_of(uids[1], 3) is Refusal.OVER
    assert refusal_of(uids[1], 60) is Refusal.OVER, "a clock that was put back"
    program.refresh()
    assert refusal_of(uids[2], 2.9) is Refusal.OVER, "it never slides into the next one"
    assert Pick.objects.count() == 1


def test_pending_submissions_are_stored_before_the_round_closes(clock: Clock) -> None:
    gate = asyncio.Event()
    gate.set()

    async def run_after_gate(job: Any, /) -> Any:
        await gate.wait()
        return await run_on_test_connection(job)

    program = Program(clock, run_after_gate, submit_wait_seconds=60)
    room, players = program.room(duration=3), [program.player() for _ in range(2)]
    rid = program.round(room)

    async def race() -> list[int]:
        gate.clear()
        clock.advance(2.9)
        sending = []
        for uid in players:  # the second pick waits for the first
            sending.append(asyncio.create_task(program.send("POST", "/api/Submit", f"uid={uid}&rid={rid}&n1=5")))
            for _ in range(5):
                await asyncio.sleep(0)
        clock.advance(0.2)
        looking = asyncio.create_task(program.cache.refresh())
        await asyncio.sleep(0)
        gate.set()
        answers = await asyncio.gather(*sending)
        await looking
        return [status for status, _ in answers]

    assert async_to_sync(race)() == [200, 200]
    assert len(program.get_ok("/api/History", roomid=room)["rounds"][0]["userNumbers"]) == 2
