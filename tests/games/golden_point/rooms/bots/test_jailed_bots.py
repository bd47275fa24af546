"""A real bot in a real jail plays in a real room."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.utils import timezone

from arena.core.referee.clock import SystemClock
from arena.core.sandbox.uploads.package import Package
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.bots.hosted_session import JailedPlayerFactory
from arena.games.golden_point.rooms.bots.hosting import Host, HostEnvironment
from arena.games.golden_point.rooms.models import BotSeat, Pick, SeatEnd
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.submissions import jail, store
from tests import factories

pytestmark = [pytest.mark.sandbox, pytest.mark.django_db]

BOT = """
class AIPlayer:
    def __init__(self, seat):
        self.calls = 0

    def get_move(self, state):
        self.calls += 1
        if self.calls == 2:
            print(state.players, state.round, state.golden, state.history, state.seat)
            raise ValueError("enough")
        return 12.5
"""


@pytest.fixture(autouse=True)
def server() -> Iterator[None]:
    yield
    jail.close_fork_server()


def test_jailed_bot_submits_and_its_fault_is_stored() -> None:
    package = Package.from_files({"main.py": BOT.encode()})
    store.store_package(package)
    bot = factories.bot(game=seating.GAME)
    assert bot.active is not None
    bot.active.sha256 = package.sha256
    bot.active.save()
    room = services.create_room(NewRoom(RoomTerms(seconds=60, most_players=1)), timezone.now())
    seat_id = seating.seat_bot(room, bot.pk, bot.owner, now=timezone.now())
    players = JailedPlayerFactory(jail.fork_server())
    host = Host(HostEnvironment("here:1:1", players, SystemClock(), timezone.now, lambda: False, thinking=2))
    deadline = time.monotonic() + 60
    while BotSeat.objects.get(pk=seat_id).ended_by == "" and time.monotonic() < deadline:
        host.run_once()
    seat = BotSeat.objects.get(pk=seat_id)
    assert seat.ended_by == SeatEnd.FAULT
    assert seat.diagnosis["message"].endswith("enough")
    assert seat.diagnosis["line"] == 10
    golden = 0.618 * 12.5
    assert bytes(seat.log).decode().startswith(f"1 2 [{golden}] [[(12.5,)]] 0")
    assert Pick.objects.get().number1 == 12.5
