from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from arena.accounts.models import User
from arena.core.messages import verbatim_message
from arena.platform.live.topics import Access, Topic, access
from arena.platform.workers.queries import ServiceLevel
from arena.submissions import store
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.submissions.services import SAME_CONTENT
from tests.factories import bot, person, submission
from tests.note_codes import note_codes
from tests.platform.workers.workers import info, status, worker
from tests.refusals import codes_shown, form_codes
from tests.submissions.readers import READERS, client_of
from tests.submissions.uploads import WORKING, upload_bot, zip_archive

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return person("owner")


@pytest.fixture
def version(owner: User) -> Submission:
    made = upload_bot(owner, "Deep", "secret_plan = '<b>'\n")
    made.log, made.steps = (
        b"I think <i>\n",
        [{"name": "syntax", "state": "failed", "message": "line 7", "seconds": 0.1}],
    )
    made.status = SubmissionStatus.FAILED
    made.save()
    return made


def test_log_with_arbitrary_bytes_is_shown_as_text(client: Client, owner: User, version: Submission) -> None:
    version.log = b"a\x00b\x1b[2J\xffc\n"
    version.save()
    client.force_login(owner)
    page = client.get(reverse("submission", args=[version.pk])).content
    assert "a\ufffdb\ufffdc".encode() in page
    assert b"\x00" not in page


def test_pasted_source_redirects_to_its_check_in_the_studio(client: Client, owner: User) -> None:
    client.force_login(owner)
    page = client.get(reverse("bot-new") + "?game=golden_point").content.decode()
    assert 'name="source"' in page
    source = "def get_move(state):\r\n    return 7\r\n"
    fields = {"game": "golden_point", "name": "Seven", "description": "Says 7.", "source": source}
    response = client.post(reverse("bot-new"), fields)
    made = Submission.objects.get()
    assert response.headers["Location"] == reverse("studio-submission", args=[made.pk])
    assert (made.bot.name, made.bot.game, made.bot.description, made.number) == ("Seven", "golden_point", "Says 7.", 1)
    (file,) = store.load_package(made.sha256).files
    assert file.data == b"def get_move(state):\n    return 7\n"
    page = client.get(response.headers["Location"], follow=True).content.decode()
    assert 'data-status="waiting"' in page
    (without_scripts,) = re.findall("<noscript>(.*?)</noscript>", page.split("<main", 1)[1], re.DOTALL)
    assert f'href="{reverse("submission", args=[made.pk])}"' in without_scripts


def test_file_takes_precedence_over_pasted_source(client: Client, owner: User) -> None:
    client.force_login(owner)
    file = SimpleUploadedFile("deep.zip", zip_archive(**{"deep/main__py": WORKING, "deep/table__txt": "1"}))
    client.post(reverse("bot-new"), {"game": "reversi", "name": "Deep", "file": file, "source": "x = 1"})
    made = Submission.objects.get()
    assert [file.path for file in store.load_package(made.sha256).files] == ["main.py", "table.txt"]
    assert made.filename == "deep.zip"


def test_taken_name_is_reported_at_its_field(client: Client, owner: User) -> None:
    upload_bot(owner, "Deep")
    client.force_login(owner)
    response = client.post(reverse("bot-new"), {"game": "reversi", "name": "deep", "source": "x = 1"})
    assert response.status_code == 422
    assert form_codes(response, "name") == ["name_taken"]


def test_next_version_starts_from_the_last(client: Client, owner: User, version: Submission) -> None:
    client.force_login(owner)
    url = reverse("submission-new", args=[version.bot_id])
    assert "secret_plan = &#x27;&lt;b&gt;&#x27;" in client.get(url).content.decode()
    response = client.post(url, {"source": "better_plan = 1\n"})
    made = Submission.objects.get(number=2)
    assert response.headers["Location"] == reverse("studio-submission", args=[made.pk])


def test_identical_upload_redirects_to_existing_version(client: Client, owner: User, version: Submission) -> None:
    client.force_login(owner)
    url = reverse("submission-new", args=[version.bot_id])
    response = client.post(url, {"source": "secret_plan = '<b>'\r\n"})
    page = response.content.decode()
    assert response.status_code == 422
    assert response.context["same"].code == SAME_CONTENT
    assert f'href="{reverse("submission", args=[version.pk])}"' in page


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "name", ["submission", "submission-snapshot", "submission-source", "submission-download", "submission-match"]
)
def test_only_owner_and_staff_can_see_source_and_check(
    owner: User, version: Submission, reader: str, name: str
) -> None:
    response = client_of(reader, owner).get(reverse(name, args=[version.pk]))
    expected = {"anonymous": 302, "other": 403, "organizer": 403}.get(reader, 200)
    if name == "submission-match" and expected == 200:
        expected = 404  # the check has not reached its match
    assert response.status_code == expected
    if expected != 200:
        assert "secret_plan" not in response.content.decode()


@pytest.mark.parametrize("reader", READERS)
def test_only_owner_and_staff_can_watch_the_live_check(owner: User, version: Submission, reader: str) -> None:
    request = client_of(reader, owner).get(reverse("bot-list")).wsgi_request
    granted = access(Topic("submissions", version.pk), request.user) is Access.GRANTED
    assert granted == (reader in {"owner", "staff"})
    assert access(Topic("submissions", version.pk + 1), request.user) is Access.FORBIDDEN


@pytest.mark.parametrize("reader", READERS)
def test_bot_page_is_public_but_its_buttons_are_not(owner: User, version: Submission, reader: str) -> None:
    page = client_of(reader, owner).get(reverse("bot", args=[version.bot_id])).content.decode()
    assert "Deep" in page
    assert (reverse("studio", args=[version.bot_id]) in page) == (reader in {"owner", "staff"})
    assert (reverse("submission-source", args=[version.pk]) in page) == (reader in {"owner", "staff"})
    assert "secret_plan" not in page


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "name",
    ["submission-activate", "submission-check-again", "bot-retire", "bot-bring-back", "bot-edit", "submission-new"],
)
def test_only_owner_and_staff_can_change_a_bot(owner: User, version: Submission, reader: str, name: str) -> None:
    pk = version.pk if name.startswith("submission-") and name != "submission-new" else version.bot_id
    data = {"name": "Other", "source": "x = 2"}
    response = client_of(reader, owner).post(reverse(name, args=[pk]), data)
    expected = {"other": 403, "organizer": 403}.get(reader, 302)
    assert response.status_code == expected
    if reader == "anonymous":
        assert response.headers["Location"].startswith(reverse("login"))
    row = Bot.objects.get()
    unchanged = reader not in {"owner", "staff"}
    if unchanged:
        assert (row.name, row.retired, row.submissions.count()) == ("Deep", False, 1)


def test_download_is_sent_as_an_attachment(client: Client, owner: User, version: Submission) -> None:
    client.force_login(owner)
    response = client.get(reverse("submission-download", args=[version.pk]))
    assert response.content == b"secret_plan = '<b>'\n"
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"] == 'attachment; filename="deep-v1.py"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_source_is_shown_with_line_numbers(client: Client, owner: User, version: Submission) -> None:
    client.force_login(owner)
    page = client.get(reverse("submission-source", args=[version.pk])).content.decode()
    assert 'id="L1"' in page
    assert "secret_plan = &#x27;&lt;b&gt;&#x27;" in page


def test_check_page_shows_steps_and_log(client: Client, owner: User, version: Submission) -> None:
    client.force_login(owner)
    page = client.get(reverse("submission", args=[version.pk])).content.decode()
    assert "I think &lt;i&gt;" in page
    assert "line 7" in page
    snapshot = client.get(reverse("submission-snapshot", args=[version.pk])).json()
    assert (snapshot["status"], snapshot["seq"], snapshot["steps"][0]["message"]) == ("failed", 0, "line 7")


def test_check_page_shows_waiting_time_and_current_step(client: Client, owner: User, version: Submission) -> None:
    now = timezone.now()
    Submission.objects.filter(pk=version.pk).update(asked_at=now - timedelta(seconds=75), status="waiting", steps=[])
    client.force_login(owner)
    page = client.get(reverse("submission", args=[version.pk])).content.decode()
    assert 'data-elapsed="75">1 min 15 s' in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    began = (now - timedelta(seconds=12)).timestamp()
    running = {"name": "first_move", "state": "running", "message": "", "seconds": 0, "since": began}
    Submission.objects.filter(pk=version.pk).update(status="checking", steps=[running])
    page = client.get(reverse("submission", args=[version.pk])).content.decode()
    assert re.search(r'data-part="seconds" data-elapsed="1[2-9]">1[2-9] s<', page)
    assert 'data-step="slow_move"' not in page
    snapshot = client.get(reverse("submission-snapshot", args=[version.pk])).json()
    assert 12 <= snapshot["steps"][0]["elapsed"] < 20


@pytest.mark.parametrize(
    ("usable", "wrong", "remedy"),
    [
        (None, ServiceLevel.NO_WORKER, "<code>make up</code>"),
        (False, ServiceLevel.REFUSED, "<code>python manage.py sandbox status</code>"),
        (True, None, ""),
    ],
)
def test_check_without_suitable_worker_is_explained(
    client: Client, owner: User, version: Submission, usable: bool | None, wrong: str, remedy: str
) -> None:
    if usable is not None:
        labelled = replace(info(), queues=("checks.reversi",))
        worker(labelled, sandbox=status(present=usable), now=timezone.now())
    Submission.objects.filter(pk=version.pk).update(status="waiting")
    client.force_login(owner)
    page = client.get(reverse("submission", args=[version.pk])).content.decode()
    assert 'data-status="waiting"' in page
    assert [note for note in note_codes(page) if note in set(ServiceLevel)] == ([wrong] if wrong else [])
    assert remedy in page
    assert reverse("workers") not in page, "a student does not see the workers"
    Submission.objects.filter(pk=version.pk).update(status="passed")
    page = client.get(reverse("submission", args=[version.pk])).content.decode()
    assert not set(ServiceLevel) & set(note_codes(page))


def test_finished_check_does_not_reload(client: Client, owner: User, version: Submission) -> None:
    Submission.objects.filter(pk=version.pk).update(status="passed")
    client.force_login(owner)
    assert "http-equiv" not in client.get(reverse("submission", args=[version.pk])).content.decode()


def test_void_check_is_explained_and_can_be_rerun(client: Client, owner: User, version: Submission) -> None:
    Submission.objects.update(
        status=SubmissionStatus.VOID, failure=verbatim_message("OSError: the disk is full").to_json("message")
    )
    client.force_login(owner)
    url = reverse("submission", args=[version.pk])
    page = client.get(url).content.decode()
    assert "void" in note_codes(page)
    assert "the disk is full" not in page, "that is for operators"
    assert client.post(reverse("submission-check-again", args=[version.pk])).headers["Location"] == url
    version.refresh_from_db()
    assert version.status == SubmissionStatus.WAITING
    client.force_login(person(is_staff=True))
    Submission.objects.update(failure=verbatim_message("OSError: the disk is full").to_json("message"))
    assert "the disk is full" in client.get(url).content.decode()


@pytest.mark.long
def test_older_version_can_be_reactivated(client: Client, owner: User) -> None:
    made = bot(owner)
    newer = submission(made)
    failed = submission(made, SubmissionStatus.FAILED)
    client.force_login(owner)
    assert codes_shown(client.post(reverse("submission-activate", args=[newer.pk]), follow=True)) == [""]
    refused = client.post(reverse("submission-activate", args=[failed.pk]), follow=True)
    assert codes_shown(refused) == ["not_passed"]
    made.refresh_from_db()
    assert made.active_id == newer.pk


@pytest.mark.long
def test_bot_is_renamed_retired_and_restored(client: Client, owner: User) -> None:
    made = bot(owner, name="Deep")
    client.force_login(owner)
    page = client.post(reverse("bot-edit", args=[made.pk]), {"name": "x" * 41, "description": ""})
    assert form_codes(page, "name") == ["too_long"]
    client.post(reverse("bot-edit", args=[made.pk]), {"name": "Deeper", "description": "It thinks."})
    client.post(reverse("bot-retire", args=[made.pk]))
    assert Bot.objects.get(pk=made.pk).retired
    assert "Deeper" not in Client().get(reverse("bot-list")).content.decode()
    assert "Deeper" in client.get(reverse("profile", args=["owner"])).content.decode()
    assert "Deeper" not in Client().get(reverse("profile", args=["owner"])).content.decode()
    client.post(reverse("bot-bring-back", args=[made.pk]))
    assert not Bot.objects.get(pk=made.pk).retired
    assert "It thinks." in Client().get(reverse("bot-list")).content.decode()


@pytest.mark.parametrize("name", ["bot-retire", "bot-bring-back", "submission-activate", "submission-check-again"])
def test_get_request_is_refused_by_actions(client: Client, owner: User, version: Submission, name: str) -> None:
    client.force_login(owner)
    pk = version.pk if name.startswith("submission") else version.bot_id
    assert client.get(reverse(name, args=[pk])).status_code == 405


@pytest.mark.parametrize("name", ["bot", "bot-edit", "submission-new", "submission", "submission-source"])
def test_unknown_bots_and_submissions_return_404(client: Client, name: str) -> None:
    client.force_login(person())
    assert client.get(reverse(name, args=[999])).status_code == 404
    assert client.get(reverse("profile", args=["nobody"])).status_code == 404


@pytest.mark.long
def test_list_is_filtered_and_paginated(client: Client, owner: User) -> None:
    bot(owner, name="Alpha")
    bot(owner, "golden_point", name="Beta")
    for index in range(31):
        bot(person(), name=f"Crowd {index}")

    def names(query: str) -> list[str]:
        page = client.get(reverse("bot-list") + query).content.decode()
        return re.findall(r"identity__name\" href=\"[^\"]+\">([^<]+)", page)

    assert len(names("")) == 30
    assert len(names("?page=2")) == 3
    assert names("?owner=OWNER") == ["Alpha", "Beta"]
    assert names("?owner=owner&game=golden_point") == ["Beta"]
    assert names("?text=alph") == ["Alpha"]
    assert names("?text=nothing") == []
    assert len(names("?game=chess&page=nonsense")) == 30, "an invalid filter is ignored"


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 12])
def test_lists_take_a_constant_number_of_queries(
    client: Client, owner: User, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = [bot(owner) for _ in range(count)]
    for _ in range(count):
        submission(made[0])
    for url, most in (
        (reverse("bot-list"), 3),
        (reverse("profile", args=["owner"]), 11),
        (reverse("bot", args=[made[0].pk]), 17),
    ):
        with django_assert_max_num_queries(most):
            client.get(url)


def test_uploading_requires_an_account(client: Client, settings: Settings) -> None:
    response = client.get(reverse("bot-new"))
    assert response.headers["Location"] == f"{reverse('login')}?next={reverse('bot-new')}"
