from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from arena.core.messages import verbatim_message
from arena.platform.quota import END_SECONDS
from arena.platform.refusal import LIMIT, Refused
from arena.submissions import services, store
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.submissions.services import BotDraft
from tests.factories import bot, person, submission
from tests.refusals import expect_refusal
from tests.submissions.uploads import upload, upload_bot

pytestmark = pytest.mark.django_db

FULL = verbatim_message("the disk is full")


def submit(to: Bot, source: str) -> Submission:
    return services.submit(to.pk, upload(source), now=timezone.now())


def test_submissions_are_numbered_and_kept() -> None:
    first = upload_bot(person())
    second = submit(first.bot, "x = 2\n")
    assert (first.number, second.number) == (1, 2)
    assert [file.data for file in store.load_package(second.sha256).files] == [b"x = 2\n"]
    with pytest.raises(IntegrityError):
        Submission.objects.create(bot=first.bot, number=2, sha256="", filename="", size=0)


def test_check_is_queued_only_after_the_upload_commits(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        made = upload_bot(person())
    assert len(callbacks) == 1
    made.refresh_from_db()
    assert made.status == SubmissionStatus.WAITING
    assert made.woken_at is not None


def test_bot_name_is_unique_per_owner_and_game() -> None:
    owner = person()
    upload_bot(owner, "Deep")
    upload_bot(owner, "Deep", game="golden_point")
    upload_bot(person(), "Deep")
    with expect_refusal("name_taken"):
        upload_bot(owner, "DEEP")
    other = upload_bot(owner, "Other")
    with pytest.raises(Refused):
        services.update_bot(other.bot_id, "deep", "")
    services.update_bot(other.bot_id, "Deeper", "thinks")
    assert Bot.objects.get(pk=other.bot_id).name == "Deeper"


def test_identical_files_create_no_new_version() -> None:
    first = upload_bot(person(), source="x = 1\n")
    submit(first.bot, "x = 2\n")
    with expect_refusal(services.SAME_CONTENT) as refused:
        submit(first.bot, "x = 1\n")
    assert refused.value.facts == {"submission": first.pk, "number": 1}
    upload_bot(person(), source="x = 1\n")


def test_retired_bot_accepts_no_uploads_until_restored() -> None:
    first = upload_bot(person())
    services.retire(first.bot_id)
    with expect_refusal("retired"):
        submit(first.bot, "x = 2\n")
    services.retire(first.bot_id, retired=False)
    submit(first.bot, "x = 2\n")


def test_only_passed_submissions_can_be_activated() -> None:
    made = bot()
    failed = submission(made, SubmissionStatus.FAILED)
    with expect_refusal("not_passed"):
        services.activate(failed.pk)
    newer = submission(made)
    services.activate(newer.pk)
    made.refresh_from_db()
    assert made.active_id == newer.pk
    services.activate(Submission.objects.get(bot=made, number=1).pk)
    made.refresh_from_db()
    assert made.active is not None
    assert made.active.number == 1


def test_hourly_uploads_are_limited(settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR, settings.UNFINISHED_CHECKS = 2, 100
    owner = person()
    first = upload_bot(owner)
    submit(first.bot, "x = 2\n")
    with expect_refusal(LIMIT):
        submit(first.bot, "x = 3\n")
    with pytest.raises(Refused):
        upload_bot(owner, "Another")
    upload_bot(person(), "Somebody else's")
    services.submit(first.bot_id, upload("x = 3\n"), now=timezone.now() + timedelta(hours=1, seconds=1))


def test_unfinished_checks_per_person_are_limited(settings: Settings) -> None:
    settings.UNFINISHED_CHECKS = 2
    first = upload_bot(person())
    second = submit(first.bot, "x = 2\n")
    with expect_refusal(LIMIT) as refused:
        submit(first.bot, "x = 3\n")
    assert refused.value.retry_after == END_SECONDS
    Submission.objects.filter(pk=second.pk).update(status=SubmissionStatus.FAILED)
    submit(first.bot, "x = 3\n")
    with pytest.raises(Refused):
        services.check_again(second.pk)


@pytest.mark.parametrize("status", SubmissionStatus)
def test_only_void_and_failed_checks_can_be_rerun(status: SubmissionStatus) -> None:
    made = submission(bot(playable=False), status)
    Submission.objects.filter(pk=made.pk).update(attempts=3, failure=FULL.to_json("message"))
    again = services.check_again(made.pk)
    made.refresh_from_db()
    assert again is (status in {SubmissionStatus.VOID, SubmissionStatus.FAILED})
    assert (made.attempts, made.failure_text) == ((0, "") if again else (3, FULL.text))


def test_failed_first_upload_leaves_no_bot_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_os_error(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(store, "store_package", raise_os_error)
    with pytest.raises(OSError, match="no space"):
        services.create_bot(person(), BotDraft("reversi", "Deep"), upload(), now=timezone.now())
    assert not Bot.objects.exists()


def test_full_disk_refuses_an_upload_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_disk_full(package: object) -> None:
        raise store.DiskFull("[Errno 28] No space left on device")

    to = bot()
    monkeypatch.setattr(store, "store_package", raise_disk_full)
    with expect_refusal("disk_full"):
        submit(to, "x = 2\n")
    with expect_refusal("disk_full"):
        upload_bot(person())
    assert Bot.objects.count() == 1
