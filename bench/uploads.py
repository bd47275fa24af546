"""Measure the time from an upload to the result of its check, on an idle site and while slow scrimmages wait."""

from __future__ import annotations

import os
import time
from pathlib import Path

from bench import fixtures, games, site
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from tests.broker import running_broker

SCRIMMAGES = 50
CHECKS, WARM_UP = 12, 2
TIMEOUT = 30.0
# Nearly all of the default ten seconds per move in a scrimmage.
_SLEEP_SECONDS = 9.5


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        with (
            site.running_worker(folder, broker.url, "worker-checks"),
            site.running_worker(folder, broker.url, "worker-scrimmages"),
        ):
            idle = _measure_checks()
            waiting = _request_scrimmages()
            busy = _measure_checks()
            left = _count_unfinished(waiting)
    failure = "" if left == SCRIMMAGES else f"only {left} of {SCRIMMAGES} scrimmages were left at the end"
    comparisons = (Comparison("an idle site", idle),)
    what = f"check of an upload while {SCRIMMAGES} slow scrimmages wait"
    return Section("uploads", (Row(what, busy, comparisons, Goal(2.0, GoalQuantity.RATIO), failure=failure),))


def _measure_checks() -> Sample:
    """Upload bots one after another; return the seconds from each upload to the result of its check."""
    return Sample(tuple([_measure_check() for _ in range(WARM_UP + CHECKS)][WARM_UP:]))


def _measure_check() -> float:
    from django.utils import timezone

    from arena.core.sandbox.uploads.package import read_package
    from arena.submissions import services
    from arena.submissions.models import Submission, SubmissionStatus
    from arena.submissions.services import BotDraft, Upload
    from tests import factories

    source = f"# {time.monotonic_ns()}\n{games.pair_workload().bot()}".encode()
    upload = Upload(read_package(source, "main.py"), "main.py", len(source))
    began = time.perf_counter()
    made = services.create_bot(
        factories.person(), BotDraft(games.pair_workload().game, "bot"), upload, now=timezone.now()
    )
    while True:
        status = Submission.objects.values_list("status", flat=True).get(pk=made.pk)
        seconds = time.perf_counter() - began
        if status in (SubmissionStatus.PASSED, SubmissionStatus.FAILED):
            return seconds
        if seconds > TIMEOUT:
            raise TimeoutError(f"no result: {status}")
        time.sleep(0.003)


def _request_scrimmages() -> list[int]:
    """Request enough scrimmages to occupy the scrimmage worker's processes and fill its queue; return their ids.

    They are requested by two students, because one person cannot occupy every process.
    """
    from arena.matches.models import Match, MatchStatus, Purpose
    from arena.matches.services import MatchRequest, create_matches
    from tests import factories

    pair = games.pair_workload()
    seats = site.seat_bots(fixtures.with_delay(pair.bot(), _SLEEP_SECONDS))
    students = [factories.person().pk for _ in range(2)]  # one person cannot occupy every process
    requests = [
        MatchRequest(pair.game, dict(pair.settings), {}, 1, Purpose.SCRIMMAGE, seats, requested_by=one)
        for one in students
    ]
    made = create_matches(requests * (SCRIMMAGES // len(requests)))
    deadline = time.monotonic() + TIMEOUT
    while Match.objects.filter(pk__in=made, status=MatchStatus.RUNNING).count() < 2:
        if time.monotonic() > deadline:
            raise TimeoutError("the worker plays no scrimmages")
        time.sleep(0.05)
    return made


def _count_unfinished(matches: list[int]) -> int:
    from arena.matches.models import Match, MatchStatus

    return Match.objects.filter(pk__in=matches, status__in=(MatchStatus.QUEUED, MatchStatus.RUNNING)).count()
