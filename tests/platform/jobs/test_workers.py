import os

import pytest
from django.utils import timezone

from arena.matches.models import MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import claim, leased_row
from arena.platform.jobs.workers import pool_name, release_leases, worker_name
from tests.factories import queued_match

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def test_worker_is_named_after_its_pool() -> None:
    assert worker_name() == f"{pool_name(os.getppid())}{os.getpid()}"


def test_stopped_pool_releases_only_its_own_matches_uncounted() -> None:
    mine, other = queued_match(), queued_match()
    lease = claim(JOBS, mine.pk, worker=f"{pool_name(10)}11", now=NOW)
    assert lease is not None
    assert claim(JOBS, other.pk, worker=f"{pool_name(101)}11", now=NOW) is not None
    assert release_leases(10, [JOBS]) == 1
    mine.refresh_from_db()
    other.refresh_from_db()
    assert (mine.status, mine.attempts, mine.worker) == (MatchStatus.QUEUED, 0, "")
    assert (other.status, other.attempts) == (MatchStatus.RUNNING, 1)
    assert not leased_row(lease).exists(), "what the stopped pool still wants to store is refused"
