"""Measure how long a closed round takes to reach all viewers of its room, and how long a bare broadcast takes.

The web process of a separate site closes a room's rounds by timer, as in normal operation: it scores the numbers of a
hundred players, stores the gains, opens the next round and sends the event. After each round, the same event is sent to
an equal number of viewers of a bare broadcast. Both audiences remain connected. Time is measured from the deadline at
which the round has to close.
"""

from __future__ import annotations

import json
import os
import re
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import fanout, site, viewers
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from tests.broker import running_broker

VIEWERS, PLAYERS, ROUNDS, SECONDS = 1000, 100, 12, 3
SETTLED = 0.6  # seconds until all viewers have received an event
TIMEOUT = 15.0  # seconds, enough for a machine that is busy with other work
GOAL = Goal(20, GoalQuantity.P95_RATIO)  # about 500 ms
_SENT = re.compile(rb'"at":([0-9.]+)')
_WALL = time.time() - time.monotonic()


def closing_latency(frame: bytes, now: float) -> float | None:
    """Return the seconds since the round was closed or the bare event was sent; return None for other frames."""
    if not frame.startswith(b'{"seq"') or b'"type":"closed"' not in frame[:80]:
        return None
    sent = _SENT.search(frame, 0, 120)
    assert sent
    return now + _WALL - float(sent[1]) / 1000


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    many = _possible_sizes()
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        game = _Room()
        with (
            site.running_web(folder, broker.url) as port,
            fanout.running_server(fanout.serve_bare, broker.url) as (_, bare_port),
        ):
            seconds = (ROUNDS + 2) * SECONDS + 30.0
            path = f"/ws/rooms/{game.room}?after=0"
            rooms = viewers.ViewersTask(path, port, many, ROUNDS, seconds, closing_latency)
            bare = viewers.ViewersTask("/", bare_port, many, ROUNDS, seconds, closing_latency)
            with viewers.connected_viewers(rooms) as seen, viewers.connected_viewers(bare) as seen_bare:
                late = [game.play_round() for _ in range(ROUNDS)]
                return _build_section(many, seen.get(), seen_bare.get(), late)


def _possible_sizes() -> int:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return VIEWERS if hard == resource.RLIM_INFINITY else min(VIEWERS, hard - 100)


def _build_section(
    many: int, seen: viewers.ViewersReport, seen_bare: viewers.ViewersReport, late: Sequence[float]
) -> Section:
    floor = Comparison("floor: a bare broadcast of the same event", Sample(tuple(seen_bare.latencies)))
    # All viewers of a round also wait until it closes, so the longest delay in closing is added to their waiting time.
    whole = Sample(tuple(value + max(late) for value in seen.latencies))
    return Section(
        f"a room of {PLAYERS} players, {SECONDS} s per round",
        (
            Row(
                f"from the deadline to the page of {many:,} spectators",
                whole,
                (floor,),
                GOAL,
                failure=seen.failure,
            ),
            Row("  from the end of the round to the page", Sample(tuple(seen.latencies)), (floor,)),
            Row("  from the deadline to the end of the round", Sample(tuple(late))),
        ),
        ("the first row adds the longest delay of any round to every latency",),
    )


class _Room:
    """A room with players that submit as soon as a round opens."""

    def __init__(self) -> None:
        from django.utils import timezone

        from arena.games.golden_point.rooms import services
        from arena.games.golden_point.rooms.rules import RoomTerms

        self.room = services.create_room(services.NewRoom(RoomTerms(numbers=2, seconds=SECONDS)), timezone.now())
        caller = services.RoomCaller("", timezone.now())
        self._uids = [str(services.create_player(f"Player {number}", caller).uid) for number in range(PLAYERS)]

    def play_round(self) -> float:
        """Play the open round, and also broadcast its closing event to the viewers of the baseline server.

        Return how many seconds late the round closed.
        """
        while (submitted := self._submit()) is None:
            time.sleep(0.2)  # the round was over before all players had submitted
        after, ends_at = submitted
        closed = self._wait_for_closing_event(after, ends_at)
        time.sleep(SETTLED)
        _send_bare_event(closed)
        return float(closed["at"]) / 1000 - ends_at

    def _submit(self) -> tuple[int, float] | None:
        """Submit all players' picks; return the number of the last event before the picks, and the round's end time.

        Return None if a submission was refused.
        """
        from django.utils import timezone

        from arena.games.golden_point.rooms.live.snapshots import snapshot
        from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all

        shown = snapshot(self.room, timezone.now())
        assert shown
        rid, ends_at = shown["room"]["round_id"], shown["room"]["ends_at"] / 1000
        numbers = [10 + place / 7 for place in range(PLAYERS)]
        submissions = [
            SentPick(uid, rid, str(number), str(number / 2)) for uid, number in zip(self._uids, numbers, strict=True)
        ]
        refused = any(receipt.refusal for receipt in submit_all(submissions, timezone.now))
        return None if refused else (shown["seq"], ends_at)

    def _wait_for_closing_event(self, after: int, ends_at: float) -> dict[str, Any]:
        """Wait until the round that ends at ``ends_at`` has been closed; return its closing event.

        ``after``: the number of the last event before the picks.
        """
        from arena.games.golden_point.rooms.live.broadcast import topic
        from arena.platform.live.stream import read_events

        time.sleep(max(0.0, ends_at - time.time()))
        while time.time() < ends_at + TIMEOUT:
            for event in read_events(topic(self.room), after).list:
                if event["type"] == "closed":
                    return event
            time.sleep(0.1)
        raise RuntimeError("no round closes")


def _send_bare_event(event: dict[str, Any]) -> None:
    from arena.platform.live.store import EventFrame
    from arena.platform.live.stream import current_store

    target = current_store()
    assert target
    number = fanout.next_event_number()
    target.append(
        fanout.BARE,
        EventFrame(number, json.dumps(event | {"seq": number, "at": time.time() * 1000}, separators=(",", ":"))),
    )
