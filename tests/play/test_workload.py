"""The hint backlog on the workers page counts waiting and recently computed hints."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.celery import Queue
from arena.matches.models import Match, MatchStatus
from arena.platform.workers.work import Backlog
from arena.play import workload
from arena.play.models import Hint, HintStatus
from tests.play.duels import create_duel


@pytest.mark.django_db
def test_backlog_counts_waiting_and_completed_hints() -> None:
    now = timezone.now()
    ended, running = create_duel().pk, create_duel().pk
    Match.objects.filter(pk=running).update(status=MatchStatus.RUNNING)
    Hint.objects.create(duel_id=ended, turn=1, asked_at=now)
    Hint.objects.create(duel_id=running, turn=1, asked_at=now, answer="E6", status=HintStatus.DONE)
    Hint.objects.create(duel_id=running, turn=3, asked_at=now)
    Hint.objects.create(duel_id=running, turn=5, asked_at=now - timedelta(hours=1))
    assert workload.backlog(now - timedelta(minutes=5)) == [Backlog(Queue.HINTS, "reversi", waiting=1, done=1)]
