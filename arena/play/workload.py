"""Workload of hints for the workers page. The games themselves are matches."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Q

from arena.celery import Queue
from arena.matches.models import MatchStatus
from arena.platform.workers.work import Backlog, Playing, WorkSource
from arena.play.models import Hint, HintStatus


def playing() -> list[Playing]:
    """None: a hint takes two seconds and no lease, so nobody knows whose it is."""
    return []


def backlog(since: datetime) -> list[Backlog]:
    """One query."""
    waits = ~Q(status=HintStatus.DONE) & Q(duel__match__status=MatchStatus.RUNNING)
    rows = Hint.objects.filter(asked_at__gte=since).values_list("duel__match__game")
    counted = rows.annotate(waiting=Count("pk", filter=waits), done=Count("pk", filter=Q(status=HintStatus.DONE)))
    return [Backlog(Queue.HINTS, game, waiting=waiting, done=done) for game, waiting, done in counted.order_by()]


SOURCE = WorkSource(playing, backlog)
