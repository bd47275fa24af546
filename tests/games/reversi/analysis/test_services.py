"""However many people request an analysis, it is queued once and run by a worker (here with a scripted engine)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from arena.accounts.models import User
from arena.celery import Queue
from arena.games.reversi.analysis import analysis_job, queries, services
from arena.games.reversi.analysis.engine import engine_version
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.analysis.services import JOBS
from arena.games.reversi.analysis.testing import SCRIPTED_FAILURE, ScriptedEngine, exact
from arena.games.reversi.lines import Line
from arena.games.reversi.notation import read_moves
from arena.matches.models import Match
from arena.platform import quota
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, claim
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused
from arena.platform.workers import work
from tests.factories import person, queued_match
from tests.games.reversi.analysis.matches import MOVES, NOW, finished_match
from tests.queues import empty_queue
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db
committing = pytest.mark.django_db(transaction=True)


def wake_count() -> int:
    """Return how many times workers have been woken since the last call."""
    return empty_queue("analysis.reversi")


def request_analysis(who: User | None = None, match: Match | None = None) -> int:
    return services.analyse_match(who or person(), (match or finished_match()).pk, now=NOW)


def run_analysis(analysis_id: int, engine: ScriptedEngine | None = None, **how: object) -> bool:
    return analysis_job.analyse(analysis_id, worker="w", engine=engine or ScriptedEngine(), **how)  # type: ignore[arg-type]


@committing
def test_match_is_analysed_once_for_all_requesters() -> None:
    match = finished_match()
    wake_count()
    first = request_analysis(match=match)
    assert request_analysis(match=match) == first
    assert wake_count() == 1
    row = Analysis.objects.get(pk=first)
    assert (row.moves, row.positions, row.engine) == (MOVES, 10, engine_version())
    engine = ScriptedEngine({7: exact(7, -4, "F3", 64)})
    assert run_analysis(first, engine)
    assert engine.analysed == [read_moves(MOVES)]
    state = queries.analysis_of_match(match.pk)
    assert state is not None
    assert (state.status, state.is_current, len(state.findings)) == (AnalysisStatus.DONE, True, 10)
    assert request_analysis(match=match) == first
    assert not run_analysis(first), "what is done is not done again"
    assert wake_count() == 0


def test_new_engine_version_creates_a_new_analysis(settings: object) -> None:
    match = finished_match()
    first = request_analysis(match=match)
    run_analysis(first)
    settings.ANALYSIS_SECONDS = 7.0  # type: ignore[attr-defined]
    old = queries.analysis_of_match(match.pk)
    assert old is not None
    assert (old.id, old.is_current) == (first, False)
    second = request_analysis(match=match)
    assert second != first
    new = queries.analysis_of_match(match.pk)
    assert new is not None
    assert (new.id, new.status) == (second, AnalysisStatus.WAITING)


def test_line_and_match_with_equal_moves_have_separate_analyses() -> None:
    line = read_moves(MOVES)
    of_match, of_line = request_analysis(), services.analyse_line(person(), line, now=NOW)
    assert of_match != of_line
    assert services.analyse_line(person(), line, now=NOW) == of_line
    assert services.analyse_line(person(), Line(), now=NOW) != of_line
    found = queries.analysis_of_line(line)
    assert found is not None
    assert (found.id, found.ahead) == (of_line, 1)


def test_only_finished_reversi_matches_are_analysed() -> None:
    for match in (queued_match(), queued_match(game="golden_point")):
        with pytest.raises(Refused):
            request_analysis(match=match)


def test_visitors_and_closed_accounts_cannot_request_analyses() -> None:
    assert services.find_requester(AnonymousUser()) is None
    closed = person()
    closed.is_active = False
    with pytest.raises(PermissionDenied):
        services.find_requester(closed)
    student = person()
    assert services.find_requester(student) == student


@pytest.mark.long
def test_requests_are_rate_limited_except_for_staff(settings: object) -> None:
    settings.UNFINISHED_ANALYSES, settings.ANALYSES_AN_HOUR = 2, 3  # type: ignore[attr-defined]
    student = person()
    for _ in range(2):
        make_later = request_analysis(student)
    with expect_refusal("limit") as unfinished:
        request_analysis(student)
    run_analysis(make_later)
    request_analysis(student)
    Analysis.objects.update(status=AnalysisStatus.DONE)
    with expect_refusal("limit") as hourly:
        request_analysis(student)
    assert unfinished.value.retry_after == quota.END_SECONDS < hourly.value.retry_after
    match = finished_match()
    request_analysis(person(), match)
    assert request_analysis(student, match), "what others asked for costs nothing"
    Analysis.objects.update(requested_at=NOW - timedelta(hours=2))
    request_analysis(student)
    staff = person(is_staff=True)
    for _ in range(4):
        request_analysis(staff)


@committing
def test_analysis_fails_after_max_attempts_and_can_be_requested_again() -> None:
    match, student = finished_match(), person()
    analysis = request_analysis(student, match)
    wake_count()
    for _ in range(MAX_ATTEMPTS):
        assert not run_analysis(analysis, ScriptedEngine(fails_after=2))
    row = Analysis.objects.get(pk=analysis)
    assert (row.status, row.failure_text) == (AnalysisStatus.FAILED, f"EngineError: {SCRIPTED_FAILURE}")
    assert not run_analysis(analysis)
    assert request_analysis(student, match) == analysis
    row.refresh_from_db()
    assert (row.status, row.attempts, row.failure, row.findings) == (AnalysisStatus.WAITING, 0, None, [])
    assert wake_count() == 1
    assert run_analysis(analysis)


def test_requested_stop_does_not_use_an_attempt() -> None:
    analysis = request_analysis()
    assert not run_analysis(analysis, stopping=lambda: True)
    row = Analysis.objects.get(pk=analysis)
    assert (row.status, row.attempts, row.worker) == (AnalysisStatus.WAITING, 0, "")


def test_findings_are_stored_incrementally_under_the_fence() -> None:
    analysis = request_analysis()
    seen = []

    class Watching(ScriptedEngine):
        def __call__(self, line, on_finding, stop):  # type: ignore[no-untyped-def]
            def on(finding):  # type: ignore[no-untyped-def]
                on_finding(finding)
                seen.append(len(Analysis.objects.get(pk=analysis).findings))

            super().__call__(line, on, stop)
            Analysis.objects.filter(pk=analysis).update(fence=99)  # a sweep reclaimed it

    ticks = iter(range(1000))
    assert not run_analysis(analysis, Watching(), clock=lambda: next(ticks) * 0.6)
    assert seen == sorted(seen)
    assert 0 < seen[4] < 10
    assert Analysis.objects.get(pk=analysis).status == AnalysisStatus.RUNNING


def test_analysis_of_a_dead_worker_is_requeued() -> None:
    analysis = request_analysis()
    wake_count()
    now = [0.0]
    detector = StallDetector(JOBS, clock=lambda: now[0])
    lease = claim(JOBS, analysis, worker="dead", now=NOW)
    assert lease is not None
    for _ in range(8):
        services.sweep(detector, now=timezone.now())
        now[0] += 5.0
    assert Analysis.objects.get(pk=analysis).status == AnalysisStatus.WAITING
    assert wake_count() == 1
    assert run_analysis(analysis)


def test_analysis_is_listed_in_the_fleet_and_pauses_the_ladder() -> None:
    analysis = request_analysis()
    assert not queries.is_under_way(), "where nobody analyses, the ladder would wait indefinitely"
    line = work.backlog(NOW - timedelta(minutes=5))[Queue.ANALYSIS, "reversi"]
    assert (line.game, line.waiting, line.done) == ("reversi", 1, 0)
    claim(JOBS, analysis, worker="alpha:1:2", now=NOW)
    assert queries.is_under_way()
    (playing,) = [one for one in work.running_jobs() if one.kind == "analysis"]
    assert (playing.worker, playing.url) == ("alpha:1:2", "")
    Analysis.objects.update(status=AnalysisStatus.DONE)
    assert not queries.is_under_way()
