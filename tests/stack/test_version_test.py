"""Version tests on a database with concurrent writers: simultaneous results are counted once and in order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack.servers import running_servers

pytestmark = pytest.mark.stack

ROOT = Path(__file__).resolve().parents[2]

# Eight workers store results at the same moment while two schedulers tick, until the test is over.
WORKERS = """
import random, threading
from concurrent.futures import ThreadPoolExecutor
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from arena.matches.models import MatchStatus
from arena.notifications.models import Notification
from arena.ratings import spare_capacity
from arena.version_tests import services
from arena.version_tests.counting import recompute
from arena.version_tests.models import PairStatus
from tests.ratings.ladders import IDLE
from tests.platform.workers.workers import NOW
from tests.version_tests.version_tests import begin_test, finish_match, matches_of, two_versions

call_command("migrate", verbosity=0)
spare_capacity.measure_spare_capacity = lambda now: IDLE
test, rng = begin_test(two_versions()), random.Random(5)
together = threading.Barrier(10)

def work(match):
    try:
        together.wait()
        if match is None:
            services.tick(IDLE, now=NOW)
        else:
            finish_match(test, match, points[match.pk])
    finally:
        connection.close()

services.tick(IDLE, now=NOW)
with ThreadPoolExecutor(10) as threads:
    while test.status in ("waiting", "running"):
        queued = [match for match in matches_of(test) if match.status == MatchStatus.QUEUED][:8]
        points = {match.pk: float(rng.random() < 0.7) for match in queued}
        list(threads.map(work, [*queued, *[None] * (10 - len(queued))]))
        services.advance(test.pk, may_plan=True, now=NOW)
        test.refresh_from_db()

pairs = list(test.pairs.order_by("number"))
counted = [pair for pair in pairs if pair.status == PairStatus.COUNTED]
assert recompute(test) == (test.evidence, test.verdict), (recompute(test), test.evidence, test.verdict)
assert [pair.number for pair in pairs] == list(range(1, len(pairs) + 1)), "planned twice, or not at all"
assert [pair.number for pair in counted] == list(range(1, test.folded + 1))
assert sum(test.evidence["counts"]) == test.folded > 10
assert all(pair.matches.count() == 2 for pair in pairs)
assert not [match for match in matches_of(test) if match.status == MatchStatus.QUEUED], "left over"
assert Notification.objects.filter(recipient=test.author).count() == 1
print(test.status, test.verdict)
"""


def test_concurrent_results_are_counted_once_and_in_order(tmp_path: Path) -> None:
    """Results that workers store simultaneously are counted once and in order.

    This needs PostgreSQL, on which transactions wait for the version test's row lock; SQLite allows only one writing
    transaction at a time.
    """
    with running_servers() as (server, _):
        environment = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "arena.settings",
            "DATABASE_URL": server.url,
            "ARENA_VAR": str(tmp_path),
        }
        done = subprocess.run(
            [sys.executable, "-c", WORKERS], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    assert done.stdout.split() == ["finished", "better"], done.stderr[-4000:]
