"""Throttles allow a burst, then a steady rate; all processes share them, and no IP addresses are stored."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.utils.translation import ngettext_lazy
from pytest_django import DjangoAssertNumQueries, Settings

from arena.accounts.models import ThrottleBucket
from arena.accounts.throttle import Throttle
from arena.platform.quota import HOUR
from arena.platform.refusal import Refused
from tests.migrated import copy_migrated

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
CLICKS = Throttle("clicks", "CLICKS_AN_HOUR", ngettext_lazy("%(n)s click is enough.", "%(n)s clicks are enough.", "n"))


@pytest.fixture(autouse=True)
def _limit_to_four_an_hour(settings: Settings) -> None:
    settings.CLICKS_AN_HOUR = 4


def granted_uses(key: str = "192.0.2.1", *, minutes: float = 0.0, most: int = 20) -> int:
    """Return how many of ``most`` uses in a row are granted to ``key``, ``minutes`` after noon."""
    for count in range(most):
        try:
            CLICKS.count_use(key, now=NOON + timedelta(minutes=minutes))
        except Refused:
            return count
    return most


def test_burst_is_allowed_before_the_steady_rate() -> None:
    assert granted_uses() == 4
    assert granted_uses(minutes=14.9) == 0
    assert granted_uses(minutes=15) == 1
    assert granted_uses(minutes=45) == 2
    assert granted_uses(minutes=200) == 4, "an empty bucket holds no more than the limit"


@pytest.mark.long
@pytest.mark.parametrize("limit", [1, 3, 7, 11, 13, 60, 97, pytest.param(600, marks=pytest.mark.long)])
def test_hourly_limit_is_exact(settings: Settings, limit: int) -> None:
    settings.CLICKS_AN_HOUR = limit
    assert granted_uses(most=limit + 5) == limit
    assert granted_uses(minutes=60, most=limit + 5) == limit


def test_keys_have_separate_limits(settings: Settings) -> None:
    assert granted_uses("192.0.2.1") == 4
    assert granted_uses("192.0.2.2") == 4
    other = Throttle("others", "CLICKS_AN_HOUR", CLICKS.refusal)
    other.count_use("192.0.2.1", now=NOON)


def test_refusal_says_when_to_retry() -> None:
    granted_uses()
    with pytest.raises(Refused, match=r"^4 clicks are enough\. .*\b10\b.*\b12:15 UTC\b") as refused:
        CLICKS.count_use("192.0.2.1", now=NOON + timedelta(minutes=5))
    assert refused.value.retry_after == 600
    assert refused.value.add_retry_after(HttpResponse(status=429))["Retry-After"] == "600"
    CLICKS.count_use("192.0.2.1", now=NOON + timedelta(minutes=15))


def test_released_use_is_available_again() -> None:
    assert granted_uses() == 4
    CLICKS.release("192.0.2.1", now=NOON)
    assert granted_uses() == 1
    for _ in range(9):
        CLICKS.release("192.0.2.1", now=NOON)
    assert granted_uses() == 4, "nobody gets more than the limit by giving back"


def test_limit_of_zero_means_unlimited(settings: Settings) -> None:
    settings.CLICKS_AN_HOUR = 0
    assert granted_uses() == 20
    assert not ThrottleBucket.objects.exists()


def test_clock_set_back_does_not_lock_clients_out() -> None:
    assert granted_uses(minutes=60 * 24) == 4
    assert granted_uses() == 4, "what the wrong clock wrote does not count"


def test_refusal_writes_nothing_to_the_database(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    granted_uses()
    with django_assert_num_queries(2) as queries, pytest.raises(Refused):
        CLICKS.count_use("192.0.2.1", now=NOON)
    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)


def test_rows_hold_digests_and_are_deleted_when_empty() -> None:
    for number in range(5):
        granted_uses(f"192.0.2.{number}", most=1)
    keys = list(ThrottleBucket.objects.values_list("key", flat=True))
    assert len(keys) == 5
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)
    CLICKS.count_use("192.0.2.9", now=NOON + 2 * HOUR)
    assert ThrottleBucket.objects.count() == 1


PROCESS = """
import sys, threading
import django; django.setup()
from django.conf import settings
from django.db import connection
from django.utils import timezone
from arena.accounts.throttle import Throttle
from arena.platform.refusal import Refused
settings.CLICKS_AN_HOUR = 10
clicks, together, done = Throttle("clicks", "CLICKS_AN_HOUR", "%(n)s"), threading.Barrier(4), []

def click():
    together.wait()
    for _ in range(5):
        try:
            clicks.count_use("192.0.2.1", now=timezone.now())
        except Refused:
            continue
        done.append(1)
    connection.close()

threads = [threading.Thread(target=click) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print(len(done))
"""


@pytest.mark.long
def test_processes_share_a_limit(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "ARENA_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "arena.settings",
    }
    copy_migrated(tmp_path)
    command = [sys.executable, "-c", PROCESS]
    running = [subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    assert sum(int(process.communicate(timeout=600)[0]) for process in running) == 10
