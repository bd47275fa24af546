"""Drafts are saved and validated, and they never overwrite another window's changes without asking."""

from __future__ import annotations

import pytest
from django.utils import timezone

from arena.core.sandbox.uploads.package import read_package
from arena.games.bot_packages import starter
from arena.platform.refusal import Refused
from arena.studio import drafts
from arena.studio.drafts import CHANGED_ELSEWHERE, DraftEdit, DraftFiles, Workspace
from arena.studio.models import Draft
from arena.studio.versions import LineKind, NoLines, compare_files
from arena.submissions import services
from arena.submissions.models import Submission
from arena.submissions.services import SAME_CONTENT, BotDraft, Upload
from tests.factories import person
from tests.refusals import expect_refusal
from tests.submissions.uploads import WORKING, upload, upload_bot, zip_archive

pytestmark = pytest.mark.django_db
NOW = timezone.now()
WEIGHTS = b"\x00\x01weights"


def archive_of(**files: bytes | str) -> Upload:
    data = zip_archive(**files)
    return Upload(read_package(data, "bot.zip"), "bot.zip", len(data))


def workspace_of_archive() -> Workspace:
    owner = person()
    made = services.create_bot(
        owner,
        BotDraft("reversi", "Deep"),
        archive_of(main__py=WORKING, tables__py="A = 1\n", weights__bin=WEIGHTS),
        now=NOW,
    )
    return Workspace(owner, "reversi", made.bot_id)


def test_new_bot_opens_starter_and_own_bot_opens_newest_version() -> None:
    owner = person()
    assert drafts.read_draft(Workspace(owner, "reversi")) == (DraftFiles({"main.py": starter("reversi")}), 0)
    made = upload_bot(owner)
    services.submit(made.bot_id, upload("x = 2\n" + WORKING), now=NOW)
    assert drafts.read_draft(Workspace(owner, "reversi", made.bot_id))[0].texts == {"main.py": "x = 2\n" + WORKING}


def test_saved_draft_is_restored_and_creates_no_version() -> None:
    owner = person()
    made = upload_bot(owner)
    workspace = Workspace(owner, "reversi", made.bot_id)
    saved = drafts.save_draft(workspace, DraftEdit({"main.py": "x = 1\n"}, revision=0), now=NOW)
    drafts.save_draft(workspace, DraftEdit({"more.py": "y = 2\n"}, revision=saved.revision), now=NOW)
    files, revision = drafts.read_draft(workspace)
    assert (dict(files.texts), revision) == ({"main.py": "x = 1\n", "more.py": "y = 2\n"}, 2)
    assert made.bot.submissions.count() == 1
    assert Draft.objects.count() == 1


def test_drafts_are_separate_by_person_bot_and_game() -> None:
    owner = person()
    made = upload_bot(owner)
    for workspace in (
        Workspace(owner, "reversi", made.bot_id),
        Workspace(owner, "reversi"),
        Workspace(owner, "golden_point"),
        Workspace(person(is_staff=True), "reversi", made.bot_id),
    ):
        drafts.save_draft(
            workspace,
            DraftEdit({"main.py": f"# {workspace.person} {workspace.game} {workspace.bot_id}"}, revision=0),
            now=NOW,
        )
    assert Draft.objects.count() == 4
    assert drafts.read_draft(Workspace(owner, "golden_point"))[0].texts["main.py"] == f"# {owner} golden_point None"


def test_stale_window_cannot_overwrite_without_confirmation() -> None:
    workspace = Workspace(person(), "reversi")
    drafts.save_draft(workspace, DraftEdit({"main.py": "first"}, revision=0), now=NOW)
    with pytest.raises(Refused) as refused:
        drafts.save_draft(workspace, DraftEdit({"main.py": "second"}, revision=0), now=NOW)
    assert refused.value.code == CHANGED_ELSEWHERE
    assert drafts.read_draft(workspace)[0].texts["main.py"] == "first"
    drafts.save_draft(workspace, DraftEdit({"main.py": "second"}, revision=None), now=NOW)
    assert drafts.read_draft(workspace)[0].texts["main.py"] == "second"


def test_save_is_idempotent_after_a_lost_response() -> None:
    workspace = Workspace(person(), "reversi")
    once = drafts.save_draft(workspace, DraftEdit({"main.py": "x"}, revision=0), now=NOW)
    again = drafts.save_draft(workspace, DraftEdit({"main.py": "x"}, revision=0), now=NOW)
    assert again.revision == once.revision


@pytest.mark.parametrize(
    ("files", "removed", "code"),
    [
        ({"../evil.py": ""}, (), "file_name"),
        ({"/etc/passwd": ""}, (), "file_name"),
        ({".hidden.py": ""}, (), "file_name"),
        ({"a\\b.py": ""}, (), "file_name"),
        ({"": ""}, (), "file_name"),
        ({"x" * 80 + ".py": ""}, (), "file_name"),
        ({"main.py": "\0"}, (), "characters"),
        ({"main.py": "\ud800"}, (), "characters"),
        ({}, ("main.py",), "no_main"),
        ({"MAIN.py": "", "main.py": "x"}, (), "same_name"),
        ({f"f{n}.py": "" for n in range(501)}, (), "too_many_files"),
        ({"big.py": "x" * 2_000_001}, (), "too_large"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_invalid_draft_is_refused_and_the_old_one_kept(
    files: dict[str, str], removed: tuple[str, ...], code: str
) -> None:
    workspace = Workspace(person(), "reversi")
    drafts.save_draft(workspace, DraftEdit({"main.py": "kept"}, revision=0), now=NOW)
    with expect_refusal(code):
        drafts.save_draft(workspace, DraftEdit(files, removed, 1), now=NOW)
    assert drafts.read_draft(workspace)[0].texts == {"main.py": "kept"}


def test_binary_files_are_kept() -> None:
    workspace = workspace_of_archive()
    files, _ = drafts.read_draft(workspace)
    assert (list(files.texts), files.kept) == (["main.py", "tables.py"], ("weights.bin",))
    drafts.save_draft(workspace, DraftEdit({"tables.py": "A = 2\n"}, revision=0), now=NOW)
    packed = {file.path: file.data for file in drafts.upload_of(drafts.read_draft(workspace)[0]).package.files}
    assert packed == {"main.py": WORKING.encode(), "tables.py": b"A = 2\n", "weights.bin": WEIGHTS}


def test_unchanged_draft_is_the_same_upload() -> None:
    workspace = workspace_of_archive()
    with expect_refusal(SAME_CONTENT):
        services.submit(workspace.bot_id or 0, drafts.upload_of(drafts.read_draft(workspace)[0]), now=NOW)


def test_version_is_restored_completely() -> None:
    workspace = workspace_of_archive()
    drafts.save_draft(
        workspace, DraftEdit({"main.py": "broken(", "extra.py": "1"}, ("tables.py", "weights.bin"), 0), now=NOW
    )
    sha256 = Submission.objects.get(bot=workspace.bot_id).sha256
    files, draft = drafts.restore_version(workspace, sha256, 1, now=NOW)
    assert list(files.texts) == ["main.py", "tables.py"]
    assert drafts.read_draft(workspace) == (files, draft.revision)
    assert files.kept == ("weights.bin",)


def test_archive_replaces_the_draft() -> None:
    workspace = workspace_of_archive()
    drafts.save_draft(workspace, DraftEdit({"extra.py": "1"}, revision=0), now=NOW)
    package = drafts.upload_of(drafts.DraftFiles({"main.py": WORKING, "more.py": "B = 1\n"})).package
    files, draft = drafts.unpack_archive(workspace, services.Upload(package, "bot.zip", 10), 1, now=NOW)
    assert (list(files.texts), files.kept) == (["main.py", "more.py"], ())
    assert drafts.read_draft(workspace) == (files, draft.revision)


def test_archive_does_not_overwrite_changes_from_another_window() -> None:
    workspace = workspace_of_archive()
    upload = drafts.upload_of(drafts.read_draft(workspace)[0])
    drafts.save_draft(workspace, DraftEdit({"extra.py": "1"}, revision=0), now=NOW)
    with expect_refusal(drafts.CHANGED_ELSEWHERE):
        drafts.unpack_archive(workspace, upload, 0, now=NOW)


def test_diff_shows_added_and_removed_lines() -> None:
    before, after = (
        DraftFiles({"main.py": "a\nb\n", "old.py": "x\n", "same.py": "1\n"}),
        DraftFiles({"main.py": "a\nc\n", "same.py": "1\n"}),
    )
    main, old = compare_files(before, after)
    assert [(line.kind, line.text) for line in main.lines][1:] == [
        (LineKind.SAME, "a"),
        (LineKind.REMOVED, "b"),
        (LineKind.ADDED, "c"),
    ]
    assert [line.kind for line in old.lines] == [LineKind.PLACE, LineKind.REMOVED]
    assert compare_files(before, before) == []


def test_files_too_long_to_compare_are_only_named() -> None:
    (found,) = compare_files(DraftFiles({"main.py": "x\n" * 5000}), DraftFiles({"main.py": "y\n" * 5000}))
    assert (found.lines, found.no_lines) == ((), NoLines.TOO_LONG)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"main.py": "x = 1\n"}, {"main.py": "x = 1"}, NoLines.SAME_LINES),
        ({"main.py": "x = 1\r\n"}, {"main.py": "x = 1\n"}, NoLines.SAME_LINES),
        ({}, {"empty.py": ""}, NoLines.EMPTY),
        ({"empty.py": ""}, {}, NoLines.EMPTY),
    ],
)
def test_files_without_changed_lines_are_explained(
    before: dict[str, str], after: dict[str, str], reason: NoLines
) -> None:
    (found,) = compare_files(DraftFiles(before), DraftFiles(after))
    assert (found.lines, found.no_lines) == ((), reason)
