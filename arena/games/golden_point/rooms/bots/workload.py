"""Workload of rooms for the workers page: which bots sit in them, on which worker."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.games.golden_point.rooms.bots.seating import GAME
from arena.games.golden_point.rooms.models import BotSeat, SeatStatus
from arena.platform.workers.work import Backlog, Playing, WorkSource


def playing() -> list[Playing]:
    rows = BotSeat.objects.filter(status=SeatStatus.PLAYING).order_by("pk")
    return [
        Playing(
            worker=worker,
            what=_("A bot in room %(n)s") % {"n": number},
            url=reverse("room-setup", args=[number]),
            kind=Queue.HOSTED,
            game=GAME,
            since=seated_at,
        )
        for worker, number, seated_at in rows.values_list("worker", "room__number", "seated_at")
    ]


def backlog(since: datetime) -> list[Backlog]:
    """None: a session has no usual length, and rooms are no queue of a game; their own pages say who waits."""
    return []


SOURCE = WorkSource(playing, backlog)
