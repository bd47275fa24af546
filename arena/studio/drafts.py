"""The files of a draft: read, saved and packed.

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
from arena.submissions.problems import explain
from arena.submissions.queries import newest_content
from arena.submissions.services import Upload, store_files
from arena.submissions.sources import as_text
from arena.ui.code_texts import translated_source

CHANGED_ELSEWHERE: Final = "changed_elsewhere"
EDITABLE_CHARS: Final = 200_000  # limit per file; longer files are considered data
DRAFT_CHARS: Final = 2_000_000  # limit for all files together
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PATH: Final = re.compile(r"(?!\.)[\w.-]{1,60}(?:/(?!\.)[\w.-]{1,60}){0,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The owner and subject of a draft: a bot or, if ``bot_id`` is None, a new bot for a game."""

    person: User
    game: str
    bot_id: int | None = None


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a draft.

    ``texts``: editable files by path; ``kept``: the paths of other files, in the package ``base_sha256``.
    """

    texts: Mapping[str, str]
    kept: tuple[str, ...] = ()
    base_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """The changes in a save; ``revision``: the revision on which it is based, None to overwrite."""

    files: Mapping[str, str]
    removed: Collection[str] = ()
    revision: int | None = 0


def files_of(sha256: str) -> Files:
    """Return the files of a stored version. Raises ContentLost, StoreUnavailable."""
    return _files_in(store.load(sha256))


def _files_in(package: Package) -> Files:
    texts: dict[str, str] = {}
    kept: list[str] = []
    for file in package.files:
        text = as_text(file)
        if text is None or len(text) > EDITABLE_CHARS or sum(map(len, texts.values())) + len(text) > DRAFT_CHARS:
            kept.append(file.path)
        else:
            texts[file.path] = text
    return Files(main_first(texts), tuple(kept), package.sha256 if kept else "")


def main_first(texts: Mapping[str, str]) -> dict[str, str]:
    """Sort paths, with ``main.py`` first."""
    return {path: texts[path] for path in sorted(texts, key=lambda path: (path != MAIN, path))}


def draft_of(workspace: Workspace) -> Draft | None:
    return Draft.objects.filter(person=workspace.person, bot=workspace.bot_id, **_new_bot(workspace)).first()


def _new_bot(workspace: Workspace) -> dict[str, str]:
    return {} if workspace.bot_id else {"game": workspace.game}


def read(workspace: Workspace) -> tuple[Files, int]:
    """Return the files and revision with which the editor starts.

    They come from the draft, otherwise from the newest version, otherwise from the starter.
    """
    draft = draft_of(workspace)
    if draft is not None:
        return Files(main_first(draft.files), tuple(draft.kept), draft.base_sha256), draft.revision
    sha256 = newest_content(workspace.bot_id) if workspace.bot_id else None
    return (files_of(sha256) if sha256 else Files({MAIN: translated_source(starter(workspace.game))})), 0


def save(workspace: Workspace, edit: Edit, *, now: datetime) -> Draft:
    """Store an edit. Raises Refused, with the code CHANGED_ELSEWHERE if another window has saved since."""
    with _refuse_concurrent_save():
        draft = _locked(workspace)
        if draft is None or not _is_already_saved(draft, edit):
            draft = _based_on(edit.revision, draft, workspace)
            _apply(edit, draft)
            _store(draft, now)
        return draft


@contextmanager
def _refuse_concurrent_save() -> Iterator[None]:
    """Run the block in a transaction; refuse the second of two windows that save the first draft at the same time."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise _changed_elsewhere() from error


def _locked(workspace: Workspace) -> Draft | None:
    rows = Draft.objects.select_for_update()
    return rows.filter(person=workspace.person, bot=workspace.bot_id, **_new_bot(workspace)).first()


def _based_on(revision: int | None, draft: Draft | None, workspace: Workspace) -> Draft:
    """Return the draft, or a new one, if a change based on this revision may be stored. Raises Refused."""
    if revision is not None and revision != (draft.revision if draft else 0):
        raise _changed_elsewhere()
    if draft is None:
        files, _revision = read(workspace)
        draft = Draft(person=workspace.person, bot_id=workspace.bot_id, game=workspace.game, files=dict(files.texts))
        draft.kept, draft.base_sha256 = list(files.kept), files.base_sha256
    return draft


def _apply(edit: Edit, draft: Draft) -> None:
    files_after = {path: text for path, text in {**draft.files, **edit.files}.items() if path not in edit.removed}
    draft.kept = [path for path in draft.kept if path not in edit.removed and path not in edit.files]
    _check_new({path: text for path, text in edit.files.items() if path not in draft.files}, edit.files)
    _check(files_after, draft.kept)
    draft.files = files_after


def _store(draft: Draft, now: datetime) -> None:
    draft.revision, draft.saved_at = draft.revision + 1, now
    draft.save()


def _is_already_saved(draft: Draft, edit: Edit) -> bool:
    """Return whether the draft already contains this save, for example if this is a retry after a lost response."""
    unchanged = all(draft.files.get(path) == text for path, text in edit.files.items())
    return unchanged and not any(path in draft.files or path in draft.kept for path in edit.removed)


def restore(workspace: Workspace, sha256: str, revision: int | None, *, now: datetime) -> tuple[Files, Draft]:
    """Replace the draft's files with those of a version. Raises Refused like ``save``."""
    files = files_of(sha256)
    return files, _replace(workspace, files, revision, now)


def unpack(workspace: Workspace, upload: Upload, revision: int | None, *, now: datetime) -> tuple[Files, Draft]:
    """Replace the draft's files with those of an archive. Raises Refused like ``save``."""
    files = _files_in(upload.package)
    if files.kept:
        store_files(upload.package)
    return files, _replace(workspace, files, revision, now)


def start_over(workspace: Workspace, source: str, *, now: datetime) -> None:
    """Replace the draft, whatever it contains, with a single ``main.py``. Raises Refused like ``save``."""
    _replace(workspace, Files({MAIN: source}), None, now)


def _replace(workspace: Workspace, files: Files, revision: int | None, now: datetime) -> Draft:
    with _refuse_concurrent_save():
        draft = _based_on(revision, _locked(workspace), workspace)
        draft.files, draft.kept, draft.base_sha256 = dict(files.texts), list(files.kept), files.base_sha256
        _store(draft, now)
        return draft


def forget(workspace: Workspace) -> None:
    """Delete the draft; the editor then starts with the newest version."""
    Draft.objects.filter(person=workspace.person, bot=workspace.bot_id, **_new_bot(workspace)).delete()


def upload_of(files: Files) -> Upload:
    """Return the files as an upload, after running all upload checks. Raises Refused."""
    contents = {path: text.replace("\r\n", "\n").encode() for path, text in files.texts.items()}
    if files.kept:
        stored = {file.path: file.data for file in store.load(files.base_sha256).files}
        contents |= {path: stored[path] for path in files.kept if path in stored}
    if list(contents) == [MAIN]:
        data, name = contents[MAIN], MAIN
    else:
        data, name = store.archive(tuple(PackageFile(path, contents[path]) for path in sorted(contents))), "bot.zip"
    try:
        return Upload(read_package(data, name), name, len(data))
    except PackageError as error:
        raise Refused(explain(error), code=error.code) from error


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


def _check(files: Mapping[str, str], kept: Collection[str]) -> None:
    if MAIN not in files:
        raise Refused(
            _(
                "main.py is missing. Every bot starts from this file: "
                "rename the file that defines your player to main.py."
            ),
            code="no_main",
        )
    if len(files) + len(kept) > MAX_FILES:
        raise Refused(
            _("A bot can have at most %(n)s files. Remove some of its files.") % {"n": MAX_FILES}, code="too_many_files"
        )
    lower = [path.lower() for path in (*files, *kept)]
    if len(set(lower)) != len(lower):
        raise Refused(
            _("Two files have the same name. Give them names that differ in more than letter case."), code="same_name"
        )
    if sum(map(len, files.values())) > min(DRAFT_CHARS, MAX_UNPACKED_BYTES):
        raise Refused(_("These files are too large to edit here. Upload them as a .zip instead."), code="too_large")


def _changed_elsewhere() -> Refused:
    text = _("This draft was changed in another window. Reload the page to see the changes, or keep this copy.")
    return Refused(text, code=CHANGED_ELSEWHERE)
