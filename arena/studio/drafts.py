"""Read and save the files of a draft, and create uploads from them.

Invariants: a draft is never run or compiled here; a save based on an outdated revision is refused, so that two windows
do not overwrite each other; files that the editor cannot show remain as uploaded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.core.sandbox.uploads.package import (
    MAIN,
    MAX_FILES,
    MAX_UNPACKED_BYTES,
    Package,
    PackageError,
    PackageFile,
    read_package,
)
from arena.games.bot_packages import starter
from arena.platform.refusal import Refused
from arena.studio.models import Draft
from arena.submissions import store
from arena.submissions.problems import explain_problem
from arena.submissions.queries import newest_content_hash
from arena.submissions.services import Upload, store_files
from arena.submissions.sources import texts_of
from arena.ui.code_texts import translated_source

CHANGED_ELSEWHERE: Final = "changed_elsewhere"
EDITABLE_CHARS: Final = 200_000  # maximum length of an editable file; longer files are treated as data
DRAFT_CHARS: Final = 2_000_000  # limit for all files together
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PATH: Final = re.compile(r"(?!\.)[\w.-]{1,60}(?:/(?!\.)[\w.-]{1,60}){0,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A draft's identity: its owner and its bot; ``bot_id`` is None for a new bot in a game."""

    person: User
    game: str
    bot_id: int | None = None


@dataclass(frozen=True, slots=True)
class DraftFiles:
    """The files of a draft.

    ``texts``: editable files by path; ``kept``: the paths of the other files, which are stored in the package
    ``base_sha256``.
    """

    texts: Mapping[str, str]
    kept: tuple[str, ...] = ()
    base_sha256: str = ""


@dataclass(frozen=True, slots=True)
class DraftEdit:
    """The changes to save; ``revision``: the revision on which they are based, None to overwrite any revision."""

    files: Mapping[str, str]
    removed: Collection[str] = ()
    revision: int | None = 0


def files_of(sha256: str) -> DraftFiles:
    """Return the files of a stored version. Raises ContentLost, StoreUnavailable."""
    return files_in(store.load_package(sha256))


def files_in(package: Package) -> DraftFiles:
    """Return the files of a package as the editor shows them."""
    texts = _editable_texts(texts_of(package))
    kept = [file.path for file in package.files if file.path not in texts]
    return DraftFiles(main_first(texts), tuple(kept), package.sha256 if kept else "")


def _editable_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Return a package's texts, limited to those that the editor shows."""
    shown: dict[str, str] = {}
    for path, text in texts.items():
        if len(text) <= EDITABLE_CHARS and sum(map(len, shown.values())) + len(text) <= DRAFT_CHARS:
            shown[path] = text
    return shown


def main_first(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts sorted by path, with ``main.py`` first."""
    return {path: texts[path] for path in sorted(texts, key=lambda path: (path != MAIN, path))}


def draft_of(workspace: Workspace) -> Draft | None:
    return Draft.objects.filter(person=workspace.person, bot=workspace.bot_id, **_filter_for_new_bot(workspace)).first()


def _filter_for_new_bot(workspace: Workspace) -> dict[str, str]:
    return {} if workspace.bot_id else {"game": workspace.game}


def read_draft(workspace: Workspace) -> tuple[DraftFiles, int]:
    """Return the files and revision with which the editor starts.

    The files come from the draft or, if there is none, from the newest version; without a version, from the starter.
    """
    draft = draft_of(workspace)
    if draft is not None:
        return DraftFiles(main_first(draft.files), tuple(draft.kept), draft.base_sha256), draft.revision
    sha256 = newest_content_hash(workspace.bot_id) if workspace.bot_id else None
    return (files_of(sha256) if sha256 else DraftFiles({MAIN: translated_source(starter(workspace.game))})), 0


def save_draft(workspace: Workspace, edit: DraftEdit, *, now: datetime) -> Draft:
    """Store an edit. Raises Refused, with the code CHANGED_ELSEWHERE if another window has saved since."""
    with _refuse_concurrent_save():
        draft = _lock_draft(workspace)
        if draft is None or not _is_already_saved(draft, edit):
            draft = _draft_at_revision(edit.revision, draft, workspace)
            _apply_edit(edit, draft)
            _store_draft(draft, now)
        return draft


@contextmanager
def _refuse_concurrent_save() -> Iterator[None]:
    """Run the block in a transaction; if two windows create the same draft at once, refuse the second save."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise _stale_revision_error() from error


def _lock_draft(workspace: Workspace) -> Draft | None:
    rows = Draft.objects.select_for_update()
    return rows.filter(person=workspace.person, bot=workspace.bot_id, **_filter_for_new_bot(workspace)).first()


def _draft_at_revision(revision: int | None, draft: Draft | None, workspace: Workspace) -> Draft:
    """Return the draft, or a new one, if a change based on this revision may be stored. Raises Refused."""
    if revision is not None and revision != (draft.revision if draft else 0):
        raise _stale_revision_error()
    if draft is None:
        files, _revision = read_draft(workspace)
        draft = Draft(person=workspace.person, bot_id=workspace.bot_id, game=workspace.game, files=dict(files.texts))
        draft.kept, draft.base_sha256 = list(files.kept), files.base_sha256
    return draft


def _apply_edit(edit: DraftEdit, draft: Draft) -> None:
    files_after = {path: text for path, text in {**draft.files, **edit.files}.items() if path not in edit.removed}
    draft.kept = [path for path in draft.kept if path not in edit.removed and path not in edit.files]
    _check_new({path: text for path, text in edit.files.items() if path not in draft.files}, edit.files)
    _check_files(files_after, draft.kept)
    draft.files = files_after


def _store_draft(draft: Draft, now: datetime) -> None:
    draft.revision, draft.saved_at = draft.revision + 1, now
    draft.save()


def _is_already_saved(draft: Draft, edit: DraftEdit) -> bool:
    """Return whether the draft already contains this edit, for example because the first response was lost."""
    unchanged = all(draft.files.get(path) == text for path, text in edit.files.items())
    return unchanged and not any(path in draft.files or path in draft.kept for path in edit.removed)


def restore_version(
    workspace: Workspace, sha256: str, revision: int | None, *, now: datetime
) -> tuple[DraftFiles, Draft]:
    """Replace the draft's files with those of a version. Raises Refused like ``save_draft``."""
    files = files_of(sha256)
    return files, _replace_files(workspace, files, revision, now)


def unpack_archive(
    workspace: Workspace, upload: Upload, revision: int | None, *, now: datetime
) -> tuple[DraftFiles, Draft]:
    """Replace the draft's files with those of an archive. Raises Refused like ``save_draft``."""
    files = files_in(upload.package)
    if files.kept:
        store_files(upload.package)
    return files, _replace_files(workspace, files, revision, now)


def start_over(workspace: Workspace, source: str, *, now: datetime) -> None:
    """Replace the draft, whatever it contains, with a single ``main.py``. Raises Refused like ``save_draft``."""
    _replace_files(workspace, DraftFiles({MAIN: source}), None, now)


def _replace_files(workspace: Workspace, files: DraftFiles, revision: int | None, now: datetime) -> Draft:
    with _refuse_concurrent_save():
        draft = _draft_at_revision(revision, _lock_draft(workspace), workspace)
        draft.files, draft.kept, draft.base_sha256 = dict(files.texts), list(files.kept), files.base_sha256
        _store_draft(draft, now)
        return draft


def delete_draft(workspace: Workspace) -> None:
    """Delete the draft; the editor then starts with the newest version."""
    Draft.objects.filter(person=workspace.person, bot=workspace.bot_id, **_filter_for_new_bot(workspace)).delete()


def upload_of(files: DraftFiles) -> Upload:
    """Return the files as an upload, after running all upload checks. Raises Refused."""
    contents = {path: text.replace("\r\n", "\n").encode() for path, text in files.texts.items()}
    if files.kept:
        stored = {file.path: file.data for file in store.load_package(files.base_sha256).files}
        contents |= {path: stored[path] for path in files.kept if path in stored}
    if list(contents) == [MAIN]:
        data, name = contents[MAIN], MAIN
    else:
        data, name = store.zip_files(tuple(PackageFile(path, contents[path]) for path in sorted(contents))), "bot.zip"
    try:
        return Upload(read_package(data, name), name, len(data))
    except PackageError as error:
        raise Refused(explain_problem(error), code=error.code) from error


def _check_new(added: Collection[str], changed: Mapping[str, str]) -> None:
    """Check the names of new files, and reject characters that cannot be saved."""
    for path in added:
        if not _PATH.fullmatch(path):
            text = _("%(path)s is not a valid file name. Use letters, digits, _ and -, as in tables.py.")
            raise Refused(text % {"path": path[:80]}, code="file_name")
    for path, content in changed.items():
        if "\0" in content or _SURROGATE.search(content):
            raise Refused(
                _("%(path)s contains characters that cannot be saved. Remove them.") % {"path": path}, code="characters"
            )


def _check_files(files: Mapping[str, str], kept: Collection[str]) -> None:
    if MAIN not in files:
        raise Refused(
            _(
                "main.py is missing. Every bot starts from this file: "
                "rename the file that defines your player class or function to main.py."
            ),
            code="no_main",
        )
    if len(files) + len(kept) > MAX_FILES:
        raise Refused(
            _("A bot can have at most %(n)s files. Remove some of its files.") % {"n": MAX_FILES}, code="too_many_files"
        )
    lower = [path.lower() for path in (*files, *kept)]
    if len(set(lower)) != len(lower):
        raise Refused(_("Two files have the same name, ignoring case. Rename one of them."), code="same_name")
    if sum(map(len, files.values())) > min(DRAFT_CHARS, MAX_UNPACKED_BYTES):
        raise Refused(_("These files are too large to edit here. Upload them as a .zip instead."), code="too_large")


def _stale_revision_error() -> Refused:
    text = _("This draft was changed in another window. Reload the page to see the changes, or keep this copy.")
    return Refused(text, code=CHANGED_ELSEWHERE)
