"""A worker computes each large report once and stores the progress; if the worker dies, another one starts over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.games.golden_point.analysis import services
from arena.games.golden_point.analysis.models import ReportStatus, StoredReport
from arena.games.golden_point.analysis.workload import SOURCE
from arena.games.golden_point.evaluation.report import VERSION, create_report, pack, unpack
from arena.games.golden_point.recordings.models import Recording
from arena.platform.jobs.attempt import JobStopped
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, claim
from arena.platform.jobs.stalled import StallDetector
from arena.platform.supervisor.testing import ManualClock
from tests.factories import person
from tests.games.golden_point.analysis.matches import create_finished_match
from tests.games.golden_point.analysis.readers import client_for
from tests.games.golden_point.evaluation.matches import recorded_match
from tests.queues import empty_queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("example")]
NOW = datetime(2026, 5, 6, tzinfo=UTC)


@pytest.fixture
def low_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.games.golden_point.analysis.reports.MAX_SEAT_ROUNDS", 10)


def compute(pk: int, clock: ManualClock | None = None) -> bool:
    return services.compute(pk, worker="a", clock=clock or ManualClock())


@pytest.mark.long
def test_report_survives_packing_and_unpacking() -> None:
    report = create_report(recorded_match())
    assert unpack(pack(report)) == report
    with pytest.raises(ValueError, match="not a report"):
        unpack(b"nothing")


@pytest.mark.usefixtures("low_size_limit")
def test_report_of_large_match_is_computed_once_then_shown() -> None:
    match = create_finished_match()
    client, address = Client(), f"/analysis/golden-point/matches/{match.pk}/"
    for _ in range(2):
        page = client.get(address).content.decode()
        assert 'data-report="pending"' in page
    assert client.get(address + "numbers.tsv").status_code == 404
    row = StoredReport.objects.get()
    assert compute(row.pk)
    assert not compute(row.pk), "nothing is left to do"
    row.refresh_from_db()
    assert (row.status, row.percent) == (ReportStatus.READY, 100)
    assert "Missed points" in client.get(address).content.decode()
    assert client.get(address + "numbers.tsv").status_code == 200


@pytest.mark.usefixtures("low_size_limit")
def test_report_is_withheld_with_its_match() -> None:
    match = create_finished_match()
    client, address = Client(), f"/analysis/golden-point/matches/{match.pk}/"
    client.get(address)
    compute(StoredReport.objects.get().pk)
    match.withheld = True
    match.save()
    assert client.get(address).status_code == 404


def test_repeated_request_wakes_one_worker(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    empty_queue("analysis.golden_point")
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            services.request_report("matches/1", "user:1", now=NOW)
    assert empty_queue("analysis.golden_point") == 1


def test_progress_is_stored_periodically() -> None:
    row = load_report(f"matches/{create_finished_match(seats=4).pk}")
    clock = ManualClock()
    lease = claim(services.JOBS, row.pk, worker="a", now=NOW)
    assert lease is not None
    recorder = services.ProgressRecorder(lease, 4, clock, lambda: False)
    recorder(1)
    assert StoredReport.objects.get().percent == 0
    clock.advance(3)
    recorder(2)
    assert StoredReport.objects.get().percent == 50


def test_computation_stops_when_its_job_is_taken_away() -> None:
    row = load_report(f"matches/{create_finished_match().pk}")
    lease = claim(services.JOBS, row.pk, worker="a", now=NOW)
    assert lease is not None
    with pytest.raises(JobStopped):
        services.ProgressRecorder(lease, 4, ManualClock(), lambda: True)(1)


def test_deleted_recording_leaves_no_report() -> None:
    row = load_report("recordings/nothing")
    assert compute(row.pk)
    assert not StoredReport.objects.exists()


def test_report_of_dead_worker_is_requeued_and_computed() -> None:
    row = load_report(f"matches/{create_finished_match().pk}")
    clock = ManualClock()
    detector = StallDetector(services.JOBS, clock)
    assert claim(services.JOBS, row.pk, worker="a", now=NOW) is not None
    for _ in range(6):
        clock.advance(LEASE.total_seconds() / 4)
        services.sweep(detector, now=NOW)
    assert StoredReport.objects.get().status == ReportStatus.WAITING
    assert compute(row.pk)


@pytest.mark.usefixtures("low_size_limit")
def test_report_fails_after_three_attempts() -> None:
    match = create_finished_match()
    row = load_report(f"matches/{match.pk}", attempts=MAX_ATTEMPTS)
    services.sweep(StallDetector(services.JOBS, ManualClock()), now=NOW)
    row.refresh_from_db()
    assert row.status == ReportStatus.FAILED
    page = Client().get(f"/analysis/golden-point/matches/{match.pk}/").content.decode()
    assert 'data-report="failed"' in page


@pytest.mark.usefixtures("low_size_limit")
@pytest.mark.parametrize(
    ("reader", "may"),
    [("anonymous", False), ("other student", False), ("author", True), ("organizer", False), ("staff", True)],
)
def test_owner_can_retry_a_failed_report(reader: str, may: bool) -> None:
    match = create_finished_match()
    row = load_report(f"matches/{match.pk}", attempts=MAX_ATTEMPTS, status=ReportStatus.FAILED)
    client, address = client_for(match, reader), f"/analysis/golden-point/matches/{match.pk}/"
    assert (f'action="{address}again/"' in client.get(address).content.decode()) is may
    assert client.post(f"{address}again/").status_code == (302 if may or reader == "anonymous" else 403)
    row.refresh_from_db()
    assert (row.status, row.attempts) == ((ReportStatus.WAITING, 0) if may else (ReportStatus.FAILED, MAX_ATTEMPTS))
    assert compute(row.pk) is may


def test_uploader_can_retry_failed_report_of_recording() -> None:
    row = load_report("recordings/example", status=ReportStatus.FAILED)
    owner = person()
    Recording.objects.filter(code="example").update(owner=owner)
    client, address = Client(), "/analysis/golden-point/recordings/example/again/"
    client.force_login(owner)
    for _ in range(2):
        assert client.post(address).status_code == 302
    row.refresh_from_db()
    assert row.status == ReportStatus.WAITING


def test_workers_page_counts_waiting_and_running_reports() -> None:
    rows = [load_report(f"matches/{number}") for number in (1, 2, 3)]
    claim(services.JOBS, rows[0].pk, worker="a", now=NOW)
    assert [each.worker for each in SOURCE.running_jobs()] == ["a"]
    assert [each.waiting for each in SOURCE.backlog(NOW)] == [2]


def test_reports_of_deleted_recordings_are_deleted() -> None:
    for source in ("recordings/example", "recordings/gone", "matches/1"):
        load_report(source)
    services.sweep(StallDetector(services.JOBS, ManualClock()), now=NOW)
    assert set(StoredReport.objects.values_list("source", flat=True)) == {"recordings/example", "matches/1"}


def test_reports_of_older_analysis_versions_are_deleted() -> None:
    load_report("matches/1", version=VERSION + 1)
    services.sweep(StallDetector(services.JOBS, ManualClock()), now=NOW + timedelta(days=1))
    assert not StoredReport.objects.exists()


def load_report(source: str, **columns: object) -> StoredReport:
    return StoredReport.objects.create(source=source, created_at=NOW, **{"version": VERSION, **columns})
