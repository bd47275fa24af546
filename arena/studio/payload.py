"""Parse the requests of the studio's script strictly: any unexpected structure is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.utils.translation import gettext as _

from arena.platform.refusal import Refused
from arena.studio.drafts import DraftEdit
from arena.studio.runs import MATCHES_PER_BATCH, RunRequest

_MAX_IDS: Final = 100
_LARGEST_ID: Final = 2**63 - 1


def parse_object(body: bytes) -> Mapping[str, Any]:
    """Parse a JSON object. Raises Refused."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _malformed_request_error() from error
    if not isinstance(found, dict):
        raise _malformed_request_error()
    return found


def edit_of(sent: Mapping[str, Any]) -> DraftEdit:
    """Parse ``{"files": {path: text}, "removed": [path], "revision": number or null}``. Raises Refused."""
    files, removed, revision = sent.get("files", {}), sent.get("removed", []), sent.get("revision", 0)
    are_texts = isinstance(files, dict) and all(isinstance(text, str) for text in files.values())
    are_paths = isinstance(removed, list) and all(isinstance(path, str) for path in removed)
    if not are_texts or not are_paths or not (revision is None or _is_number(revision)):
        raise _malformed_request_error()
    return DraftEdit(files, tuple(removed), revision)


def run_request_of(sent: Mapping[str, Any]) -> RunRequest:
    """Parse ``{"opponents": [id], "games": 1 or 20, "settings": {name: value}}``. Raises Refused."""
    ids, games, settings = sent.get("opponents", []), sent.get("games", 1), sent.get("settings", {})
    are_ids = isinstance(ids, list) and len(ids) <= _MAX_IDS and all(_is_number(one) for one in ids)
    if not are_ids or games not in (1, MATCHES_PER_BATCH) or not isinstance(settings, dict):
        raise _malformed_request_error()
    return RunRequest(tuple(dict.fromkeys(ids)), games, settings)


def source_of(sent: Mapping[str, Any]) -> str:
    """Parse ``{"source": text}``. Raises Refused."""
    source = sent.get("source", "")
    if not isinstance(source, str):
        raise _malformed_request_error()
    return source


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_ID


def _malformed_request_error() -> Refused:
    return Refused(
        _("The page sent unexpected data. Reload it and try again."), code="invalid_data", status=HTTPStatus.BAD_REQUEST
    )
