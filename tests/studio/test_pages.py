"""The studio's pages and requests are for the author and staff, each of whom has their own draft and runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from arena.accounts.models import User
from arena.core.referee.testing import ScriptedTurn
from arena.core.sandbox.uploads.package import PackageFile
from arena.games.bot_packages import starter
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform.live.testing import memory_broker
from arena.platform.live.topics import Access, Topic, access
from arena.studio import drafts
from arena.studio.checksums import bot_checksum
from arena.studio.drafts import DraftEdit, Workspace
from arena.studio.models import Draft, Run
from arena.studio.runs import RunRequest
from arena.submissions import house, services, store
from arena.submissions.models import Bot, Submission, SubmissionStatus
from tests.factories import bot, person
from tests.refusals import codes_shown
from tests.studio.draft_runs import play, start, winning_scripts
from tests.submissions.readers import READERS, client_of
from tests.submissions.uploads import WORKING, upload, upload_bot

pytestmark = pytest.mark.django_db

EDITS = {"owner", "staff"}
EDIT = {"files": {"main.py": "x = 1\n"}, "revision": 0}


@pytest.fixture(autouse=True)
def _broker() -> Iterator[None]:
    with memory_broker():
        yield


@pytest.fixture
def owner() -> User:
    return person("owner")


@pytest.fixture
def version(owner: User) -> Submission:
    return upload_bot(owner)


def post(client: Client, name: str, args: list[Any], body: object) -> Any:
    return client.post(reverse(name, args=args), json.dumps(body), content_type="application/json")


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_only_author_and_staff_can_edit_a_bot(owner: User, version: Submission, reader: str) -> None:
    client = client_of(reader, owner)
    refused = 302 if reader == "anonymous" else 403
    expected = 200 if reader in EDITS else refused
    opponent = bot()
    args = [version.bot_id]
    for name, more in (("studio", []), ("studio-diff", [version.pk])):
        assert client.get(reverse(name, args=args + more)).status_code == expected
    assert post(client, "studio-save", args, EDIT).status_code == expected
    run = post(client, "studio-run", args, {"opponents": [opponent.pk], "revision": 1 if reader in EDITS else 0})
    assert run.status_code == expected
    assert post(client, "studio-restore", [*args, version.pk], {"revision": None}).status_code == expected
    assert client.get(reverse("studio-submission", args=[version.pk])).status_code == (
        302 if reader in EDITS else refused
    )
    assert client.post(reverse("studio-upload", args=args), {"source": "x ="}).status_code == (
        302 if reader in EDITS else refused
    )
    changed = post(client, "studio-submit", args, {"files": {"main.py": "y = 2\n" + WORKING}, "revision": None})
    assert changed.status_code == expected
    assert Submission.objects.filter(bot=version.bot_id).count() == (3 if reader in EDITS else 1)
    assert Run.objects.count() == (1 if reader in EDITS else 0)


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_run_is_visible_only_to_the_person_who_started_it(reader: str) -> None:
    mine = bot()
    run = start(mine)
    play(run, winning_scripts(b"secret\n"))
    client = client_of(reader, mine.owner)
    refused = 302 if reader == "anonymous" else 403
    for name in ("run-snapshot", "run-report"):
        answer = client.get(reverse(name, args=[run.pk]))
        assert answer.status_code == (200 if reader == "owner" else refused)
        assert (b"secret" in answer.content) == (reader == "owner" and name == "run-snapshot")
    assert post(client, "run-stop", [run.pk], {}).status_code == (200 if reader == "owner" else refused)
    user = client.get(reverse("bot-list")).wsgi_request.user
    assert access(Topic("runs", run.pk), user) is (Access.GRANTED if reader == "owner" else Access.FORBIDDEN)
    assert b"secret" not in client.get(reverse("bot", args=[mine.pk])).content


@pytest.mark.long
def test_runs_are_hidden_from_authors_of_opponents() -> None:
    mine, theirs = bot(name="Mine"), bot(name="Theirs")
    play(start(mine, RunRequest((theirs.pk,))), winning_scripts())
    client = Client()
    client.force_login(theirs.owner)
    for address in (
        reverse("bot", args=[theirs.pk]),
        reverse("match-list"),
        f"{reverse('match-list')}?bot={theirs.pk}",
        reverse("profile", args=[theirs.owner.username]),
    ):
        assert b"Mine" not in client.get(address).content


def test_use_is_reported_when_a_run_starts_and_ends(owner: User, version: Submission) -> None:
    client = Client()
    client.force_login(owner)
    wish = {**EDIT, "opponents": [bot().pk], "games": 20}
    started = post(client, "studio-run", [version.bot_id], wish).json()
    assert re.findall(r"\d+", started["use"])[0] == "20"
    crash = ScriptedTurn(failed={"cause": "exception", "message": "NameError: bord"})
    play(Run.objects.get(pk=started["run"]), winning_scripts(), starts={"load": crash})
    report = client.get(reverse("run-report", args=[started["run"]])).json()
    assert re.findall(r"\d+", report["use"])[0] == "1"
    assert "data-fault" in report["faults"]
    assert 'data-match="1" ' in report["faults"]


def test_failures_of_a_series_are_counted_by_match(owner: User, version: Submission) -> None:
    run = start(version.bot, RunRequest((bot().pk,), games=20), person=owner)
    play(run, lambda seat: [ScriptedTurn(answer="Z9")] * 3, winning_scripts())
    cards = client_of("owner", owner).get(reverse("run-report", args=[run.pk])).json()["faults"]
    assert (cards.count("data-fault "), 'data-matches="20"' in cards) == (1, True)
    assert re.search(r'data-match="1" data-turn="\d', cards)


def test_check_in_the_url_is_shown_beside_the_labelled_failure_of_a_newer_run(owner: User, version: Submission) -> None:
    fault = {"kind": "crash", "message": "NameError: bord", "traceback": "", "file": "main.py", "line": 2, "turn": 3}
    rest = {"source_line": "", "missing_module": None, "answer": "", "attempt": 1, "printed": [0, 0]}
    steps = [{"name": "match", "state": "failed", "diagnosis": {**fault, **rest, "seconds": 0, "cpu": 0, "wall": 0}}]
    Submission.objects.filter(pk=version.pk).update(status=SubmissionStatus.FAILED, steps=steps)
    client = client_of("owner", owner)
    changed = {"files": {"main.py": f"{WORKING}# draft"}, "revision": 0, "opponents": [bot().pk], "games": 1}
    made = post(client, "studio-run", [version.bot_id], changed).json()
    play(Run.objects.get(pk=made["run"]), lambda seat: [ScriptedTurn(answer="Z9")] * 3, winning_scripts())
    address = reverse("studio", args=[version.bot_id])
    newest = client.get(address).content.decode()
    assert '<div data-part="check-faults" hidden>' in newest
    page = client.get(f"{address}?submission={version.pk}").content.decode()
    assert '<div data-part="check-faults">' in page
    ran, _, checked = page.partition('data-part="check-faults"')
    assert ("NameError: bord" in checked, "NameError: bord" in ran) == (True, False)
    assert f'data-checksum="{bot_checksum({"main.py": WORKING})}"' in checked
    own = f'data-checksum="{bot_checksum({"main.py": WORKING + "# draft"})}"'
    assert own in ran
    report = client.get(reverse("run-report", args=[made["run"]]), {"submission": version.pk}).json()
    for part in (report["faults"], made["html"], ran):
        assert own in part
        assert 'data-when="stale"' in part, "labelled without a reload"


def test_failure_that_a_check_has_found_is_not_repeated_for_a_run_of_the_same_version(
    owner: User, version: Submission
) -> None:
    run = start(version.bot, person=owner)
    play(run, lambda seat: [ScriptedTurn(answer="Z9")] * 3, winning_scripts())
    run.refresh_from_db()
    steps = [{"name": "match", "state": "failed", "diagnosis": run.faults[-1], "refused": run.faults[:-1]}]
    Submission.objects.filter(pk=version.pk).update(status=SubmissionStatus.FAILED, steps=steps)
    address = reverse("studio", args=[version.bot_id])
    client = client_of("owner", owner)
    page = client.get(f"{address}?submission={version.pk}").content.decode()
    assert page.count("data-fault ") == 1
    report = client.get(reverse("run-report", args=[run.pk]), {"submission": version.pk}).json()
    assert report["faults"] == ""


@pytest.mark.parametrize("game", GAMES)
def test_starter_of_each_game_can_be_submitted_as_a_bot(game: str) -> None:
    client, author = Client(), person()
    client.force_login(author)
    bot(game=game, name="Opponent")
    page = client.get(reverse("studio-new", args=[game])).content.decode()
    assert json.dumps(starter(game).splitlines()[0])[1:-1].replace("'", "\\u0027")[:30] in page
    assert "Opponent" in page
    made = post(client, "studio-new-submit", [game], {**EDIT, "name": "First", "plays_people": True})
    assert made.status_code == 200
    created = Submission.objects.get(bot__owner=author)
    assert made.json()["url"] == f"{reverse('studio', args=[created.bot_id])}?submission={created.pk}"
    assert not Draft.objects.exists(), "the next new bot begins with the starter again"


@pytest.mark.long
def test_runs_of_a_new_bot_stay_with_the_bot(client: Client) -> None:
    author, opponent = person(), bot()
    client.force_login(author)
    run = post(client, "studio-new-run", ["reversi"], {**EDIT, "opponents": [opponent.pk], "games": 1}).json()
    shown = f'data-run-id="{run["run"]}"'
    assert shown in client.get(reverse("studio-new", args=["reversi"])).content.decode()
    made = post(client, "studio-new-submit", ["reversi"], {**EDIT, "name": "First", "revision": run["revision"]}).json()
    assert shown in client.get(made["url"]).content.decode()
    assert shown not in client.get(reverse("studio-new", args=["reversi"])).content.decode()


def test_refused_name_keeps_the_draft(owner: User, version: Submission, client: Client) -> None:
    client.force_login(owner)
    answer = post(client, "studio-new-submit", ["reversi"], {**EDIT, "name": version.bot.name})
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")
    empty = post(client, "studio-new-submit", ["reversi"], {"revision": 1, "name": ""})
    assert (empty.status_code, "required" in empty.json()["error"]) == (409, True)
    assert drafts.read_draft(Workspace(owner, "reversi"))[0].texts == {"main.py": "x = 1\n"}


@pytest.mark.long
def test_run_saves_the_draft_and_returns_its_board(owner: User, version: Submission, client: Client) -> None:
    client.force_login(owner)
    body = {**EDIT, "opponents": [bot().pk], "games": 20}
    answer = post(client, "studio-run", [version.bot_id], body).json()
    run = Run.objects.get()
    assert (answer["run"], answer["revision"], run.games) == (run.pk, 1, 20)
    assert f'data-socket="/ws/runs/{run.pk}"' in answer["html"]
    page = client.get(reverse("studio", args=[version.bot_id])).content.decode()
    assert "x = 1" in page
    assert f'data-run-id="{run.pk}"' in page, "a reload shows the run again"


@pytest.mark.long
def test_failed_check_links_to_its_line_in_the_studio(owner: User, version: Submission, client: Client) -> None:
    fault = {"kind": "crash", "message": "NameError: bord", "traceback": "Traceback", "file": "main.py", "line": 2}
    rest = {"source_line": "return bord", "missing_module": None, "answer": "", "attempt": 1, "printed": [0, 0]}
    times = {"seconds": 0, "cpu": 0, "wall": 0}
    refused = [{**fault, **rest, **times, "kind": "illegal_move", "turn": turn} for turn in (1, 2, 2)]
    step = {"name": "match", "state": "failed", "diagnosis": {**fault, **rest, **times, "turn": 3}, "refused": refused}
    Submission.objects.filter(pk=version.pk).update(status=SubmissionStatus.FAILED, steps=[step])
    client.force_login(owner)
    for address in (
        reverse("studio", args=[version.bot_id]),
        client.get(reverse("studio-submission", args=[version.pk]))["Location"],
    ):
        page = client.get(address).content.decode()
        assert page.count("data-fault ") == 2
        assert 'data-file="main.py" data-line="2" data-source="return bord" data-message="NameError: bord"' in page
        assert "3 times" in page


def test_failed_check_offers_its_version_if_the_draft_differs(owner: User, version: Submission, client: Client) -> None:
    fault = {"kind": "crash", "message": "NameError: bord", "traceback": "", "file": "main.py", "line": 2, "turn": 3}
    rest = {"source_line": "return bord", "missing_module": None, "answer": "", "attempt": 1, "printed": [0, 0]}
    diagnosis = {**fault, **rest, "seconds": 0, "cpu": 0, "wall": 0}
    steps = [{"name": "match", "state": "failed", "diagnosis": diagnosis, "refused": []}]
    Submission.objects.filter(pk=version.pk).update(status=SubmissionStatus.FAILED, steps=steps)
    client.force_login(owner)
    page = client.get(reverse("studio", args=[version.bot_id])).content.decode()
    assert f'data-part="other-version" data-checksum="{bot_checksum({"main.py": WORKING})}"' in page


def test_board_says_which_version_its_run_played(owner: User, version: Submission, client: Client) -> None:
    client.force_login(owner)
    address = reverse("studio", args=[version.bot_id])
    start(version.bot, person=owner)
    newer = f"{WORKING}# newer"
    services.submit(version.bot_id, upload(newer), now=timezone.now())
    assert run_origin(client.get(address).content.decode()) == "1"
    edit = {"files": {"main.py": f"{WORKING}# draft"}, "revision": 0, "opponents": [bot().pk], "games": 1}
    made = post(client, "studio-run", [version.bot_id], edit).json()
    for page in (made["html"], client.get(address).content.decode()):
        assert run_origin(page) == ""


def run_origin(page: str) -> str:
    """Return the version that the board's label names; "" for a draft."""
    (version,) = re.findall(r'data-part="run-origin" data-version="(\d*)"', page)
    return str(version)


def test_run_and_its_board_have_the_checksum_of_the_files_in_the_editor(owner: User, client: Client) -> None:
    client.force_login(owner)
    texts = {"main.py": WORKING, "tables.py": "A = 1\n"}
    files = {**texts, "long.txt": "0" * (drafts.EDITABLE_CHARS + 1), "weights.npz": "\0"}
    archive = store.zip_files(tuple(PackageFile(path, text.encode()) for path, text in files.items()))
    sent = {"file": SimpleUploadedFile("bot.zip", archive), "edit": '{"revision": 0}'}
    client.post(reverse("studio-new-unpack", args=["reversi"]), sent)
    wish = {"files": {}, "revision": 1, "opponents": [bot().pk]}
    made = post(client, "studio-new-run", ["reversi"], wish).json()
    page = client.get(reverse("studio-new", args=["reversi"])).content.decode()
    for html in (made["html"], page):
        assert f'data-checksum="{bot_checksum(texts)}"' in html


def test_refused_submission_names_the_saved_revision_and_the_same_version(
    owner: User, version: Submission, client: Client
) -> None:
    client.force_login(owner)
    answer = post(client, "studio-submit", [version.bot_id], {"files": {"main.py": WORKING}, "revision": 0})
    body = answer.json()
    assert (answer.status_code, body["code"], body["number"]) == (409, "same_content", 1)
    draft = Draft.objects.get(bot=version.bot_id)
    assert body["revision"] == draft.revision
    stale = post(client, "studio-submit", [version.bot_id], {"files": {"main.py": "x = 2"}, "revision": 7}).json()
    assert "revision" not in stale, "nothing was saved"


def test_restoring_a_version_restores_its_files(owner: User, version: Submission, client: Client) -> None:
    client.force_login(owner)
    drafts.save_draft(
        Workspace(owner, "reversi", version.bot_id), DraftEdit({"main.py": "broken("}, revision=0), now=timezone.now()
    )
    shown = client.get(reverse("studio-diff", args=[version.bot_id, version.pk])).content.decode()
    assert "broken(" in shown
    answer = post(client, "studio-restore", [version.bot_id, version.pk], {"revision": 1}).json()
    assert answer["files"] == [{"path": "main.py", "text": WORKING}]
    other = upload_bot(person())
    for name in ("studio-diff", "studio-restore"):
        address = reverse(name, args=[version.bot_id, other.pk])
        got = client.get(address) if name == "studio-diff" else client.post(address, "{}", content_type="text/json")
        assert got.status_code == 404, "of another bot"


def test_archive_is_opened_in_the_draft_of_a_new_bot(owner: User, client: Client, settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR = 1
    client.force_login(owner)
    files = {"main.py": WORKING.encode(), "tables.py": b"A = 1\n", "weights.bin": bytes(range(256))}
    sent = SimpleUploadedFile(
        "bot.zip", store.zip_files(tuple(PackageFile(path, data) for path, data in files.items()))
    )
    address = reverse("studio-new-unpack", args=["reversi"])
    answer = client.post(address, {"file": sent, "edit": '{"revision": 0}'}).json()
    assert [file["path"] for file in answer["files"]] == ["main.py", "tables.py"]
    assert answer["kept"] == ["weights.bin"]
    refused = client.post(address, {"file": SimpleUploadedFile("bot.zip", b"no archive"), "edit": "{}"})
    assert (refused.status_code, refused.json()["code"]) == (409, "damaged_archive")
    sent.seek(0)
    assert client.post(address, {"file": sent, "edit": '{"revision": 1}'}).status_code == 429


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"files": []}', '{"files": {"a": 1}}', '{"revision": "1"}', '{"games": 3}', "[" * 100_000]
)
def test_malformed_request_is_refused_with_a_message(owner: User, version: Submission, body: str) -> None:
    client = client_of("owner", owner)
    address = reverse("studio-run", args=[version.bot_id])
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, "Reload" in answer.json()["error"]) == (400, True)


def test_save_from_a_stale_window_is_a_conflict(owner: User, version: Submission, client: Client) -> None:
    client.force_login(owner)
    post(client, "studio-save", [version.bot_id], EDIT)
    again = post(client, "studio-save", [version.bot_id], {"files": {"main.py": "other"}, "revision": 0})
    assert (again.status_code, again["Refusal-Code"]) == (409, "changed_elsewhere")


def test_lint_requests_are_rate_limited(client: Client, settings: Settings) -> None:
    assert post(client, "studio-lint", [], {"source": "x"}).status_code == 302
    client.force_login(person())
    settings.LINTS_AN_HOUR = 2
    (problem,) = post(client, "studio-lint", [], {"source": "x"}).json()["problems"]
    assert problem.pop("message").startswith("x ")
    assert problem == {"line": 1, "column": 0, "severity": "error", "code": "UndefinedName"}
    post(client, "studio-lint", [], {"source": "x"})
    limited = post(client, "studio-lint", [], {"source": "x"})
    assert (limited.status_code, "Retry-After" in limited) == (429, True)


def test_completions_are_public(client: Client) -> None:
    assert client.get(reverse("studio-completions", args=["reversi"])).json()["state"] == "Board"
    assert client.get(reverse("studio-completions", args=["chess"])).status_code == 404


@pytest.mark.long
def test_studio_takes_a_constant_number_of_queries(
    owner: User, version: Submission, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(owner)
    for number in range(5):
        bot(name=f"Opponent {number}")
        services.submit(version.bot_id, upload(f"x = {number}\n" + WORKING), now=timezone.now())
        Submission.objects.update(status=SubmissionStatus.PASSED)
    play(start(version.bot), winning_scripts())
    with django_assert_max_num_queries(28):
        client.get(reverse("studio", args=[version.bot_id]))


def test_upload_in_the_studio_creates_version_and_replaces_draft(
    owner: User, version: Submission, client: Client
) -> None:
    client.force_login(owner)
    workspace = Workspace(owner, "reversi", version.bot_id)
    drafts.save_draft(workspace, DraftEdit({"main.py": "draft = 1\n"}, revision=0), now=timezone.now())
    address, studio = (reverse(name, args=[version.bot_id]) for name in ("studio-upload", "studio"))
    refused = client.post(address, {"file": SimpleUploadedFile("bot.zip", b"no archive")}, follow=True)
    assert refused.redirect_chain == [(studio, 302)]
    assert codes_shown(refused) == ["damaged_archive"]
    assert drafts.read_draft(workspace)[0].texts == {"main.py": "draft = 1\n"}, "a refused file changes nothing"

    files = {"main.py": "from lib import tables\n" + WORKING, "lib/tables.py": "x = 1\n", "lib/weights.npz": "\0"}
    archive = store.zip_files(tuple(PackageFile(path, files[path].encode()) for path in sorted(files)))
    answer = client.post(address, {"file": SimpleUploadedFile("bot.zip", archive)})

    newest = Submission.objects.filter(bot=version.bot_id).latest("number")
    assert answer["Location"] == f"{studio}?submission={newest.pk}"
    shown = drafts.read_draft(workspace)[0]
    assert (list(shown.texts), shown.kept) == (["main.py", "lib/tables.py"], ("lib/weights.npz",))


@pytest.mark.long
def test_selected_opponents_are_kept_after_submission(owner: User, version: Submission) -> None:
    bot(name="Another")
    opponent = bot(name="Corners")  # sorts after the other one
    client = client_of("owner", owner)
    url = reverse("studio", args=[version.bot_id])
    assert client.get(url).context["chosen"] != [opponent.pk]
    post(client, "studio-run", [version.bot_id], {**EDIT, "opponents": [opponent.pk]})
    changed = {"files": {"main.py": "y = 2\n" + WORKING}, "revision": 1}
    assert post(client, "studio-submit", [version.bot_id], changed).status_code == 200
    assert not Draft.objects.exists()
    assert client.get(url).context["chosen"] == [opponent.pk]


def test_easiest_house_bot_is_the_first_opponent(owner: User) -> None:
    made = [
        bot(name=house.house_drafts("fib2584")[boss].name, game="fib2584") for boss in reversed(SITES["fib2584"].bosses)
    ]
    Bot.objects.update(is_house=True)
    bot(name="A student's", game="fib2584")
    assert client_of("owner", owner).get(reverse("studio-new", args=["fib2584"])).context["chosen"] == [made[-1].pk]


def test_settings_of_the_last_run_are_kept(owner: User) -> None:
    client = client_of("owner", owner)

    def games() -> object:
        return client.get(reverse("studio-new", args=["fib2584"])).context["settings_form"]["games"].value()

    assert games() == SITES["fib2584"].scrimmage["games"]
    start(bot(owner, game="fib2584"), RunRequest([bot(game="fib2584").pk], settings={"games": 20}))
    assert games() == 20
