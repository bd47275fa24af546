"""Workload for the workers page: the bots seated in rooms, and their workers."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.games.golden_point.rooms.bots.seating import GAME
from arena.games.golden_point.rooms.models import BotSeat, SeatStatus
from arena.platform.workers.work import Backlog, RunningJob, WorkSource


def running_jobs() -> list[RunningJob]:
    rows = BotSeat.objects.filter(status=SeatStatus.PLAYING).order_by("pk")
    return [
        RunningJob(
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
    """Return an empty list, because sessions have no typical length and rooms have no queue per game.

    The rooms' own pages list waiting bots.
    """
    return []


SOURCE = WorkSource(running_jobs, backlog)
