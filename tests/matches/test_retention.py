"""Old matches lose their logs and records as configured; results and ratings are kept."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from arena.accounts.models import Role
from arena.core.number_format import format_size
from arena.core.referee.record import load
from arena.matches import records, retention
from arena.matches.models import Match, MatchHistory, MatchRecord, RetentionPass, Seat, SeatReport, TurnPage
from arena.matches.retention import Retention
from arena.matches.verification import problems_of
from arena.submissions.blobs import FileBlobStore
from arena.submissions.models import Submission, SubmissionStatus
from tests.factories import bot, person, queued_match, submission
from tests.matches.scripted import BLACK, WHITE, answers, play
from tests.note_codes import note_codes

pytestmark = pytest.mark.django_db
MOVE, DELETE, KEEP = Retention(30, move=True), Retention(30, move=False), Retention(None, move=True)


@pytest.fixture
def store(settings: Settings, tmp_path: Path) -> Path:
    settings.SUBMISSIONS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def match(store: Path) -> Match:
    """Return a match that ended forty days ago."""
    made = queued_match()
    assert play(made, answers(BLACK), answers(WHITE))
    Match.objects.filter(pk=made.pk).update(finished_at=timezone.now() - timedelta(days=40))
    return made


def results(match: Match) -> list[object]:
    return list(Seat.objects.filter(match=match).order_by("index").values_list("points", "rank", "seconds", "moves"))


def test_moved_record_is_read_from_the_store(match: Match) -> None:
    before, seats = records.record_of(match.pk), results(match)
    assert retention.reduce_due_matches(MOVE, now=timezone.now()) == 1
    assert not MatchRecord.objects.exists()
    assert not SeatReport.objects.exists()
    assert records.record_of(match.pk) == before
    assert load(records.record_data(match.pk) or b"") == before
    assert results(match) == seats
    assert problems_of(match.pk) == []
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert "reduced" in note_codes(page)
    assert Client().get(reverse("match-record", args=[match.pk])).status_code == 200


def test_deleted_record_is_explained_and_result_kept(match: Match) -> None:
    seats = results(match)
    retention.reduce_due_matches(DELETE, now=timezone.now())
    assert results(match) == seats
    assert records.record_of(match.pk) is None
    assert problems_of(match.pk) == []
    page = Client().get(reverse("match", args=[match.pk]))
    assert page.status_code == 200
    assert "record_deleted" in note_codes(page.content.decode())
    assert Client().get(reverse("match-snapshot", args=[match.pk])).json()["outcome"]
    assert Client().get(reverse("match-record", args=[match.pk])).status_code == 404


def test_record_missing_from_the_store_is_reported(match: Match, store: Path) -> None:
    retention.reduce_due_matches(MOVE, now=timezone.now())
    [file] = [path for path in store.rglob("*") if path.is_file()]
    file.write_bytes(b"damaged")
    assert problems_of(match.pk)[0].code == "match.unreadable"
    file.unlink()
    assert problems_of(match.pk)[0].code == "match.unreadable"


def test_nothing_is_deleted_before_the_record_is_stored(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_disk_full(self: FileBlobStore, name: str, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileBlobStore, "put", raise_disk_full)
    with pytest.raises(Exception, match="No space left"):
        retention.reduce_due_matches(MOVE, now=timezone.now())
    assert MatchRecord.objects.filter(match=match).exists()
    assert records.reduction_of(match.pk) is None


def test_recent_and_exempt_matches_are_kept_complete(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recent matches and those exempted by an app keep all their data; without a retention period, every match does."""
    assert retention.reduce_due_matches(KEEP, now=timezone.now()) == 0
    assert retention.reduce_due_matches(Retention(50, move=True), now=timezone.now()) == 0
    monkeypatch.setattr(retention, "_exempt", [Q(pk=match.pk)])
    assert retention.reduce_due_matches(DELETE, now=timezone.now()) == 0
    assert records.record_of(match.pk)


def test_command_reports_complete_and_due_matches(
    match: Match, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("retention")
    assert "kept permanently" in capsys.readouterr().out
    settings.MATCH_RECORD_DAYS, settings.MATCH_RECORD_MOVE = 30, True
    call_command("retention")
    assert "1 matches are complete" in (out := capsys.readouterr().out)
    assert "1 are due" in out
    call_command("retention", "--reduce")
    assert "1 have their records in the store, 0 have no record; 0 are due" in capsys.readouterr().out


def test_old_checks_lose_output_but_keep_verdict(store: Path) -> None:
    now, owner = timezone.now(), person()
    step = {"name": "syntax", "state": "failed", "message": "", "args": {}, "diagnosis": None}
    row = submission(bot(owner), SubmissionStatus.FAILED)
    values = {"log": b"hello\n" * 100, "record": b"record", "position": {"game": "reversi"}, "steps": [step]}
    Submission.objects.filter(pk=row.pk).update(checked_at=now - timedelta(days=40), **values)
    young = submission(bot(owner))
    Submission.objects.filter(pk=young.pk).update(checked_at=now - timedelta(days=20), log=b"hello")
    assert retention.reduce_due_matches(KEEP, now=now) == 0
    assert retention.reduce_due_matches(MOVE, now=now) == 1
    row.refresh_from_db()
    young.refresh_from_db()
    assert (bytes(row.log), row.record, row.position, row.output_deleted_at is None) == (b"", None, None, False)
    assert (row.status, row.steps, bytes(young.log)) == (SubmissionStatus.FAILED, [step], b"hello")
    [run] = RetentionPass.objects.all()
    assert (run.matches, run.outputs, run.freed) == (0, 1, 606)
    assert retention.reduce_due_matches(MOVE, now=now) == 0
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("submission", args=[row.pk])).content.decode()
    assert "output_deleted" in note_codes(page)
    assert client.get(f"/api/v1/versions/{row.pk}/check").json()["output_deleted_at"]
    assert client.get(f"/api/v1/versions/{young.pk}/check").json()["output_deleted_at"] is None


def test_recomputed_pages_are_deleted_again(match: Match) -> None:
    now = timezone.now()
    retention.reduce_due_matches(MOVE, now=now)
    history = MatchHistory.objects.create(match=match, version="1", turns=1, pages=[0])
    TurnPage.objects.create(history=history, first=0, data=b"turns")
    assert retention.reduce_due_matches(MOVE, now=now) == 0
    assert retention.reduce_due_matches(MOVE, now=now + timedelta(days=40)) == 1
    assert not MatchHistory.objects.exists()


def workers_page(**fields: Any) -> str:
    client = Client()
    client.force_login(person(**fields))
    return client.get("/workers/").content.decode()


@pytest.mark.long
def test_operators_see_reduced_matches_and_freed_space(match: Match, settings: Settings) -> None:
    now = timezone.now()
    stored, log = MatchRecord.objects.get(match=match), b"opening book loaded\n" * 200
    SeatReport.objects.filter(seat__match=match).update(log=log)
    size = len(bytes(stored.data)) + SeatReport.objects.count() * len(log)
    assert note_codes(workers_page(is_staff=True)) == ["kept", "no_pass"]
    retention.reduce_due_matches(MOVE, now=now)
    [run] = RetentionPass.objects.all()
    assert (run.matches, run.freed, run.is_moved, run.before) == (1, size, True, now - timedelta(days=30))
    retention.reduce_due_matches(MOVE, now=now + timedelta(hours=1))
    assert RetentionPass.objects.count() == 1, "a run that finds nothing leaves no line"
    settings.MATCH_RECORD_DAYS, settings.MATCH_RECORD_MOVE = 30, True
    page = workers_page(is_staff=True)
    assert note_codes(page) == ["moved"]
    figures = re.findall(r'data-part="(\w+)">([^<]*)</dd>', page)
    freed = format_size(size)
    assert [(name, " ".join(shown.split())) for name, shown in figures] == [
        ("moved", "1"),
        ("deleted", "0"),
        ("outputs", "0"),
        ("freed", freed),
    ]
    assert note_codes(workers_page(role=Role.ORGANIZER)) == []


def test_interrupted_run_counts_completed_work(match: Match, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = queued_match()
    assert play(other, answers(BLACK), answers(WHITE))
    Match.objects.filter(pk=other.pk).update(finished_at=timezone.now() - timedelta(days=35))
    monkeypatch.setattr(retention, "CHUNK", 1)
    put = FileBlobStore.put

    def raise_disk_full(self: FileBlobStore, name: str, data: bytes) -> None:
        if any(path.is_file() for path in store.rglob("*")):
            raise OSError(28, "No space left on device")
        put(self, name, data)

    monkeypatch.setattr(FileBlobStore, "put", raise_disk_full)
    with pytest.raises(Exception, match="No space left"):
        retention.reduce_due_matches(MOVE, now=timezone.now())
    assert [run.matches for run in RetentionPass.objects.all()] == [1]
    assert records.reduction_of(other.pk) is None
